import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** After a client navigation the keyboard and the screen reader are at the new page's heading, where a document
 *  navigation would have put them at its top. */
export function FocusOnNavigation() {
	const { pathname } = useLocation();
	const shown = useRef(pathname);
	useEffect(() => {
		if (shown.current === pathname) return;
		shown.current = pathname;
		const heading = document.querySelector<HTMLElement>("main h1");
		heading?.setAttribute("tabindex", "-1");
		heading?.focus({ preventScroll: true });
	}, [pathname]);
	return null;
}
