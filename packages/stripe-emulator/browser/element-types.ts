import { IntegrationError } from "./integration-error.ts";

/** The supported Elements and the titles of their frames. */
export const frameTitles = {
	card: "Secure card payment input frame",
	cardNumber: "Secure card number input frame",
	cardExpiry: "Secure expiration date input frame",
	cardCvc: "Secure CVC input frame",
} as const;

export type ElementType = keyof typeof frameTitles;

export function isElementType(name: string): name is ElementType {
	return Object.hasOwn(frameTitles, name);
}

/** Returns the Element's name, given the name or its React component. */
export function nameOf(value: unknown): string {
	const component = typeof value === "function" || (typeof value === "object" && value !== null);
	return String(component && "__elementType" in value ? value.__elementType : value);
}

/** Throws an IntegrationError for an unsupported Element. */
export function requireElementType(name: string): ElementType {
	if (isElementType(name)) return name;
	const known = Object.keys(frameTitles).join(", ");
	throw new IntegrationError(
		`A valid Element name must be provided. The Stripe emulator supports ${known}, not ${name}.`,
	);
}
