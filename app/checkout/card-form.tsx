import { CardElement, Elements, useElements, useStripe } from "@stripe/react-stripe-js";
import type { Stripe, StripeCardElementChangeEvent, StripeCardElementOptions } from "@stripe/stripe-js";
import { type FormEvent, type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
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

interface CardFormProps {
	script: StripeScript;
	/** Who handles the card, or that the payment is a test. */
	note: string;
	/** The steps before the payment method. */
	children: ReactNode;
}

/** Renders the steps of the checkout, the last of which is the card input, and a summary with the order total and the
 *  Buy Now button. */
export function CardForm({ script, ...steps }: CardFormProps) {
	const { stripe, failed, setFailed } = useStripeScript(script);
	useEffect(showForm, []);
	return (
		<Elements stripe={stripe}>
			<BuyForm {...steps} isTall={script.scriptUrl !== null} failed={failed} setFailed={setFailed} />
		</Elements>
	);
}

interface BuyFormProps extends Omit<CardFormProps, "script"> {
	/** Whether the card input comes from another server than Stripe's: it is taller. */
	isTall: boolean;
	/** Whether Stripe.js or the card input's frame could not be loaded. */
	failed: boolean;
	/** Reports a failure. With false, loads them again. */
	setFailed(failed: boolean): void;
}

function BuyForm({ note, children, isTall, failed, setFailed }: BuyFormProps) {
	const { basket, user } = useShopping();
	const total = basketTotal(basket);
	const purchase = usePurchase(total);
	const stripe = useStripe();
	const elements = useElements();
	const [isLoading, setIsLoading] = useState(true);
	const [card, setCard] = useState<Pick<StripeCardElementChangeEvent, "complete" | "error">>();
	const theme = useTheme();
	const options = useMemo(() => (theme ? cardOptions(getComputedStyle(document.body)) : {}), [theme]);
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
		<div className="split">
			<div className="sheet">
				{children}
				<section className="step">
					<h2>Payment method</h2>
					{failed ? (
						<div role="alert">
							<p className="error">We couldn't load the payment form. Your basket is unchanged.</p>
							<button type="button" className="button" onClick={() => setFailed(false)}>
								Try again
							</button>
						</div>
					) : (
						<form id="card" onSubmit={submit}>
							<div className={isTall ? "field tall" : "field"} aria-busy={isLoading}>
								<CardElement
									options={options}
									onReady={() => setIsLoading(false)}
									onLoadError={() => setFailed(true)}
									onChange={setCard}
								/>
							</div>
							<small>{note}</small>
						</form>
					)}
				</section>
			</div>
			<aside className="sheet sum" aria-label="Order summary">
				<p>
					Items ({basket.length}): <span>{formatMoney(total)}</span>
				</p>
				<p>
					Delivery: <span>{formatMoney(0)}</span>
				</p>
				<p className="total">
					Order Total: <b className="price">{formatMoney(total)}</b>
				</p>
				<button type="submit" form="card" ref={button} className="button main" disabled={!ready}>
					{purchase.phase === "idle" ? (
						"Buy Now"
					) : (
						<span>
							<i className="spin" /> Processing
						</span>
					)}
				</button>
				<div role="alert">
					{message && <p className="error">{message}</p>}
					{failure && (
						<button type="button" className="button" onClick={() => checkout.prepare(total)}>
							Try again
						</button>
					)}
				</div>
				<p role="status">{purchase.phase === "checking" && purchase.notice}</p>
			</aside>
		</div>
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
	return { stripe, failed, setFailed };
}

/** Returns the card input's options. Its font and colors come from the page, because the stylesheet does not apply
 *  inside its iframe. Enlarged text is limited to what fits in a phone's window. */
function cardOptions(page: CSSStyleDeclaration): StripeCardElementOptions {
	const color = (name: string) => page.getPropertyValue(name);
	return {
		hidePostalCode: true,
		disableLink: true,
		style: {
			base: {
				color: color("--ink"),
				iconColor: color("--muted"),
				fontFamily: page.fontFamily,
				fontSize: `${Math.floor(Math.max(16, Math.min(Number.parseFloat(page.fontSize), innerWidth / 20)))}px`,
				"::placeholder": { color: color("--muted") },
			},
			invalid: { color: color("--bad"), iconColor: color("--bad") },
		},
	};
}
