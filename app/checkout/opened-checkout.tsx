import { type ComponentType, useSyncExternalStore } from "react";

/** The parts of the tab's checkout that pages other than /payment use. */
interface OpenedCheckout {
	checkout: { isPaying(): boolean; mustStay(): boolean; subscribe(listener: () => void): () => void };
	/** Updates the basket and the page after each outcome of a purchase. */
	Outcomes: ComponentType;
}

/** Undefined until the payment page's code has been imported. Every page imports it when the browser is idle. */
let opened: OpenedCheckout | undefined;
let onOpen: (() => void) | undefined;

export function openCheckout(checkout: OpenedCheckout): void {
	opened = checkout;
	onOpen?.();
}

/** Applies the outcomes of the tab's purchases on any page, including a purchase that a reload interrupted. Rendered
 *  above all routes. */
export function CheckoutOutcomes() {
	const checkout = useSyncExternalStore(subscribeToOpen, getOpened, getOpened);
	return checkout && <checkout.Outcomes />;
}

const getOpened = () => opened;

function subscribeToOpen(listener: () => void): () => void {
	onOpen = listener;
	return () => {
		onOpen = undefined;
	};
}

/** Returns whether the basket is being paid for and must not change. */
export function isPaying(): boolean {
	return opened?.checkout.isPaying() ?? false;
}

/** Returns `isPaying` as React state. */
export function useIsPaying(): boolean {
	return useSyncExternalStore(subscribe, isPaying, isPaying);
}

const subscribe = (listener: () => void) => opened?.checkout.subscribe(listener) ?? (() => {});

/** Returns whether leaving the page or signing out would interrupt the shopper's payment. */
export function mustStay() {
	return opened?.checkout.mustStay();
}

export const stayNotice = "Your payment is being processed. Please stay on this page until it's done.";
