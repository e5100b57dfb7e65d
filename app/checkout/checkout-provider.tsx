import { type ComponentType, createContext, type ReactNode, use, useCallback, useEffect, useState } from "react";
import type { Checkout } from "./checkout.ts";

/** This tab's checkout, as loaded with ./tab-checkout.tsx. */
export interface TabCheckout {
	checkout: Checkout;
	isPaying(): boolean;
	/** Applies the outcomes to the shop. */
	Outcomes: ComponentType;
}

/** Not React state: an error page unmounts every provider, and the payment goes on. */
let tab: TabCheckout | null = null;

/** Whether the basket is being paid for. */
export function isPaying(): boolean {
	return tab?.isPaying() ?? false;
}

const CheckoutContext = createContext<[Checkout | undefined, () => Promise<void>]>([undefined, async () => {}]);

/** The tab's checkout, undefined until it is loaded, and a function that loads it. */
export function useCheckout() {
	return use(CheckoutContext);
}

/** Holds the checkout above all routes, from the first visit to the payment page on. */
export function CheckoutProvider({ children }: { children: ReactNode }) {
	const [held, hold] = useState(tab);
	const open = useCallback(async () => {
		const { openTab } = await import("./tab-checkout.tsx");
		tab ??= openTab();
		hold(tab);
	}, []);

	useEffect(() => {
		try {
			// a reload interrupted a payment; if this fails, the payment page tries again
			if (sessionStorage["purchase"]) open().catch(() => {});
		} catch {}
	}, [open]);

	return (
		<CheckoutContext value={[held?.checkout, open]}>
			{children}
			{held && <held.Outcomes />}
		</CheckoutContext>
	);
}
