import { CardElement, Elements, useElements, useStripe } from "@stripe/react-stripe-js";
import type { Stripe, StripeCardElementChangeEvent, StripeCardElementOptions } from "@stripe/stripe-js";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { useShopping } from "#app/basket/app-state.tsx";
import { basketTotal } from "#app/basket/basket.ts";
import { formatMoney } from "#app/ui/money.ts";
import { getStripe } from "./load-stripe.ts";
import { usePurchase } from "./use-purchase.ts";

interface StripeScript {
	publishableKey: string;
	scriptUrl: string | null;
}

/** The card input, the total and Buy Now. */
export function CardForm(script: StripeScript) {
	const { stripe, failed, retry } = useStripeScript(script);
	if (failed) {
		return (
			<div role="alert">
				<p className="error">The payment form could not be loaded. Your basket is kept and nothing was charged.</p>
				<button type="button" className="button" onClick={retry}>
					Try again
				</button>
			</div>
		);
	}
	return (
		<Elements stripe={stripe}>
			<BuyForm />
		</Elements>
	);
}

function BuyForm() {
	const { basket } = useShopping();
	const total = basketTotal(basket);
	const stripe = useStripe();
	const elements = useElements();
	const [card, setCard] = useState<Pick<StripeCardElementChangeEvent, "complete" | "error">>();
	const options = useMemo(cardOptions, []);
	const { phase, problem, canBuy, buyNow, askAgain } = usePurchase(total);
	const message = problem ?? card?.error?.message;
	const ready = canBuy && stripe !== null && card?.complete === true;
	const button = useRef<HTMLButtonElement>(null);
	// a button that is disabled loses the keyboard, and whoever paid with it would have to find it again
	useEffect(() => {
		if (ready && problem && document.activeElement === document.body) button.current?.focus();
	}, [ready, problem]);

	function submit(event: FormEvent) {
		event.preventDefault();
		const element = elements?.getElement(CardElement);
		if (stripe && element && card?.complete) void buyNow(stripe, element);
	}

	return (
		<form onSubmit={submit}>
			<div className="field">
				<CardElement options={options} onChange={setCard} />
			</div>
			<div role="alert">
				{message && <p className="error">{message}</p>}
				{askAgain && (
					<button type="button" className="button" onClick={askAgain}>
						Try again
					</button>
				)}
			</div>
			<p className="total">
				Order Total: <b>{formatMoney(total)}</b>
			</p>
			<button type="submit" ref={button} className="button main" disabled={!ready}>
				{phase === "idle" ? "Buy Now" : "Processing"}
			</button>
			<p role="status">
				{phase === "checking" &&
					"We are checking your payment. This page finds out by itself; please do not pay again."}
			</p>
		</form>
	);
}

/** Stripe.js as it loads. Null until it is there. */
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

/** The frame's own page cannot see our stylesheet: it is told the theme's colours. */
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
