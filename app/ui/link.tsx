import { type LinkProps, Link as RouterLink } from "react-router";

/** Renders a link to a path of the shop. The server renders plain HTML, because resolving the URLs of a page's links as
 *  React Router does takes 3 to 5 % of the page's time. */
export function Link(props: LinkProps & { to: string }) {
	if (!import.meta.env.SSR) return <RouterLink discover="none" {...props} />;
	const { to, className, children, "aria-label": label } = props;
	return (
		<a className={className} href={to} aria-label={label}>
			{children}
		</a>
	);
}
