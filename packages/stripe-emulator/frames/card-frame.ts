import style from "../browser/card-frame.css?raw";
import script from "../browser/card-frame.ts?script";
import { type ElementType, frameTitles, isElementType } from "../browser/element-types.ts";
import { frameResponse } from "./frame-response.ts";

const brand = '<span class="brand" role="img" aria-label="Card"></span>';
const number = (example: string) => input("cardnumber", "cc-number", "Credit or debit card number", example);
const expiry = input("exp-date", "cc-exp", "Credit or debit card expiration date", "MM / YY");
const cvc = input("cvc", "cc-csc", "Credit or debit card CVC/CVV", "CVC");
const note = '<p class="note">Test payments: no real money</p>';

const contents: Readonly<Record<ElementType, { inputs: string; after: string }>> = {
	card: { inputs: brand + number("Card number") + expiry + cvc, after: note },
	cardNumber: { inputs: brand + number("1234 1234 1234 1234"), after: note },
	cardExpiry: { inputs: expiry, after: "" },
	cardCvc: { inputs: cvc, after: "" },
};

/** Returns the document with an Element's fields, or null for an unknown Element. */
export function cardFrame(url: URL): Promise<Response> | null {
	const element = url.searchParams.get("element") ?? "card";
	if (!isElementType(element)) return null;
	const { inputs, after } = contents[element];
	const body = `<form novalidate data-element="${element}">
<div class="fields">${inputs}</div>
${after}
</form>`;
	return frameResponse(url, { title: frameTitles[element], body, style, script });
}

function input(name: string, autocomplete: string, label: string, placeholder: string): string {
	return `<span class="field" data-name="${name}">
<input name="${name}" autocomplete="${autocomplete}" inputmode="numeric" placeholder="${placeholder}" aria-label="${label}" aria-invalid="false" aria-describedby="${name}-problem" spellcheck="false">
<span id="${name}-problem" class="problem"></span>
</span>`;
}
