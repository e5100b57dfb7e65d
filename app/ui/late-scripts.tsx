import { Children, cloneElement, isValidElement, type LinkHTMLAttributes, type ReactNode } from "react";
import { Scripts } from "react-router";

/** React Router's `<Scripts>` with a low fetch priority, so that on a slow network the stylesheet and the first picture are
 *  not delayed by scripts. `<Scripts>` has no prop for it, so it is called like a hook and its elements are changed. If an
 *  upgrade of React Router renders other elements, tests/worker/headers.test.ts fails. */
export function LateScripts({ nonce }: { nonce: string | undefined }) {
	const scripts = Scripts({ nonce });
	if (!scripts) return null;
	// the policy allows the shop's own files without a nonce
	return Children.map(scripts.props.children, (child: ReactNode) =>
		isValidElement<LinkHTMLAttributes<HTMLLinkElement>>(child) && child.props.rel === "modulepreload"
			? cloneElement(child, { fetchPriority: "low", nonce: undefined })
			: child,
	);
}
