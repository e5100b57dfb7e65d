/** Masks client secrets, API keys, signing secrets, and anything that could be a card number: 12 or more digits,
 *  including groups separated by spaces or hyphens. */
export function mask(text: string): string {
	return text
		.replaceAll(/_secret_\w+/g, "_secret_[hidden]")
		.replaceAll(/\b(?:[rsp]k_(?:test|live)|whsec)_\w+/g, "[key]")
		.replaceAll(/(?<![0-9A-Za-z])\d[\d -]*(?![0-9A-Za-z])/g, (digits) =>
			digits.replaceAll(/\D/g, "").length >= 12 ? "[number]" : digits,
		);
}

/** Returns a copy of a JSON value in which every name and string is masked. */
export function masked(value: unknown): unknown {
	if (typeof value === "string") return mask(value);
	if (Array.isArray(value)) return value.map(masked);
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([name, inner]) => [mask(name), masked(inner)]));
}

/** Parameters that are omitted: keys, client secrets and card data. */
const secret = /(^|\[)(key|client_secret|card|part|cvc|cvv|number|exp_month|exp_year)(\]|\[|$)/i;
const cardOptions = /^payment_method_options\[card\]\[(?!cvc)/;
/** Parameters whose value can be three or four digits. Elsewhere, such a value could be a security code. */
const numeric = /amount|created|^limit$|metadata|postal_code|quantity|days|count|version/;

/** Returns a form's parameters without keys, client secrets and card data. */
export function maskedParameters(form: string): Record<string, string> {
	const sent = [...new URLSearchParams(form)].filter(([name]) => !secret.test(name) || cardOptions.test(name));
	return Object.fromEntries(
		sent.map(([name, value]) => {
			const isCode = /^\s*\d{3,4}\s*$/.test(value) && !numeric.test(name);
			return [mask(name).replaceAll(/\d{3,}/g, "[number]"), isCode ? "[not shown]" : mask(value)];
		}),
	);
}
