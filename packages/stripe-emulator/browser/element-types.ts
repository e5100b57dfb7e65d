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

/** What an Element is asked for by: its name, or a React component that has it. */
export function nameOf(typeOrComponent: unknown): string {
	const component =
		typeof typeOrComponent === "function" || (typeof typeOrComponent === "object" && typeOrComponent !== null);
	return String(component && "__elementType" in typeOrComponent ? typeOrComponent.__elementType : typeOrComponent);
}

/** Throws an IntegrationError for what is no Element here. */
export function requireElementType(name: string): ElementType {
	if (isElementType(name)) return name;
	const known = Object.keys(frameTitles).join(", ");
	throw new IntegrationError(`A valid Element name must be provided. The Stripe emulator has ${known}; not ${name}.`);
}
