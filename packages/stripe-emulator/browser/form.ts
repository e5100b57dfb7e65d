import { IntegrationError } from "./integration-error.ts";

/** The allowed keys of an object; each holds a string or a nested object. */
export interface Shape {
	[name: string]: "text" | Shape;
}

const address = {
	city: "text",
	country: "text",
	line1: "text",
	line2: "text",
	postal_code: "text",
	state: "text",
} as const;

export const billingShape: Shape = { address, email: "text", name: "text", phone: "text" };

export const confirmationShape: Shape = { receipt_email: "text" };

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
	if (!expected) throw new IntegrationError(`The Stripe emulator does not support ${key}. Leave it out.`);
	if (expected === "text" && typeof value === "string") return { [key]: value };
	if (expected !== "text" && typeof value === "object") return formOf(value, expected, key);
	throw new IntegrationError(`${key} should be ${expected === "text" ? "a string" : "an object"}.`);
}
