import { CardElement, Elements, useElements, useStripe } from "@stripe/react-stripe-js";
import type { Stripe, StripeCardElementChangeEvent, StripeCardElementOptions } from "@stripe/stripe-js";
import { type FormEvent, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useBlocker } from "react-router";
import { useShopping } from "#app/basket/app-state.tsx";
import { basketTotal } from "#app/basket/basket.ts";
import { useTheme } from "#app/theme/theme.tsx";
import { useAnnounce } from "#app/ui/announcer.tsx";
import { formatMoney } from "#app/ui/money.ts";
import { getStripe } from "./load-stripe.ts";
import { stayNotice } from "./opened-checkout.tsx";
import { idle, mustStay, type Purchase } from "./purchase.ts";
import { checkout, showForm } from "./tab-checkout.tsx";

interface StripeScript {
	publishableKey: string;
	scriptUrl: string | null;
}

/** Renders the card input, the order total and the Buy Now button. */
export function CardForm(script: StripeScript) {
	const { basket } = useShopping();
	const { stripe, failed, retry } = useStripeScript(script);
	const purchase = usePurchase(basketTotal(basket));
	useEffect(showForm, []);
	if (failed) {
		return (
			<div>
				<div role="alert">
					<p className="error">We couldn't load the payment form. Your basket is unchanged.</p>
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
	const theme = useTheme();
	const options = useMemo(() => (theme ? cardOptions(getComputedStyle(document.documentElement)) : {}), [theme]);
	const { notice, failure } = purchase.phase === "idle" ? purchase : idle;
	const message = notice ?? failure ?? card?.error?.message;
	const ready = stripe !== null && card?.complete === true && checkout.canBuy(total);
	const button = useRef<HTMLButtonElement>(null);
	// restore focus to Buy Now, which lost it when the attempt disabled the button
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

/** Returns the state of the tab's purchase. Keeps an intent for `total` cents ready, and keeps the shopper on the page
 *  while an order is placed and confirmed. */
function usePurchase(total: number): Purchase {
	const purchase = useSyncExternalStore(checkout.subscribe, checkout.getState, () => idle);
	useEffect(() => checkout.prepare(total), [total]);
	useEffect(() => checkout.leave, []);

	const announce = useAnnounce();
	useBlocker(() => {
		// read the current state, because the navigation may start before the next render
		const blocked = checkout.mustStay();
		if (blocked) announce(stayNotice);
		return blocked;
	});
	const stays = mustStay(purchase);
	useEffect(() => {
		if (!stays) return;
		const confirmLeaving = (event: BeforeUnloadEvent) => event.preventDefault();
		addEventListener("beforeunload", confirmLeaving);
		return () => removeEventListener("beforeunload", confirmLeaving);
	}, [stays]);
	return purchase;
}

/** Loads Stripe.js. `stripe` is null until the script has loaded. */
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

/** Returns the card input's options. Its colors come from the theme, because the stylesheet does not apply inside its
 *  iframe. */
function cardOptions(theme: CSSStyleDeclaration): StripeCardElementOptions {
	const color = (name: string) => theme.getPropertyValue(name);
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
