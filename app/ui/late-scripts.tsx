import { Children, cloneElement, isValidElement, type LinkHTMLAttributes, type ReactNode } from "react";
import { Scripts } from "react-router";

/** React Router's `<Scripts>`, which the browser loads last: scripts make a page answer; styles and the first picture
 *  make it seen, and on a slow network they come first. */
export function LateScripts({ nonce }: { nonce: string | undefined }) {
	const scripts = Scripts({ nonce });
	if (!scripts) return null;
	// as files of the shop's own they need no nonce
	return Children.map(scripts.props.children, (child: ReactNode) =>
		isValidElement<LinkHTMLAttributes<HTMLLinkElement>>(child) && child.props.rel === "modulepreload"
			? cloneElement(child, { fetchPriority: "low", nonce: undefined })
			: child,
	);
}
