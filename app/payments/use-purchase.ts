import type { Stripe, StripeCardElement } from "@stripe/stripe-js";
import { useEffect, useRef, useState } from "react";
import { useBlocker, useNavigate, useRevalidator } from "react-router";
import { useShopping } from "#app/basket/app-state.tsx";
import { type BasketItem, basketTotal, withoutPaid } from "#app/basket/basket.ts";
import { useAnnounce } from "#app/ui/announcer.tsx";
import { formatMoney } from "#app/ui/money.ts";
import { type Bought, buy } from "./buy.ts";
import { settlePayment } from "./payment-api.ts";
import { forgetPaymentIntent, rememberBuying, usePaymentIntent } from "./use-payment-intent.ts";

/** Milliseconds between two looks at a payment that is being checked. */
const checkInterval = 2500;
const stillHere = "What you have put into the basket since is still here, and not paid for.";

/** A purchase on this page, from the client secret to /orders. The basket is emptied only when the order is paid; until
 *  that is known it is locked, and in every other case it is kept. */
export function usePurchase(total: number) {
	const { basket, user, empty, refill, locked, setLocked } = useShopping();
	const [phase, setPhase] = useState<"idle" | "processing" | "checking" | "done">(locked ? "checking" : "idle");
	const [problem, setProblem] = useState<string | null>(null);
	const navigate = useNavigate();
	const { revalidate } = useRevalidator();
	const { asked, askAgain, clientSecret } = usePaymentIntent(total, phase === "idle");
	const inProgress = asked !== null && "inProgress" in asked;
	const release = useStayWhile(phase === "processing");

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
				setProblem(
					`Your earlier payment of ${formatMoney(amount)} went through; it is among your orders. ${stillHere}`,
				);
				return;
			}
			release();
			setPhase("done");
			setProblem(null);
			empty();
			void navigate("/orders", { replace: true, state: { orderId, amount } });
			return;
		}
		setPhase("idle");
		if (bought === "refunded") {
			forgetPaymentIntent();
			setProblem("Your payment was given back, and nothing was bought. Your basket is kept.");
			return;
		}
		if ("prices" in bought) {
			const { items, message } = reprice(basket, bought.prices);
			refill(items);
			setProblem(message);
			return;
		}
		setProblem(bought.problem);
		if ("outdated" in bought) {
			askAgain();
			if (bought.outdated === "customer") void revalidate();
		}
	}

	async function buyNow(stripe: Stripe, card: StripeCardElement) {
		if (phase !== "idle" || !clientSecret) return;
		setPhase("processing");
		setProblem(null);
		setLocked(true);
		rememberBuying(basket);
		const productIds = basket.map(({ id }) => id);
		finish(await buy({ stripe, card, clientSecret, productIds, customer: user }), idOf(clientSecret));
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
		if (phase !== "checking" || !clientSecret) return;
		let left = false;
		let timer: ReturnType<typeof setTimeout>;
		async function look(secret: string) {
			const settled = await settlePayment(secret);
			if (left) return;
			if (settled === "checking") timer = setTimeout(look, checkInterval, secret);
			else if (settled === "not_paid")
				check.current({ problem: "The payment did not go through. Nothing was charged." }, "");
			else check.current(settled, idOf(secret));
		}
		void look(clientSecret);
		return () => {
			left = true;
			clearTimeout(timer);
		};
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

/** While `busy`, links of the shop stay where they are and say why, and leaving the site asks first. The function it
 *  returns lets go before the next render does. */
function useStayWhile(busy: boolean): () => void {
	const staying = useRef(busy);
	staying.current = busy;
	const announce = useAnnounce();
	const blocker = useBlocker(() => staying.current);
	useEffect(() => {
		if (blocker.state !== "blocked") return;
		blocker.reset();
		announce("Your payment is being processed. Please stay on this page until it is done.");
	}, [blocker, announce]);
	useEffect(() => {
		if (!busy) return;
		const ask = (event: BeforeUnloadEvent) => event.preventDefault();
		addEventListener("beforeunload", ask);
		return () => removeEventListener("beforeunload", ask);
	}, [busy]);
	return () => {
		staying.current = false;
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
