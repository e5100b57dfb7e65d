import { type LinkProps, Link as RouterLink } from "react-router";
import { useCustomer } from "#app/auth/use-customer.ts";
import { prefetchOnIntent } from "./prefetch.ts";

interface ShopLinkProps extends Omit<LinkProps, "to" | "prefetch"> {
	to: string;
	/** Whether to prefetch the page's data when a click is likely. */
	prefetch?: boolean;
}

/** Renders a link to a path of the shop. */
export function Link({ prefetch, ...props }: ShopLinkProps) {
	// a customer's data is never cached, so a prefetch of it would be wasted
	const prefetches = useCustomer() === null && prefetch;
	return <RouterLink discover="none" {...(prefetches && prefetchOnIntent(props.to))} {...props} />;
}
