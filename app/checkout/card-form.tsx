import { CardElement, Elements, useElements, useStripe } from "@stripe/react-stripe-js";
import type { Stripe, StripeCardElementChangeEvent, StripeCardElementOptions } from "@stripe/stripe-js";
import { type FormEvent, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useShopping } from "#app/basket/app-state.tsx";
import { basketTotal } from "#app/basket/basket.ts";
import { formatMoney } from "#app/ui/money.ts";
import { useCheckout } from "./checkout-provider.tsx";
import { getStripe } from "./load-stripe.ts";
import { canBuy, idle } from "./purchase.ts";
import { checkingSentence } from "./tab-checkout.tsx";
import { useStayWhile } from "./use-stay-while.ts";

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
				<p className="error">The payment form could not be loaded. Your basket is unchanged.</p>
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
	const { basket, user } = useShopping();
	const total = basketTotal(basket);
	const stripe = useStripe();
	const elements = useElements();
	const [card, setCard] = useState<Pick<StripeCardElementChangeEvent, "complete" | "error">>();
	const options = useMemo(cardOptions, []);
	const [checkout, purchase] = usePurchase(total);
	const { phase } = purchase;
	const { notice, failure } = phase === "idle" ? purchase : idle;
	const message = notice ?? failure ?? card?.error?.message;
	const ready = stripe !== null && card?.complete === true && canBuy(purchase, total);
	const button = useRef<HTMLButtonElement>(null);
	// the keyboard focus leaves a button that is disabled, as Buy Now was during the attempt
	useEffect(() => {
		if (ready && notice && document.activeElement === document.body) button.current?.focus();
	}, [ready, notice]);

	function submit(event: FormEvent) {
		event.preventDefault();
		const element = elements?.getElement(CardElement);
		if (ready && element) checkout?.buy({ stripe, card: element, items: basket, customer: user });
	}

	return (
		<form onSubmit={submit}>
			<div className="field">
				<CardElement options={options} onChange={setCard} />
			</div>
			<div role="alert">
				{message && <p className="error">{message}</p>}
				{failure && (
					<button type="button" className="button" onClick={() => checkout?.prepare(total)}>
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
			<p role="status">{phase === "checking" && checkingSentence}</p>
		</form>
	);
}

/** The tab's checkout and its state, with an intent prepared for a total in cents. */
function usePurchase(total: number) {
	const [checkout, open] = useCheckout();
	const purchase = useSyncExternalStore(
		checkout?.subscribe ?? ignoreChanges,
		() => checkout?.getState() ?? idle,
		() => idle,
	);
	useEffect(() => void open(), [open]);
	useEffect(() => checkout?.prepare(total), [checkout, total]);
	useEffect(() => () => checkout?.leave(), [checkout]);
	const isBusy = () => stayPhases.has(checkout?.getState().phase ?? "idle");
	useStayWhile(stayPhases.has(purchase.phase), isBusy);
	return [checkout, purchase] as const;
}

const ignoreChanges = () => () => {};
const stayPhases = new Set(["placing", "confirming", "confirmed"]);

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
