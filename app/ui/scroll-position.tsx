import { useEffect, useLayoutEffect } from "react";
import { ScrollRestoration, useLocation } from "react-router";

/** Scrolls each page to its top, or to its position in the history, at once: a smooth scroll would go on after the next
 *  Tab, which could leave the focused element outside the window. */
export function ScrollPosition(props: { id: string; nonce: string | undefined }) {
	return (
		<>
			<InstantScroll />
			<ScrollRestoration {...props} />
		</>
	);
}

/** Turns off smooth scrolling while a page is replaced. It must precede `ScrollRestoration`, whose effect scrolls. */
function InstantScroll() {
	const { key } = useLocation();
	useLayoutEffect(() => {
		if (!key) return;
		const { documentElement } = document;
		documentElement.style.scrollBehavior = "auto";
		// Chromium scrolls to the top with the last computed style
		getComputedStyle(documentElement).getPropertyValue("scroll-behavior");
	}, [key]);
	useEffect(() => {
		if (key) document.documentElement.style.scrollBehavior = "";
	}, [key]);
	return null;
}
