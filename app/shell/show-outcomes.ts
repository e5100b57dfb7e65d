import { useEffect, useEffectEvent } from "react";
import { useNavigate, useRevalidator } from "react-router";
import { checkingNotice } from "#app/tab/purchase.ts";
import { tab } from "#app/tab/tab.ts";
import { announce } from "#app/ui/announcer.tsx";
import { formatMoney } from "#app/ui/money.ts";

/** Announces the outcome of a purchase on any page, unless the card form shows it, and leads from a paid basket to its
 *  receipt. */
export function useShowOutcomes(): void {
	const navigate = useNavigate();
	const { revalidate } = useRevalidator();
	const show = useEffectEvent(() => {
		const { outcome, basket, isFormShown } = tab.getState();
		if (!outcome) return;
		tab.dispatch({ type: "outcome_shown" });
		if (outcome.type === "paid") {
			const rest = basket.length > 0 ? " The other items in your basket haven't been paid for." : "";
			announce(`Your payment of ${formatMoney(outcome.order.amount)} went through.${rest}`, {
				isKept: true,
			});
			if (isFormShown && basket.length === 0) void navigate("/orders", { replace: true });
			return;
		}
		if (outcome.type === "not_bought" && outcome.identityChanged) void revalidate();
		if (!isFormShown) announce(outcome.type === "resumed" ? checkingNotice : outcome.notice, { isKept: true });
	});
	useEffect(() => {
		const unsubscribe = tab.subscribe(() => show());
		show();
		return unsubscribe;
	}, []);
}
