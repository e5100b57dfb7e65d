// Holds a shopper's first clicks until React has hydrated the page.
//
// A click on a button that needs React (type="button") is held, and the button fades, so that the shopper sees that the
// click was received. Each button is then clicked once, so that three clicks on Add to Basket add one item. Links and
// submit buttons work without React, but opening another document would lose the held clicks, or the basket that the
// previous document has handed over (tab/saved.ts). So one that is clicked then is held too, until a message says after
// five seconds that the page is still loading.
//
// If another program has put something into the page, hydration fails and React renders the page again. The new
// elements then get the held clicks, the typed text and the focus of the earlier ones.

import { tryApi } from "../ui/try-api.ts";

const isHandedOver = tryApi(() => sessionStorage.getItem("handedOver") !== null) === true;
/** The elements whose clicks are held, with their animations. */
const held = new Map<HTMLElement, Animation | undefined>();
/** The elements that had the focus or were changed, the latest last. */
const used = new Set<HTMLElement>();
const message = Object.assign(document.createElement("p"), { className: "toast", role: "alert" });
message.textContent = "This page is still loading. Your click will take effect when it's ready. ";
message.appendChild(Object.assign(document.createElement("a"), { href: "", textContent: "Reload" }));

const untilHydrated = new AbortController();
const options = { capture: true, signal: untilHydrated.signal };
addEventListener("click", hold, options);
addEventListener("focusin", remember, options);
addEventListener("input", remember, options);
// Back or Forward may change the URL within this document, and React Router cannot hydrate a page at another page's URL
const rendered = url();
addEventListener("popstate", () => url() !== rendered && location.reload(), options);
// dispatched by root.tsx
addEventListener("hydrated", release, { once: true });

function url(): string {
	return location.pathname + location.search;
}

function hold(event: MouseEvent): void {
	if (!(event.target instanceof Element)) return;
	const button = event.target.closest<HTMLElement>("button[type=button]");
	const opensTab = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
	const mayLeave = opensTab || message.isConnected || (held.size === 0 && !isHandedOver);
	const clicked = button ?? (mayLeave ? null : event.target.closest<HTMLElement>("a[href^='/'], [type=submit]"));
	if (!clicked) return;
	// React would also handle the click if its listeners have just been attached
	event.stopImmediatePropagation();
	event.preventDefault();
	if (held.has(clicked)) return;
	held.set(clicked, fade(clicked));
	setTimeout(() => {
		if (!held.has(clicked)) return;
		document.body.appendChild(message);
		// the page may never be ready
		if (button || held.size > 1) return;
		held.get(clicked)?.cancel();
		held.delete(clicked);
		clicked.click();
	}, 5000);
}

function remember({ target }: Event): void {
	if (!(target instanceof HTMLElement)) return;
	used.delete(target);
	used.add(target);
}

/** Fades an element in and out. An animation does not change the HTML that React hydrates. */
function fade(element: HTMLElement): Animation | undefined {
	return tryApi(() => {
		const isReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
		const timing = { duration: 500, direction: "alternate", iterations: Number.POSITIVE_INFINITY } as const;
		return element.animate({ opacity: [1, 0.5] }, isReduced ? { fill: "forwards" } : timing);
	});
}

function release(): void {
	untilHydrated.abort();
	message.remove();
	for (const before of used) {
		const after = current(before);
		if (after === before) continue;
		if (after instanceof HTMLInputElement && before instanceof HTMLInputElement) {
			after.value = before.value;
			after.checked = before.checked;
		}
		after?.focus({ preventScroll: true });
	}
	for (const animation of held.values()) animation?.cancel();
	const clicked = [...held.keys()].map(current);
	held.clear();
	for (const element of clicked) element?.click();
}

/** Returns an element, or the one with the same tag and label that React has rendered in its place. */
function current(element: HTMLElement): HTMLElement | undefined {
	if (element.isConnected) return element;
	const elements = document.querySelectorAll<HTMLElement>(element.localName);
	return [...elements].find((other) => labelOf(other) === labelOf(element));
}

/** Returns what distinguishes an element from the others of its page. */
function labelOf(element: HTMLElement): string {
	const { ariaLabel, textContent } = element;
	return [element.getAttribute("name"), ariaLabel, element.getAttribute("aria-describedby"), textContent].join();
}
