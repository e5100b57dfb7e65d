import type { StripeAddressElementChangeEvent } from "@stripe/stripe-js";
import { applyAppearance } from "./appearance.ts";
import { CardFields } from "./card-fields.ts";
import { ContactFields } from "./contact-fields.ts";
import { countries } from "./countries.ts";
import { isFormElementType } from "./element-types.ts";
import { check, connectFields } from "./field-frame.ts";
import { excludedFields } from "./form-options.ts";
import type { Change, Delivery, ElementOptions, Result } from "./messages.ts";
import { sendCard } from "./send-card.ts";

/** The script of the frames with labeled fields. Card data is sent only to the API. The email address and the address
 *  are sent to the page, as in Stripe's change events. */

const elementType = String(document.forms[0]?.dataset["element"]);
if (!isFormElementType(elementType)) throw new Error("The frame's document names no Element.");
const type = elementType;

let options: ElementOptions = {};
let isFilled = false;
const country = document.querySelector("select");
const fields = type === "payment" ? new CardFields() : new ContactFields();

const page = connectFields(fields, describe, (message, reply) => {
	if (message.say === "options") show(message.options);
	else if (message.say === "deliver") void deliver(message.delivery).then(reply);
});

function describe(): Change {
	const { complete, empty } = fields;
	const change = { elementType: type, complete, empty };
	if (type === "payment") return { ...change, collapsed: false, value: { type: "card" } };
	if (type === "linkAuthentication") return { ...change, value: { email: fields.value("email").trim() } };
	return { ...change, elementMode: options.mode ?? "billing", isNewAddress: true, value: address() };
}

function address(): StripeAddressElementChangeEvent["value"] {
	const [line1, city, state] = [fields.value("line1"), fields.value("city"), fields.value("state")];
	const rest = { line2: fields.value("line2") || null, postal_code: fields.value("postal") };
	const phone = fields.value("phone");
	return {
		name: fields.value("name"),
		address: { line1, city, state, ...rest, country: country?.value ?? "" },
		...(phone && { phone }),
	};
}

function show(newOptions: ElementOptions): void {
	options = newOptions;
	applyAppearance(options.appearance ?? {});
	for (const input of document.querySelectorAll("input")) input.readOnly = options.readOnly ?? false;
	const { fields: shown, terms, isReused } = options;
	setHidden("[data-field=phone]", shown?.phone !== "always");
	setHidden("[data-field=name]", shown?.name === "never");
	const showsTerms = terms?.card === "always" || (isReused === true && terms?.card !== "never");
	document.querySelector(".TermsText")?.toggleAttribute("hidden", !showsTerms);
	if (!isFilled) fill();
	showCountry();
	sendHeight();
}

/** Adds the countries and sets the default values. They are set once, so that later options keep what was typed. */
function fill(): void {
	isFilled = true;
	const { defaultValues: given = {} } = options;
	const details = { ...given, ...given.billingDetails };
	const { line1, line2, city, state, postal_code: postal, country: code } = details.address ?? {};
	if (country) {
		const all = countries(document.documentElement.lang, options.allowedCountries);
		country.replaceChildren(...all.map(({ code, name }) => new Option(name, code)));
		country.value = code ?? new Intl.Locale(navigator.language).maximize().region ?? "US";
		if (!country.value && all[0]) country.value = all[0].code;
	}
	const { name, email, phone } = details;
	// the country determines the format of the postal code
	showCountry();
	fields.fill({ name, email, phone, line1, line2, city, state, postal });
}

/** Shows the fields that the country and the options require. For a card, only three countries have a postal code. */
function showCountry(): void {
	if (!country) return;
	const excluded = type === "payment" ? excludedFields(options) : [];
	const hasPostal = type === "address" || ["CA", "GB", "US"].includes(country.value);
	country.disabled = options.readOnly ?? false;
	setHidden("select", excluded.includes("country"));
	setHidden("[data-field=postal]", excluded.includes("postal_code") || !hasPostal);
	const postal = document.querySelector<HTMLInputElement>("[data-field=postal]");
	const [label] = postal?.labels ?? [];
	if (label) label.textContent = label.dataset[country.value === "US" ? "zip" : "other"] ?? "";
	const examples: Record<string, string> = { CA: "M5T 1T4", GB: "WS11 1DB", US: "12345" };
	if (postal) postal.placeholder = examples[country.value] ?? "";
	fields.country = country.value;
}

function setHidden(selector: string, hidden: boolean): void {
	document.querySelector(selector)?.closest(".field")?.toggleAttribute("hidden", hidden);
}

async function deliver(delivery: Delivery): Promise<Result<unknown>> {
	const { error } = check(fields);
	if (error) return { error };
	if (!(fields instanceof CardFields)) throw new Error("Only the Payment Element's frame has a card.");
	const code = excludedFields(options).includes("country") ? "" : (country?.value ?? "");
	return sendCard(delivery, fields.card, { country: code, postal_code: fields.value("postal") });
}

function sendHeight(): void {
	page.send({ say: "height", height: Math.ceil(document.body.getBoundingClientRect().height) });
}

// browsers do not run the ResizeObserver of a frame that is outside the viewport
const { onChange } = fields;
fields.onChange = () => {
	onChange();
	sendHeight();
};
country?.addEventListener("change", showCountry);
new ResizeObserver(sendHeight).observe(document.body);
