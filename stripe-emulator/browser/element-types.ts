import { IntegrationError } from "./integration-error.ts";

/** The Elements there are, with the title that each one's frame has. */
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

/** The type of an Element by its name or by its React component. Throws an IntegrationError for any other. */
export function elementType(asked: unknown): ElementType {
	const name = nameOf(asked);
	if (isElementType(name)) return name;
	const known = Object.keys(frameTitles).join(", ");
	throw new IntegrationError(`A valid Element name must be provided. The Stripe emulator has ${known}; not ${name}.`);
}

function nameOf(asked: unknown): string {
	const component = typeof asked === "function" || (typeof asked === "object" && asked !== null);
	return String(component && "__elementType" in asked ? asked.__elementType : asked);
}
