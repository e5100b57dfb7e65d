import { Children, cloneElement, isValidElement, type LinkHTMLAttributes, type ReactNode } from "react";
import { Scripts } from "react-router";

/** React Router's `<Scripts>` with a low fetch priority, so that on a slow network, scripts do not delay the stylesheet
 *  and the first picture. `<Scripts>` has no prop for the priority, so it is called like a hook and its elements are
 *  cloned. If an upgrade of React Router renders other elements, tests/worker/headers.test.ts fails. */
export function LateScripts({ nonce }: { nonce: string | undefined }) {
	const scripts = Scripts({ nonce });
	if (!scripts) return null;
	// the Content-Security-Policy allows the shop's own files without a nonce
	return Children.map(scripts.props.children, (child: ReactNode) =>
		isValidElement<LinkHTMLAttributes<HTMLLinkElement>>(child) && child.props.rel === "modulepreload"
			? cloneElement(child, { fetchPriority: "low", nonce: undefined })
			: child,
	);
}
