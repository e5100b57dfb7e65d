import { formatAmount } from "../objects/amount.ts";
import type { CardBrand } from "../objects/card-number.ts";
import { brandName } from "./brand-mark.ts";

/** The views of the bank's page. */

export interface Purchase {
	/** In cents. */
	amount: number;
	/** Lowercase, as in the API. */
	currency: string;
	brand: CardBrand | "unknown";
	last4: string;
}

type View = "loading" | "asking" | "sending" | "unanswered";

let retry = () => {};
find("button.again").addEventListener("click", () => retry());

/** Switches the view and focuses its heading, so that screen readers announce it. */
export function show(view: "loading" | "sending"): void;
export function show(view: "asking", purchase: Purchase): void;
export function show(view: "unanswered", again: () => void): void;
export function show(view: View, subject?: Purchase | (() => void)): void {
	if (typeof subject === "function") retry = subject;
	else if (subject) describe(subject);
	for (const section of document.querySelectorAll<HTMLElement>("section")) section.hidden = section.className !== view;
	find(`.${view} h1`).focus();
}

/** Calls `choose` with the cardholder's choice; closing the page counts as `abandon`. */
export function onChoice(choose: (outcome: "complete" | "fail" | "abandon") => void): void {
	find("#test-source-authorize-3ds").addEventListener("click", () => choose("complete"));
	find("#test-source-fail-3ds").addEventListener("click", () => choose("fail"));
	find(".LightboxModalClose").addEventListener("click", () => choose("abandon"));
	document.addEventListener("keydown", ({ key }) => {
		if (key === "Escape") choose("abandon");
	});
}

/** Keeps Tab within the bank's page: everything else is inert, but Tab could still reach the browser's toolbars. */
export function trapFocus(): void {
	document.addEventListener("keydown", (event) => {
		if (event.key !== "Tab") return;
		const stops = [...document.querySelectorAll<HTMLElement>("button")].filter((button) => button.checkVisibility());
		const [first, last] = [stops[0], stops.at(-1)];
		const here = document.activeElement;
		const outside = !(here instanceof HTMLElement && stops.includes(here));
		if (event.shiftKey && (here === first || (outside && here === document.body))) moveFocus(event, last);
		else if (!event.shiftKey && here === last) moveFocus(event, first);
	});
}

function moveFocus(event: Event, target: HTMLElement | undefined): void {
	event.preventDefault();
	target?.focus();
}

function describe({ amount, currency, brand, last4 }: Purchase): void {
	find(".amount").textContent = formatAmount(amount, currency);
	find(".card").textContent = `${brandName(brand)} ending in ${last4}`;
}

function find(selector: string): HTMLElement {
	const element = document.querySelector<HTMLElement>(selector);
	if (element) return element;
	throw new Error(`The bank's page has no ${selector}; its HTML is in frames/three-d-secure-frame.ts.`);
}
