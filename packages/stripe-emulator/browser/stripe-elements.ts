import type { StripeError } from "@stripe/stripe-js";
import { nameOf, requireElementType } from "./element-types.ts";
import { IntegrationError } from "./integration-error.ts";
import type { ElementOptions } from "./messages.ts";
import { StripeElement } from "./stripe-element.ts";

/** A group of Elements, at most one of each type. */
export class StripeElements {
	readonly #elements = new Map<string, StripeElement>();

	/** Creates an Element. Throws an IntegrationError if the type is not supported or if the group already has an
	 *  Element of this type. */
	create(nameOrComponent: unknown, options: ElementOptions = {}): StripeElement {
		const type = requireElementType(nameOf(nameOrComponent));
		if (this.#elements.has(type)) throw new IntegrationError(`Can only create one ${type} Element at a time.`);
		const element = new StripeElement(type, options, this);
		this.#elements.set(type, element);
		return element;
	}

	getElement(nameOrComponent: unknown): StripeElement | null {
		return this.#elements.get(nameOf(nameOrComponent)) ?? null;
	}

	async update(_options: object): Promise<void> {}

	/** Validates every mounted Element and returns the first error. */
	async submit(): Promise<{ error?: StripeError }> {
		const mounted = [...this.#elements.values()].filter((element) => element.mounted);
		const results = await Promise.all(mounted.map((element) => element.request({ say: "check" })));
		const error = results.find((result) => result.error)?.error;
		return error ? { error } : {};
	}

	async fetchUpdates(): Promise<object> {
		return {};
	}

	get brand() {
		return this.#elements.get("cardNumber")?.brand ?? "unknown";
	}

	sendBrand(): void {
		this.#elements.get("cardCvc")?.sendBrand();
	}

	forget(element: StripeElement): void {
		if (this.#elements.get(element.type) === element) this.#elements.delete(element.type);
	}
}
