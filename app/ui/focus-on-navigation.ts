import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { closeMessage } from "./announcer.tsx";

/** Focuses the new page's heading after a client navigation, so that screen readers and keyboards start at the top, as
 *  they do after a document navigation. Closes the previous page's message, and removes the tags of the document that
 *  describe its first page only. */
export function useFocusOnNavigation(): void {
	const { pathname, search } = useLocation();
	const page = pathname + search;
	const shown = useRef(page);
	useEffect(() => {
		if (shown.current === page) return;
		shown.current = page;
		closeMessage();
		for (const tag of document.querySelectorAll(".first")) tag.remove();
		focusHeading();
	}, [page]);
}

export function focusHeading(): void {
	const heading = document.querySelector<HTMLElement>("main h1");
	heading?.setAttribute("tabindex", "-1");
	heading?.focus({ preventScroll: true });
}
