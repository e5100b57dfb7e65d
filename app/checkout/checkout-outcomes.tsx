import { useSyncExternalStore } from "react";
import { openedCheckout, subscribeToOpen } from "./opened-checkout.ts";

/** Is rendered above all routes, and applies the outcomes of the tab's purchases wherever the shopper is. The checkout opens
 *  with the code of the payment page, which every page imports when the browser is idle; it resumes a payment that a
 *  reload interrupted. */
export function CheckoutOutcomes() {
	const opened = useSyncExternalStore(subscribeToOpen, openedCheckout, openedCheckout);
	return opened && <opened.Outcomes />;
}
