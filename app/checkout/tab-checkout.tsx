import { useEffect, useEffectEvent } from "react";
import { useMatches, useNavigate, useRevalidator } from "react-router";
import { useShopping } from "#app/basket/app-state.tsx";
import { basketTotal } from "#app/basket/basket.ts";
import { useAnnounce } from "#app/ui/announcer.tsx";
import { formatMoney } from "#app/ui/money.ts";
import { withoutPaid } from "./basket-changes.ts";
import { createCheckout, type Outcome } from "./checkout.ts";
import type { TabCheckout } from "./checkout-provider.tsx";
import { isPaying } from "./purchase.ts";

export const checkingSentence = "We're checking your payment. This page updates automatically. Please don't pay again.";

/** Creates the tab's checkout with the component that applies its outcomes. */
export function openTab(): TabCheckout {
	const checkout = createCheckout({
		fetch: (...request) => fetch(...request),
		// even reading the property can throw
		saved: {
			getItem: (key) => sessionStorage.getItem(key),
			setItem: (key, value) => sessionStorage.setItem(key, value),
			removeItem: (key) => sessionStorage.removeItem(key),
		},
	});

	/** Changes the basket and the page as an outcome requires, and announces it on any page but the payment page, which
	 *  shows the state itself. */
	function Outcomes() {
		const { basket, refill } = useShopping();
		const announce = useAnnounce();
		const navigate = useNavigate();
		const { revalidate } = useRevalidator();
		const isHere = useMatches().at(-1)?.id === "routes/payment";

		const apply = useEffectEvent((outcome: Outcome) => {
			switch (outcome.type) {
				case "resumed":
					if (!isHere) announce(checkingSentence);
					break;
				case "paid": {
					const { items, amount, orderId } = outcome;
					const left = withoutPaid(basket, items);
					refill(left);
					if (isHere && left.length === 0) {
						void navigate("/orders", { replace: true, state: { orderId, amount } });
						break;
					}
					const rest = left.length > 0 ? " Your basket holds only what you have not paid for." : "";
					announce(`Your payment of ${formatMoney(amount)} went through. Thank you for your order.${rest}`);
					if (isHere) checkout.prepare(basketTotal(left));
					break;
				}
				case "not_bought":
					if (outcome.basket) refill(outcome.basket);
					if (outcome.identityChanged) void revalidate();
					if (!isHere) announce(outcome.notice);
			}
		});

		useEffect(() => checkout.onOutcome((outcome) => apply(outcome)), []);
		useEffect(() => {
			addEventListener("online", checkout.checkNow);
			return () => removeEventListener("online", checkout.checkNow);
		}, []);
		return null;
	}

	return { checkout, isPaying: () => isPaying(checkout.getState()), Outcomes };
}
