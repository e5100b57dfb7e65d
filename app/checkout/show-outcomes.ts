import { useEffect, useEffectEvent } from "react";
import { useNavigate, useRevalidator } from "react-router";
import { checkingNotice, paidNotice } from "#app/tab/purchase.ts";
import { tab, useTab } from "#app/tab/tab.ts";
import { justPaid } from "#app/tab/tab-state.ts";
import { announce } from "#app/ui/announcer.tsx";

/** Announces the outcome of a purchase on any page, unless the card form shows it, and replaces the card form with the
 *  receipt once the whole basket is paid. */
export function useShowOutcomes(): void {
	const navigate = useNavigate();
	const { revalidate } = useRevalidator();
	const isPaid = useTab((state) => justPaid(state) !== null);
	const show = useEffectEvent(() => {
		const state = tab.getState();
		const { outcome, basket, isFormShown } = state;
		// if the receipt cannot be opened, the message is shown when the form is left
		if (!outcome || justPaid(state)) return;
		tab.dispatch({ type: "outcome_shown" });
		if (outcome.type === "paid") {
			const rest = basket.length > 0 ? " The other items in your basket haven't been paid for." : "";
			announce(`${paidNotice(outcome.order)}${rest}`, { stays: "navigation" });
			return;
		}
		if (outcome.type === "not_bought" && outcome.identityChanged) void revalidate();
		if (!isFormShown) announce(outcome.type === "resumed" ? checkingNotice : outcome.text, { stays: "navigation" });
	});
	useEffect(() => {
		const unsubscribe = tab.subscribe(() => show());
		show();
		return unsubscribe;
	}, []);
	useEffect(() => {
		if (isPaid) void navigate("/orders", { replace: true });
	}, [isPaid, navigate]);
}
