import { IntegrationError } from "./integration-error.ts";

/** The allowed keys of an object; each holds a string, a nested object, or an object with strings under any keys. */
export interface Shape {
	[name: string]: "text" | "map" | Shape;
}

const address = {
	city: "text",
	country: "text",
	line1: "text",
	line2: "text",
	postal_code: "text",
	state: "text",
} as const;

/** The fields of a new payment method, without its card. */
export const methodShape: Shape = {
	allow_redisplay: "text",
	billing_details: { address, email: "text", name: "text", phone: "text" },
	metadata: "map",
};

/** The fields of a token's card, without its number, expiry and security code. */
export const tokenShape: Shape = {
	address_city: "text",
	address_country: "text",
	address_line1: "text",
	address_line2: "text",
	address_state: "text",
	address_zip: "text",
	currency: "text",
	name: "text",
};

export const confirmationShape: Shape = {
	receipt_email: "text",
	return_url: "text",
	setup_future_usage: "text",
	shipping: { address, carrier: "text", name: "text", phone: "text", tracking_number: "text" },
};

/** Encodes an object as form fields: `prefix[address][city]`. Omits empty values, except at the top level, where
 *  they unset a field. Throws an IntegrationError for an unsupported key that has a value, or for a value of the
 *  wrong type. */
export function formOf(given: object, shape: Shape, prefix = ""): Record<string, string> {
	const fields = Object.entries(given).filter(([, value]) => value !== undefined);
	return Object.assign({}, ...fields.map(([name, value]) => field(name, value, shape, prefix)));
}

function field(name: string, value: unknown, shape: Shape, prefix: string): Record<string, string> {
	const key = prefix ? `${prefix}[${name}]` : name;
	const expected = Object.hasOwn(shape, name) ? shape[name] : undefined;
	if (value === null || value === "") return prefix || !expected ? {} : { [key]: "" };
	if (expected === "map" && typeof value === "object") {
		const texts = Object.keys(value).map((name) => [name, "text"] as const);
		return formOf(value, Object.fromEntries(texts), key);
	}
	if (!expected) throw new IntegrationError(`The Stripe emulator does not support ${key}. Leave it out.`);
	if (expected === "text" && typeof value === "string") return { [key]: value };
	if (typeof expected === "object" && typeof value === "object") return formOf(value, expected, key);
	throw new IntegrationError(`${key} should be ${expected === "text" ? "a string" : "an object"}.`);
}
