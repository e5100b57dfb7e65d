import { useEffect, useSyncExternalStore } from "react";
import { openedCheckout, subscribeToOpen } from "./opened-checkout.ts";

/** Stands above all routes, and applies the outcomes of the tab's purchases wherever the shopper is. The checkout comes
 *  with the payment page; other pages load it only to resume a payment that a reload interrupted. */
export function CheckoutOutcomes() {
	const opened = useSyncExternalStore(subscribeToOpen, openedCheckout, openedCheckout);
	// if this fails, the payment page resumes it
	useEffect(() => void resumeInterrupted().catch(() => {}), []);
	return opened && <opened.Outcomes />;
}

/** Where storage is denied, even reading the property throws. */
const resumeInterrupted = async () => "purchase" in sessionStorage && import("./tab-checkout.tsx");
