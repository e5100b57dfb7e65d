import type { CardBrand } from "../objects/card-number.ts";
import { brandName } from "./brand-mark.ts";

/** What the bank's page shows. */

export interface Purchase {
	/** In cents. */
	amount: number;
	/** Lowercase, as the API has it. */
	currency: string;
	brand: CardBrand | "unknown";
	last4: string;
}

type View = "loading" | "asking" | "sending" | "unanswered";

let tryAgain = () => {};
find("button.again").addEventListener("click", () => tryAgain());

/** Goes to another view and takes the focus there, so that a screen reader reads it. */
export function show(view: "loading" | "sending"): void;
export function show(view: "asking", purchase: Purchase): void;
export function show(view: "unanswered", again: () => void): void;
export function show(view: View, subject?: Purchase | (() => void)): void {
	if (typeof subject === "function") tryAgain = subject;
	else if (subject) describe(subject);
	for (const section of document.querySelectorAll<HTMLElement>("section")) section.hidden = section.className !== view;
	find(`.${view} h1`).focus();
}

/** Calls `choose` with what the shopper does: a button, or going away. */
export function onChoice(choose: (outcome: "complete" | "fail" | "abandon") => void): void {
	find("#test-source-authorize-3ds").addEventListener("click", () => choose("complete"));
	find("#test-source-fail-3ds").addEventListener("click", () => choose("fail"));
	find(".close").addEventListener("click", () => choose("abandon"));
	document.addEventListener("keydown", ({ key }) => {
		if (key === "Escape") choose("abandon");
	});
}

/** Tab goes round within the page: everything outside is inert, and the browser's own bars are not in a dialog. */
export function trapFocus(): void {
	document.addEventListener("keydown", (event) => {
		if (event.key !== "Tab") return;
		const stops = [...document.querySelectorAll<HTMLElement>("button")].filter((button) => button.checkVisibility());
		const [first, last] = [stops[0], stops.at(-1)];
		const here = document.activeElement;
		const outside = !(here instanceof HTMLElement && stops.includes(here));
		if (event.shiftKey && (here === first || (outside && here === document.body))) turn(event, last);
		else if (!event.shiftKey && here === last) turn(event, first);
	});
}

function turn(event: Event, target: HTMLElement | undefined): void {
	event.preventDefault();
	target?.focus();
}

function describe({ amount, currency, brand, last4 }: Purchase): void {
	const money = new Intl.NumberFormat("en-US", { style: "currency", currency });
	const unit = 10 ** (money.resolvedOptions().maximumFractionDigits ?? 2);
	find(".amount").textContent = money.format(amount / unit);
	find(".card").textContent = `${brandName(brand)} ending in ${last4}`;
}

function find(selector: string): HTMLElement {
	const element = document.querySelector<HTMLElement>(selector);
	if (element) return element;
	throw new Error(`The bank's page has no ${selector}; its HTML is in frames/three-d-secure-frame.ts.`);
}
