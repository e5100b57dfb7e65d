import type { ComponentType } from "react";

/** The tab's checkout, as far as every page knows it. */
interface OpenedCheckout {
	checkout: { isPaying(): boolean };
	/** Applies the outcomes of purchases to the shop. */
	Outcomes: ComponentType;
}

// Not React state: an error page unmounts every component, and the payment goes on.
let opened: OpenedCheckout | undefined;
let onOpen: (() => void) | undefined;

export function openCheckout(checkout: OpenedCheckout): void {
	opened = checkout;
	onOpen?.();
}

/** Undefined until the payment page, or a payment that a reload interrupted, has loaded the checkout. */
export function openedCheckout() {
	return opened;
}

/** Calls the listener when the checkout is opened. */
export function subscribeToOpen(listener: () => void): () => void {
	onOpen = listener;
	return () => {
		onOpen = undefined;
	};
}

/** Whether the basket is being paid for, and must not change. */
export function isPaying() {
	return opened?.checkout.isPaying();
}
