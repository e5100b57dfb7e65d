/** Runs in the head. The page is there before React is, and a button pressed in between would do nothing: its click is
 *  held back until somebody can hear it. What a form or a link does without React it does at once. */
export const holdEarlyClicks = `{
	const held = new Set();
	const hold = (event) => {
		const button = event.target.closest("button[type=button]");
		if (button) { event.stopImmediatePropagation(); held.add(button); }
	};
	addEventListener("click", hold, true);
	addEventListener("hydrated", () => {
		removeEventListener("click", hold, true);
		for (const button of held) button.click();
	}, { once: true });
}`;

/** Replays the clicks outside of React's own work, so that each is rendered before the next. */
export function releaseEarlyClicks(): void {
	queueMicrotask(() => dispatchEvent(new Event("hydrated")));
}
