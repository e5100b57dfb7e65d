/** A script that runs in the head. Holds clicks on buttons that need React until React has hydrated: every such button
 *  must have type="button". Links and submit buttons work without React. Stops the original click, which React would
 *  also handle if its listeners have just been attached, and replays one click per button, so that three clicks on Add to
 *  Basket add one item. If Back or Forward changes the URL of this document before then, loads the document again: React
 *  Router cannot hydrate a page at the URL of another. */
export const holdEarlyClicks = `{
	const held = new Set();
	const url = () => location.pathname + location.search;
	const rendered = url();
	const load = () => { if (url() !== rendered) location.reload(); };
	addEventListener("popstate", load);
	const hold = (event) => {
		const button = event.target.closest("button[type=button]");
		if (button) { event.stopImmediatePropagation(); held.add(button); }
	};
	addEventListener("click", hold, true);
	addEventListener("hydrated", () => {
		removeEventListener("popstate", load);
		removeEventListener("click", hold, true);
		for (const button of held) button.click();
	}, { once: true });
}`;

/** Replays the held clicks after React's current work, so that each click is rendered before the next. */
export function releaseEarlyClicks(): void {
	queueMicrotask(() => dispatchEvent(new Event("hydrated")));
}
