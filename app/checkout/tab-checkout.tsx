import { useEffect, useEffectEvent } from "react";
import { useNavigate, useRevalidator } from "react-router";
import { useShopping } from "#app/basket/app-state.tsx";
import { basketTotal } from "#app/basket/basket.ts";
import { saveReceipt } from "#app/orders/saved-receipt.ts";
import { useAnnounce } from "#app/ui/announcer.tsx";
import { formatMoney } from "#app/ui/money.ts";
import { withoutPaid } from "./basket-changes.ts";
import { createCheckout, type Outcome } from "./checkout.ts";
import { openCheckout } from "./opened-checkout.tsx";

/** The tab's only checkout, because modules are evaluated once. */
export const checkout = createCheckout({
	fetch,
	// pass functions, because reading `sessionStorage` throws if storage is denied
	saved: {
		getItem: (key) => sessionStorage.getItem(key),
		setItem: (key, value) => sessionStorage.setItem(key, value),
		removeItem: (key) => sessionStorage.removeItem(key),
	},
	// undefined on an insecure origin
	locks: { request: async (name, hold) => navigator.locks.request(name, hold) },
});

openCheckout({ checkout, Outcomes });

let isFormShown = false;

/** Marks the card form, which displays outcomes itself, as shown. Returns a function that marks it as hidden. */
export function showForm(): () => void {
	isFormShown = true;
	return () => {
		isFormShown = false;
	};
}

/** Applies each outcome to the basket and the page, and announces outcomes that the card form does not show. */
function Outcomes() {
	const { basket, refill, user } = useShopping();
	const announce = useAnnounce();
	const navigate = useNavigate();
	const { revalidate } = useRevalidator();

	function finish({ items, amount, orderId }: Extract<Outcome, { type: "paid" }>) {
		const left = withoutPaid(basket, items);
		refill(left);
		const rest = left.length > 0 ? " The other items in your basket haven't been paid for." : "";
		announce(`Your payment of ${formatMoney(amount)} went through. Thank you for your order!${rest}`);
		if (isFormShown && left.length === 0) {
			if (user === null) saveReceipt({ id: orderId, amount, basket: items });
			void navigate("/orders", { replace: true, state: { id: orderId.slice(-8) } });
		} else if (isFormShown) checkout.prepare(basketTotal(left));
	}

	const apply = useEffectEvent((outcome: Outcome) => {
		if (outcome.type === "paid") return finish(outcome);
		if (outcome.type === "not_bought") {
			if (outcome.basket) refill(outcome.basket);
			if (outcome.identityChanged) void revalidate();
		}
		if (!isFormShown) announce(outcome.notice);
	});

	useEffect(() => checkout.onOutcome((outcome) => apply(outcome)), []);
	useEffect(() => {
		addEventListener("online", checkout.checkNow);
		return () => removeEventListener("online", checkout.checkNow);
	}, []);
	return null;
}
