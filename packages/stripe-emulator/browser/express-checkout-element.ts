import { ElementEvents } from "./element-events.ts";

/** The Express Checkout Element, which stays empty: the emulator has no wallets. */
export class ExpressCheckoutElement extends ElementEvents {
	readonly #forget: () => void;

	/** `forget` is called when the Element is destroyed. */
	constructor(forget: () => void) {
		super("expressCheckout");
		this.#forget = forget;
	}

	mount(_target: string | HTMLElement): void {
		queueMicrotask(() => this.emit("ready", { availablePaymentMethods: undefined }));
	}

	unmount(): void {}

	destroy(): void {
		this.#forget();
	}

	update(_options: object): void {}
}
