import { type KeyboardEvent, useRef, useState } from "react";

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

/** Follows which picture is shown in a list that scrolls horizontally. */
export function useViews(count: number) {
	const ref = useRef<HTMLUListElement>(null);
	const [shown, setShown] = useState(0);

	/** Scrolls to a picture, and focuses its link, if it is one. */
	function show(index: number, behavior?: "instant"): void {
		const { current: list } = ref;
		// not only after it has scrolled: until then, Shift+Tab would reach the former picture
		setShown(index);
		list?.scrollTo({ left: index * list.clientWidth * direction(list), ...(behavior && { behavior }) });
		list?.querySelectorAll("a")[index]?.focus({ preventScroll: true });
	}

	const turn = (by: number) => show((shown + by + count) % count);

	function onKeyDown(event: KeyboardEvent): void {
		const by = event.altKey || event.ctrlKey || event.metaKey ? undefined : steps[event.key];
		if (!by) return;
		event.preventDefault();
		turn(by * direction(event.currentTarget));
	}

	// scrollLeft is negative in a page written from right to left
	const onScroll = () => {
		const { scrollLeft = 0, clientWidth = 1 } = ref.current ?? {};
		if (clientWidth > 0) setShown(Math.abs(Math.round(scrollLeft / clientWidth)));
	};
	return { list: { ref, onScroll }, shown, show, turn, onKeyDown };
}

/** Returns -1 if the text of an element is written from right to left, and otherwise 1. */
function direction(element: Element): 1 | -1 {
	return getComputedStyle(element).direction === "rtl" ? -1 : 1;
}
