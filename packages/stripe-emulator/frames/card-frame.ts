import style from "../browser/card-frame.css?raw";
import script from "../browser/card-frame.ts?script";
import { type CardElementType, isCardElementType, titleOf } from "../browser/element-types.ts";
import { type Html, html } from "../page/html.ts";
import { frameResponse } from "./frame-response.ts";
import { type Texts, textsFor } from "./texts.ts";

/** Returns the document with a card Element's fields, or null for an unknown Element. */
export function cardFrame(url: URL): Promise<Response> | null {
	const element = url.searchParams.get("element") ?? "card";
	if (!isCardElementType(element)) return null;
	const locale = url.searchParams.get("locale") ?? "en";
	const { language, texts } = textsFor(locale);
	const { inputs, after } = contentOf(element, language === "en" ? english(texts, locale) : texts);
	const body = html`<form novalidate data-element="${element}" data-problems="${JSON.stringify(texts.problems)}">
<div class="fields">${inputs}</div>
${after}
</form>`.markup;
	return frameResponse(url, { title: titleOf(element), language, body, style, script });
}

/** The field's names in English, where the accessible names say whose numbers are meant. */
function english(texts: Texts, locale: string) {
	return {
		...texts,
		postal: /^en(-us)?$/i.test(locale) ? "ZIP" : texts.postal,
		names: {
			number: "Credit or debit card number",
			expiry: "Credit or debit card expiration date",
			cvc: "Credit or debit card CVC/CVV",
		},
	};
}

function contentOf(element: CardElementType, texts: Texts & Partial<ReturnType<typeof english>>) {
	const { names = { number: texts.number, expiry: texts.expiry, cvc: texts.code } } = texts;
	const brand = html`<span class="brand" role="img" aria-label="Card"></span>`;
	const number = (example: string) => input("number", "cardnumber", "cc-number", names.number, example);
	const expiry = input("expiry", "exp-date", "cc-exp", names.expiry, texts.monthYear);
	const cvc = input("cvc", "cvc", "cc-csc", names.cvc, texts.cvc);
	const postal = input("postal", "postal", "postal-code", texts.postal, texts.postal);
	const note = html`<p class="note">${texts.note}</p>`;
	const contents: Readonly<Record<CardElementType, { inputs: Html[]; after: Html | "" }>> = {
		card: { inputs: [brand, number(texts.number), expiry, cvc, postal], after: note },
		cardNumber: { inputs: [brand, number("1234 1234 1234 1234")], after: note },
		cardExpiry: { inputs: [expiry], after: "" },
		cardCvc: { inputs: [cvc], after: "" },
	};
	return contents[element];
}

/** A postal code's field is hidden until the Element's options show it. */
function input(field: string, name: string, autocomplete: string, label: string, placeholder: string): Html {
	const mode = field === "postal" ? "text" : "numeric";
	const hidden = field === "postal" ? html` hidden` : "";
	return html`<span class="field ${field}"${hidden}>
<input data-field="${field}" name="${name}" autocomplete="${autocomplete}" inputmode="${mode}" placeholder="${placeholder}" aria-label="${label}" aria-invalid="false" aria-describedby="${name}-problem" spellcheck="false">
<span id="${name}-problem" class="problem"></span>
</span>`;
}
