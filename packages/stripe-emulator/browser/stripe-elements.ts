import type { StripeElementsOptions, StripeElementsUpdateOptions, StripeError } from "@stripe/stripe-js";
import { isFormElementType, nameOf, requireElementType } from "./element-types.ts";
import { ExpressCheckoutElement } from "./express-checkout-element.ts";
import type { FormOptions } from "./form-options.ts";
import { IntegrationError } from "./integration-error.ts";
import { requireIntentPath, retrieve } from "./intents.ts";
import type { ElementOptions } from "./messages.ts";
import { StripeElement } from "./stripe-element.ts";

/** The options of elements() that need data which the emulator does not have. */
const unsupported = ["customerOptions", "customerSessionClientSecret", "customPaymentMethods"];

/** A group of Elements, at most one of each type. */
export class StripeElements {
	readonly #key: string;
	readonly #elements = new Map<string, StripeElement | ExpressCheckoutElement>();
	readonly #updated: (() => void)[] = [];
	#options: StripeElementsOptions;
	/** Whether the group's PaymentIntent saves the card. */
	#isReused = false;
	/** Whether submit() has succeeded. */
	submitted = false;

	/** Throws an IntegrationError for invalid options. */
	constructor(key: string, options: StripeElementsOptions) {
		this.#key = key;
		this.#options = { ...options };
		const { clientSecret, mode } = options;
		const found = unsupported.find((name) => Reflect.get(options, name) !== undefined);
		if (found) throw new IntegrationError(`The Stripe emulator does not support elements({ ${found} }). Leave it out.`);
		if (clientSecret !== undefined) requireIntentPath(clientSecret);
		if (mode === undefined) return;
		if (clientSecret !== undefined)
			throw new IntegrationError("Pass either clientSecret or mode to elements(), not both.");
		if (!["payment", "setup", "subscription"].includes(mode)) {
			throw new IntegrationError(`elements(): mode should be payment, setup or subscription, not ${mode}.`);
		}
		const { allowedPaymentMethodTypes: allowed, excludedPaymentMethodTypes: excluded } = options;
		if ((allowed && !allowed.includes("card")) || excluded?.includes("card")) {
			throw new IntegrationError("elements(): the Stripe emulator supports only the payment method type card.");
		}
		this.#requireAmount();
	}

	/** Creates an Element. Throws an IntegrationError if the type is not supported or if the group already has an
	 *  Element of this type. */
	create(nameOrComponent: unknown, options: ElementOptions = {}): StripeElement | ExpressCheckoutElement {
		const name = nameOf(nameOrComponent);
		if (this.#elements.has(name)) throw new IntegrationError(`Can only create one ${name} Element at a time.`);
		const element =
			name === "expressCheckout"
				? new ExpressCheckoutElement(() => this.#elements.delete(name))
				: new StripeElement(requireElementType(name), options, this);
		if (name === "payment" && this.clientSecret === undefined && !this.isDeferred) {
			throw new IntegrationError(
				"A payment Element needs a clientSecret or a mode: pass one of them to stripe.elements().",
			);
		}
		this.#elements.set(name, element);
		return element;
	}

	getElement(nameOrComponent: unknown): StripeElement | ExpressCheckoutElement | null {
		return this.#elements.get(nameOf(nameOrComponent)) ?? null;
	}

	/** Returns the mounted Element of this type, or undefined. */
	mounted(type: string): StripeElement | undefined {
		const element = this.#elements.get(type);
		return element instanceof StripeElement && element.mounted ? element : undefined;
	}

	on(_event: "update-end", handler: () => void): void {
		this.#updated.push(handler);
	}

	/** Changes options of the group, such as the appearance, and sends them to its Elements. */
	async update(options: StripeElementsUpdateOptions): Promise<void> {
		Object.assign(this.#options, options);
		if (this.isDeferred) this.#requireAmount();
		for (const type of this.#elements.keys()) if (isFormElementType(type)) this.mounted(type)?.sendOptions();
		for (const handler of this.#updated) handler();
	}

	/** Validates every mounted Element. Resolves to the first error, or to the selected payment method if the group has a
	 *  Payment Element. */
	async submit(): Promise<{ error?: StripeError; selectedPaymentMethod?: string }> {
		const mounted = [...this.#elements.keys()].flatMap((type) => this.mounted(type) ?? []);
		const results = await Promise.all(mounted.map((element) => element.request({ say: "check" })));
		const error = results.find((result) => result.error)?.error;
		if (error) return { error };
		this.submitted = true;
		return this.mounted("payment") ? { selectedPaymentMethod: "card" } : {};
	}

	/** Retrieves the group's intent again. */
	async fetchUpdates(): Promise<{ error?: { message: string; status?: string } }> {
		const error = await this.findError();
		return error ? { error: { message: error.message ?? "" } } : {};
	}

	/** Resolves to an error if the group's intent cannot be retrieved or can no longer be confirmed. */
	async findError(): Promise<StripeError | undefined> {
		if (this.clientSecret === undefined) return undefined;
		const { done, error } = await retrieve(this.#key, this.clientSecret);
		if (done?.object === "payment_intent" && done.setup_future_usage) {
			this.#isReused = true;
			this.mounted("payment")?.sendOptions();
		}
		if (error || !["succeeded", "canceled"].includes(done.status)) return error;
		const message = `The intent of this Payment Element is ${done.status} and can no longer be confirmed.`;
		return { type: "invalid_request_error", code: `${done.object}_unexpected_state`, message };
	}

	get clientSecret(): string | undefined {
		return this.#options.clientSecret;
	}

	/** Whether the group was created with a mode, before its intent. */
	get isDeferred(): boolean {
		return this.#options.mode !== undefined;
	}

	get createsPaymentMethods(): boolean {
		return this.#options.paymentMethodCreation === "manual";
	}

	get locale(): string {
		const { locale = "auto" } = this.#options;
		return locale === "auto" ? navigator.language : locale;
	}

	get formOptions(): FormOptions {
		const { appearance, clientSecret, mode } = this.#options;
		const usage = "setup_future_usage" in this.#options ? this.#options.setup_future_usage : undefined;
		const later = "setupFutureUsage" in this.#options ? this.#options.setupFutureUsage : undefined;
		const isSetup = mode === "setup" || mode === "subscription" || clientSecret?.startsWith("seti_");
		return { ...(appearance && { appearance }), isReused: isSetup || this.#isReused || Boolean(usage ?? later) };
	}

	get brand() {
		return this.mounted("cardNumber")?.brand ?? "unknown";
	}

	sendBrand(): void {
		this.mounted("cardCvc")?.sendBrand();
	}

	forget(element: StripeElement): void {
		if (this.#elements.get(element.type) === element) this.#elements.delete(element.type);
	}

	#requireAmount(): void {
		const { mode, amount, currency }: { mode?: unknown; amount?: unknown; currency?: unknown } = this.#options;
		if (mode !== "setup" && !(Number.isInteger(amount) && Number(amount) >= 0)) {
			throw new IntegrationError("elements(): amount should be a whole number in the currency's smallest unit.");
		}
		if (mode !== "setup" && !/^[a-z]{3}$/.test(String(currency))) {
			throw new IntegrationError("elements(): currency should be a three-letter code in lowercase, such as usd.");
		}
	}
}
