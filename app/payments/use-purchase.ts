import type { Stripe, StripeCardElement } from "@stripe/stripe-js";
import { useEffect, useRef, useState } from "react";
import { useNavigate, useRevalidator } from "react-router";
import { useShopping } from "#app/basket/app-state.tsx";
import { type BasketItem, basketTotal, withoutPaid } from "#app/basket/basket.ts";
import { useAnnounce } from "#app/ui/announcer.tsx";
import { formatMoney } from "#app/ui/money.ts";
import { type Bought, buy } from "./buy.ts";
import { outcomeOf } from "./payment-api.ts";
import { forgetPaymentIntent, rememberBuying, usePaymentIntent } from "./use-payment-intent.ts";
import { useStayWhile } from "./use-stay-while.ts";

/** The one look at a payment that goes on, on whatever page its shopper is. */
let looking = new AbortController();
const stillHere = "What you have put into the basket since is still here, and not paid for.";

/** A purchase on this page, from the client secret to /orders. The basket is emptied only when the order is paid; until
 *  that is known it is locked, and in every other case it is kept. */
export function usePurchase(total: number) {
	const { basket, user, empty, refill, locked, setLocked } = useShopping();
	const [phase, setPhase] = useState<"idle" | "processing" | "checking" | "done">(locked ? "checking" : "idle");
	const [problem, setProblem] = useState<string | null>(null);
	const announce = useAnnounce();
	const isHere = useRef(true);
	const isBuying = useRef(false);
	const navigate = useNavigate();
	const { revalidate } = useRevalidator();
	const { asked, askAgain, clientSecret } = usePaymentIntent(total, phase === "idle");
	const inProgress = asked !== null && "inProgress" in asked;
	const release = useStayWhile(phase === "processing");

	/** On this page, or on the one to which the shopper has gone on. */
	function say(message: string) {
		if (isHere.current) setProblem(message);
		else announce(message);
	}

	/** Every way a try can end. */
	function finish(bought: Bought, orderId: string) {
		if (bought === "checking") {
			setPhase("checking");
			return;
		}
		setLocked(false);
		if (bought === "paid") {
			const paid = forgetPaymentIntent();
			const left = withoutPaid(basket, paid);
			const amount = basketTotal(paid);
			if (left.length > 0) {
				refill(left);
				setPhase("idle");
				say(`Your earlier payment of ${formatMoney(amount)} went through; it is among your orders. ${stillHere}`);
				return;
			}
			release();
			setPhase("done");
			setProblem(null);
			empty();
			if (isHere.current) void navigate("/orders", { replace: true, state: { orderId, amount } });
			else announce(`Your payment of ${formatMoney(amount)} went through; it is among your orders.`);
			return;
		}
		setPhase("idle");
		if (bought === "refunded") {
			forgetPaymentIntent();
			say("Your payment was given back, and nothing was bought. Your basket is kept.");
			return;
		}
		if ("prices" in bought) {
			const { items, message } = reprice(basket, bought.prices);
			refill(items);
			say(message);
			return;
		}
		say(bought.problem);
		if ("outdated" in bought) {
			askAgain();
			if (bought.outdated === "customer") void revalidate();
		}
	}

	async function buyNow(stripe: Stripe, card: StripeCardElement) {
		// the phase as rendered is not enough: two submits may come before the next render
		if (phase !== "idle" || isBuying.current || !clientSecret) return;
		isBuying.current = true;
		setPhase("processing");
		setProblem(null);
		setLocked(true);
		rememberBuying(basket);
		const productIds = basket.map(({ id }) => id);
		const bought = await buy({ stripe, card, clientSecret, productIds, customer: user });
		isBuying.current = false;
		finish(bought, idOf(clientSecret));
	}

	const check = useRef(finish);
	check.current = finish;
	useEffect(() => {
		if (inProgress) {
			setLocked(true);
			setPhase("checking");
		}
	}, [inProgress, setLocked]);
	useEffect(() => {
		isHere.current = true;
		return () => {
			isHere.current = false;
		};
	}, []);
	useEffect(() => {
		if (phase !== "checking" || !clientSecret) return;
		looking.abort();
		looking = new AbortController();
		// leaving the page ends nothing: the basket is locked until this is known
		void outcomeOf(clientSecret, looking.signal).then((settled) => {
			if (settled === "not_paid")
				check.current({ problem: "The payment did not go through. Nothing was charged." }, "");
			else if (settled) check.current(settled, idOf(clientSecret));
		});
	}, [phase, clientSecret]);

	const failedToAsk = asked && "problem" in asked ? asked.problem : null;
	return {
		phase,
		problem: problem ?? failedToAsk,
		canBuy: phase === "idle" && basket.length > 0 && asked !== null && "clientSecret" in asked,
		buyNow,
		askAgain: failedToAsk ? askAgain : null,
	};
}

/** The same items at today's prices, and a sentence that says which have changed. */
function reprice(basket: BasketItem[], prices: Record<string, number>) {
	const items = basket.map((item) => ({ ...item, priceCents: prices[item.id] ?? item.priceCents }));
	const changed = new Map<string, string>();
	for (const [index, { id, title, priceCents }] of items.entries()) {
		if (basket[index]?.priceCents !== priceCents) changed.set(id, `${title} now costs ${formatMoney(priceCents)}.`);
	}
	const message = `${[...changed.values()].join(" ")} Nothing was charged; please look at the new total.`;
	return { items, message: message.trim() };
}

function idOf(clientSecret: string): string {
	return clientSecret.split("_secret_")[0] ?? clientSecret;
}
