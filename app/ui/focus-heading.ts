/** Focuses the page's heading, so that screen readers and keyboards start at the top, as they do after a document
 *  navigation. */
export function focusHeading(): void {
	const heading = document.querySelector<HTMLElement>("main h1");
	heading?.setAttribute("tabindex", "-1");
	heading?.focus({ preventScroll: true });
}
