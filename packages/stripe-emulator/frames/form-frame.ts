import { type FormElementType, isFormElementType, titleOf } from "../browser/element-types.ts";
import style from "../browser/form-frame.css?raw";
import script from "../browser/form-frame.ts?script";
import { type Html, html } from "../page/html.ts";
import { frameResponse } from "./frame-response.ts";
import { type Texts, textsFor } from "./texts.ts";

/** Returns the document of an Element with labeled fields, or null for an unknown Element. */
export function formFrame(url: URL): Promise<Response> | null {
	const element = url.searchParams.get("element") ?? "payment";
	if (!isFormElementType(element)) return null;
	const { language, texts } = textsFor(url.searchParams.get("locale") ?? "en");
	const contents: Readonly<Record<FormElementType, () => Html[]>> = {
		payment: () => paymentFields(texts, language),
		linkAuthentication: () => [
			field("email", { label: texts.email, name: "email", autocomplete: "email", mode: "email", wide: true }),
		],
		address: () => addressFields(texts, language),
	};
	const body = html`<form novalidate data-element="${element}" data-problems="${JSON.stringify(texts.problems)}">
<div class="fields">${contents[element]()}</div>
${element === "payment" ? html`<p class="TermsText" hidden>${texts.terms}</p>\n<p class="note">${texts.note}</p>` : ""}
</form>`.markup;
	return frameResponse(url, { title: titleOf(element), language, body, style, script });
}

function paymentFields(texts: Texts, language: string): Html[] {
	const card = { mode: "numeric", id: "payment" };
	return [
		field("number", {
			...card,
			label: texts.number,
			name: "number",
			autocomplete: "cc-number",
			placeholder: "1234 1234 1234 1234",
			wide: true,
			after: html`<span class="brand" role="img" aria-label="Card"></span>`,
		}),
		field("expiry", {
			...card,
			label: texts.expiry,
			name: "expiry",
			autocomplete: "cc-exp",
			placeholder: texts.monthYear,
		}),
		field("cvc", { ...card, label: texts.code, name: "cvc", autocomplete: "cc-csc", placeholder: texts.cvc }),
		country(texts, "payment", "billing country"),
		postal(texts, language, "payment", "billing postal-code"),
	];
}

function addressFields(texts: Texts, language: string): Html[] {
	return [
		field("name", { label: texts.name, name: "name", autocomplete: "name", wide: true }),
		country(texts, "Field", "country", true),
		field("line1", { label: texts.line1, name: "addressLine1", autocomplete: "address-line1", wide: true }),
		field("line2", { label: texts.line2, name: "addressLine2", autocomplete: "address-line2", wide: true }),
		field("city", { label: texts.city, name: "locality", autocomplete: "address-level2" }),
		field("state", { label: texts.state, name: "administrativeArea", autocomplete: "address-level1" }),
		postal(texts, language, "Field", "postal-code"),
		field("phone", { label: texts.phone, name: "phone", autocomplete: "tel", mode: "tel", hidden: true }),
	];
}

/** In English, the label is "ZIP code" in the United States. */
function postal(texts: Texts, language: string, id: string, autocomplete: string): Html {
	const zip = language === "en" ? "ZIP code" : texts.postal;
	return field("postal", { label: texts.postal, zip, name: "postalCode", id, autocomplete });
}

interface FieldMarkup {
	label: string;
	/** The label in the United States. */
	zip?: string;
	name: string;
	id?: string;
	autocomplete: string;
	mode?: string;
	placeholder?: string;
	wide?: boolean;
	hidden?: boolean;
	after?: Html;
}

function field(rule: string, options: FieldMarkup): Html {
	const { label, zip = label, name, id = "Field", autocomplete, mode = "text", placeholder = "", after = "" } = options;
	return html`<div class="Field field${options.wide ? " wide" : ""}"${options.hidden ? html` hidden` : ""}>
<label class="Label" for="${id}-${name}Input" data-zip="${zip}" data-other="${label}">${label}</label>
<div class="box"><input class="Input" id="${id}-${name}Input" data-field="${rule}" name="${name}" autocomplete="${autocomplete}" inputmode="${mode}" placeholder="${placeholder}" aria-invalid="false" aria-describedby="Field-${name}Error" spellcheck="false">${after}</div>
<p class="Error" id="Field-${name}Error" role="alert"></p>
</div>`;
}

/** The frame's script adds the countries, in the frame's language. */
function country({ country }: Texts, id: string, autocomplete: string, wide = false): Html {
	return html`<div class="Field field${wide ? " wide" : ""}">
<label class="Label" for="${id}-countryInput">${country}</label>
<select class="Input" id="${id}-countryInput" name="country" autocomplete="${autocomplete}"></select>
</div>`;
}
