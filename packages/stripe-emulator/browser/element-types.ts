import { IntegrationError } from "./integration-error.ts";

/** The titles of the frames of card Elements, which the page's own styles color. */
const cardTitles = {
	card: "Secure card payment input frame",
	cardNumber: "Secure card number input frame",
	cardExpiry: "Secure expiration date input frame",
	cardCvc: "Secure CVC input frame",
} as const;

/** The titles of the frames with labeled fields, which the `appearance` of their group styles. */
const formTitles = {
	payment: "Secure payment input frame",
	linkAuthentication: "Secure email input frame",
	address: "Secure address input frame",
} as const;

/** The names of the supported Elements. */
export const elementTypes = [...Object.keys(cardTitles), ...Object.keys(formTitles), "expressCheckout"];

export type CardElementType = keyof typeof cardTitles;
export type FormElementType = keyof typeof formTitles;
/** The Elements that have a frame. */
export type ElementType = CardElementType | FormElementType;

export function isCardElementType(name: string): name is CardElementType {
	return Object.hasOwn(cardTitles, name);
}

export function isFormElementType(name: string): name is FormElementType {
	return Object.hasOwn(formTitles, name);
}

/** Returns the title of the Element's frame. */
export function titleOf(type: ElementType): string {
	return isCardElementType(type) ? cardTitles[type] : formTitles[type];
}

/** Returns the Element's name, given the name or its React component. */
export function nameOf(value: unknown): string {
	const component = typeof value === "function" || (typeof value === "object" && value !== null);
	return String(component && "__elementType" in value ? value.__elementType : value);
}

/** Throws an IntegrationError for an unsupported Element. */
export function requireElementType(name: string): ElementType {
	if (isCardElementType(name) || isFormElementType(name)) return name;
	const known = elementTypes.join(", ");
	throw new IntegrationError(
		`A valid Element name must be provided. The Stripe emulator supports ${known}, not ${name}.`,
	);
}
