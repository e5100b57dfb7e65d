import { CardElement, Elements, useElements, useStripe } from "@stripe/react-stripe-js";
import type { Stripe, StripeCardElementChangeEvent, StripeCardElementOptions } from "@stripe/stripe-js";
import { type FormEvent, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useShopping } from "#app/basket/app-state.tsx";
import { basketTotal } from "#app/basket/basket.ts";
import { formatMoney } from "#app/ui/money.ts";
import { getStripe } from "./load-stripe.ts";
import { idle, mustStay, type Purchase } from "./purchase.ts";
import { checkout, showForm } from "./tab-checkout.tsx";
import { useStayWhile } from "./use-stay-while.ts";

interface StripeScript {
	publishableKey: string;
	scriptUrl: string | null;
}

/** The card input, the total and Buy Now. */
export function CardForm(script: StripeScript) {
	const { basket } = useShopping();
	const { stripe, failed, retry } = useStripeScript(script);
	const purchase = usePurchase(basketTotal(basket));
	useEffect(showForm, []);
	if (failed) {
		return (
			<div>
				<div role="alert">
					<p className="error">The payment form could not be loaded. Your basket is unchanged.</p>
					<button type="button" className="button" onClick={retry}>
						Try again
					</button>
				</div>
				<CheckingStatus purchase={purchase} />
			</div>
		);
	}
	return (
		<Elements stripe={stripe}>
			<BuyForm purchase={purchase} />
		</Elements>
	);
}

function CheckingStatus({ purchase }: { purchase: Purchase }) {
	return <p role="status">{purchase.phase === "checking" && purchase.notice}</p>;
}

function BuyForm({ purchase }: { purchase: Purchase }) {
	const { basket, user } = useShopping();
	const total = basketTotal(basket);
	const stripe = useStripe();
	const elements = useElements();
	const [card, setCard] = useState<Pick<StripeCardElementChangeEvent, "complete" | "error">>();
	const options = useMemo(cardOptions, []);
	const { notice, failure } = purchase.phase === "idle" ? purchase : nothing;
	const message = notice ?? failure ?? card?.error?.message;
	const ready = stripe !== null && card?.complete === true && checkout.canBuy(total);
	const button = useRef<HTMLButtonElement>(null);
	// the keyboard focus leaves a button that is disabled, as Buy Now was during the attempt
	useEffect(() => {
		if (ready && notice && document.activeElement === document.body) button.current?.focus();
	}, [ready, notice]);

	function submit(event: FormEvent) {
		event.preventDefault();
		const element = elements?.getElement(CardElement);
		if (ready && element) checkout.buy({ stripe, card: element, items: basket, customer: user });
	}

	return (
		<form onSubmit={submit}>
			<div className="field">
				<CardElement options={options} onChange={setCard} />
			</div>
			<div role="alert">
				{message && <p className="error">{message}</p>}
				{failure && (
					<button type="button" className="button" onClick={() => checkout.prepare(total)}>
						Try again
					</button>
				)}
			</div>
			<p className="total">
				Order Total: <b>{formatMoney(total)}</b>
			</p>
			<button type="submit" ref={button} className="button main" disabled={!ready}>
				{purchase.phase === "idle" ? "Buy Now" : "Processing"}
			</button>
			<CheckingStatus purchase={purchase} />
		</form>
	);
}

const nothing = { notice: null, failure: null };

/** The state of the tab's purchase. An intent for a total in cents is kept ready, and while an order is being placed and
 *  confirmed the shopper is kept on the page. */
function usePurchase(total: number): Purchase {
	const purchase = useSyncExternalStore(checkout.subscribe, checkout.getState, () => idle);
	useEffect(() => checkout.prepare(total), [total]);
	useEffect(() => checkout.leave, []);
	useStayWhile(mustStay(purchase), checkout.mustStay);
	return purchase;
}

/** Stripe.js, null until it is loaded. */
function useStripeScript({ publishableKey, scriptUrl }: StripeScript) {
	const [stripe, setStripe] = useState<Stripe | null>(null);
	const [failed, setFailed] = useState(false);
	useEffect(() => {
		if (failed) return;
		let left = false;
		getStripe(publishableKey, scriptUrl).then(
			(loaded) => left || setStripe(loaded),
			() => left || setFailed(true),
		);
		return () => {
			left = true;
		};
	}, [publishableKey, scriptUrl, failed]);
	return { stripe, failed, retry: () => setFailed(false) };
}

/** The theme's colors for the card input: our stylesheet does not reach into its frame. */
function cardOptions(): StripeCardElementOptions {
	const theme = typeof document === "undefined" ? null : getComputedStyle(document.documentElement);
	const color = (name: string) => theme?.getPropertyValue(name) ?? "";
	return {
		hidePostalCode: true,
		disableLink: true,
		style: {
			base: {
				color: color("--ink"),
				iconColor: color("--muted"),
				fontSize: "16px",
				"::placeholder": { color: color("--muted") },
			},
			invalid: { color: color("--bad"), iconColor: color("--bad") },
		},
	};
}
