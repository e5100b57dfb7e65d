import { IntegrationError } from "./integration-error.ts";
import type { ElementOptions } from "./messages.ts";
import { StripeElement } from "./stripe-element.ts";

/** A group of Elements, which can contain one CardElement. */
export class StripeElements {
	#card: StripeElement | null = null;

	/** Creates the CardElement. Throws an IntegrationError for any other Element, or if the group already has one. */
	create(nameOrComponent: unknown, options: ElementOptions = {}): StripeElement {
		const name = elementName(nameOrComponent);
		if (name !== "card") {
			throw new IntegrationError(`The Stripe emulator does not support the Element ${name}. It supports card.`);
		}
		if (this.#card) throw new IntegrationError("Can only create one card Element at a time.");
		this.#card = new StripeElement(options, () => {
			this.#card = null;
		});
		return this.#card;
	}

	getElement(nameOrComponent: unknown): StripeElement | null {
		return elementName(nameOrComponent) === "card" ? this.#card : null;
	}

	// called by Stripe's React components
	async update(_options: object): Promise<void> {}
}

/** Returns an Element's name, given the name or its React component. */
function elementName(value: unknown): string {
	const component = typeof value === "function" || (typeof value === "object" && value !== null);
	return String(component && "__elementType" in value ? value.__elementType : value);
}
