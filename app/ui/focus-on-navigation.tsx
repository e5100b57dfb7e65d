import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** After a client navigation the keyboard and the screen reader are at the new page's heading, where a document
 *  navigation would have put them at its top. */
export function FocusOnNavigation() {
	const { pathname, search } = useLocation();
	const page = pathname + search;
	const shown = useRef(page);
	useEffect(() => {
		if (shown.current === page) return;
		shown.current = page;
		focusHeading();
	}, [page]);
	return null;
}

export function focusHeading(): void {
	const heading = document.querySelector<HTMLElement>("main h1");
	heading?.setAttribute("tabindex", "-1");
	heading?.focus({ preventScroll: true });
}
