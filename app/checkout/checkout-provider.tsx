import { createContext, type ReactNode, use, useEffect, useState } from "react";

/** The tab's checkout and the component that applies its outcomes to the shop. */
type TabCheckout = typeof import("./tab-checkout.tsx");

/** Not React state: an error page unmounts every provider, and the payment goes on. */
let opened: TabCheckout | undefined;

/** Loads the tab's checkout. Only the payment page needs it, and a page on which a payment is resumed. */
export async function openCheckout(): Promise<TabCheckout> {
	opened = await import("./tab-checkout.tsx");
	return opened;
}

/** Whether the basket is being paid for, and must not change. */
export function isPaying() {
	return opened?.checkout.isPaying();
}

const CheckoutContext = createContext<[TabCheckout?, ((opened: TabCheckout) => void)?]>([]);

/** The tab's checkout, undefined until it is loaded, and a function that hands it to the provider. */
export function useCheckout() {
	return use(CheckoutContext);
}

/** Holds the tab's checkout above all routes. */
export function CheckoutProvider({ children }: { children: ReactNode }) {
	const [held, hold] = useState(opened);
	useEffect(() => void resume().then(hold, () => {}), []);
	return (
		<CheckoutContext value={[held, hold]}>
			{children}
			{held && <held.Outcomes />}
		</CheckoutContext>
	);
}

/** Loads the checkout if a reload interrupted a payment. If this fails, the payment page tries again. */
async function resume() {
	return "purchase" in sessionStorage ? openCheckout() : opened;
}
