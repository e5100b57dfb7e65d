/** A script that runs in the head. Holds clicks on buttons that need React until React has hydrated: every such button
 *  must have type="button". A held button fades in and out, so that the shopper sees that the click was received. Links
 *  and submit buttons work without React, but opening another document would lose the held clicks, so one that is clicked
 *  after a held button is held too, for at most ten seconds. Stops the original click, which React would also handle
 *  if its listeners have just been attached, and replays one click per element, so that three clicks on Add to Basket
 *  add one item. If Back or Forward changes the URL of this document before then, loads the document again: React Router
 *  cannot hydrate a page at the URL of another. */
export const holdEarlyClicks = `{
	const held = new Map();
	const url = () => location.pathname + location.search;
	const rendered = url();
	const load = () => { if (url() !== rendered) location.reload(); };
	addEventListener("popstate", load);
	const fade = (clicked) => {
		try {
			const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
			const timing = { duration: 500, direction: "alternate", iterations: Infinity };
			return clicked.animate({ opacity: [1, 0.5] }, reduced ? { fill: "forwards" } : timing);
		} catch {}
	};
	const hold = (event) => {
		const button = event.target.closest("button[type=button]");
		const opensTab = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
		const leaves = held.size > 0 && !opensTab && event.target.closest("a[href^='/'], [type=submit]");
		const clicked = button || leaves;
		if (!clicked) return;
		event.stopImmediatePropagation();
		event.preventDefault();
		if (held.has(clicked)) return;
		// an animation does not change the HTML that React hydrates
		held.set(clicked, fade(clicked));
		if (leaves) setTimeout(() => { if (held.has(leaves)) { stop(); leaves.click(); } }, 10000);
	};
	const stop = () => removeEventListener("click", hold, true);
	addEventListener("click", hold, true);
	addEventListener("hydrated", () => {
		removeEventListener("popstate", load);
		stop();
		const clicks = [...held];
		held.clear();
		for (const [clicked, animation] of clicks) {
			animation?.cancel();
			clicked.click();
		}
	}, { once: true });
}`;

/** Replays the held clicks after React's current work, so that each click is rendered before the next. */
export function releaseEarlyClicks(): void {
	queueMicrotask(() => dispatchEvent(new Event("hydrated")));
}
