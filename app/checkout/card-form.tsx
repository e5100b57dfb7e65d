import { CardElement, Elements } from "@stripe/react-stripe-js";
import type {
	Stripe,
	StripeCardElement,
	StripeCardElementChangeEvent,
	StripeCardElementOptions,
} from "@stripe/stripe-js";
import { type FormEvent, type ReactNode, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useBlocker } from "react-router";
import { useShopping } from "#app/basket/app-state.tsx";
import { basketTotal } from "#app/basket/basket.ts";
import { useTheme } from "#app/theme/theme.tsx";
import { useAnnounce } from "#app/ui/announcer.tsx";
import { formatMoney } from "#app/ui/money.ts";
import { forgetStripe, getStripe, loadTimeout } from "./load-stripe.ts";
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
export function CardForm({ script, note, children }: CardFormProps) {
	const { basket, user } = useShopping();
	const total = basketTotal(basket);
	const purchase = usePurchase(total);
	useEffect(showForm, []);
	const [input, setInput] = useCardInput(script);
	const { stripe, element, failed } = input;
	const [card, setCard] = useState<Pick<StripeCardElementChangeEvent, "complete" | "error">>();
	const theme = useTheme();
	const options = useMemo(() => (theme ? cardOptions(getComputedStyle(document.body)) : {}), [theme]);
	const { notice, failure } = purchase.phase === "idle" ? purchase : idle;
	const message = notice ?? failure ?? card?.error?.message;
	const ready = stripe !== undefined && element !== undefined && card?.complete === true && checkout.canBuy(total);
	const button = useRef<HTMLButtonElement>(null);
	// restore focus to Buy Now, which lost it when the attempt disabled the button
	useEffect(() => {
		if (ready && notice && document.activeElement === document.body) button.current?.focus();
	}, [ready, notice]);

	function submit(event: FormEvent) {
		event.preventDefault();
		if (ready) checkout.buy({ stripe, card: element, items: basket, customer: user });
	}

	function tryAgain() {
		forgetStripe();
		setCard(undefined);
		setInput({});
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
							<button type="button" className="button" onClick={tryAgain}>
								Try again
							</button>
						</div>
					) : (
						<form id="card" onSubmit={submit}>
							{/* the input of another server than Stripe's is taller */}
							<div className={script.scriptUrl === null ? "field" : "field tall"} aria-busy={!element}>
								<Elements stripe={stripe ?? null}>
									<CardElement
										options={options}
										onReady={(element) => setInput({ ...input, element })}
										onLoadError={() => setInput({ failed: true })}
										onChange={setCard}
									/>
								</Elements>
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

/** The card input's state: without `stripe`, the script is loading; without `element`, the input's frame is. */
interface CardInput {
	stripe?: Stripe;
	element?: StripeCardElement;
	/** Whether the script or the frame could not be loaded in time. */
	failed?: boolean;
}

/** Loads Stripe.js, and limits the time for loading the card input's frame. */
function useCardInput({ publishableKey, scriptUrl }: StripeScript) {
	const [input, setInput] = useState<CardInput>({});
	const { stripe, element, failed } = input;
	useEffect(() => {
		if (element || failed) return;
		if (!stripe) {
			getStripe(publishableKey, scriptUrl).then(
				(stripe) => setInput({ stripe }),
				() => setInput({ failed: true }),
			);
			return;
		}
		const timer = setTimeout(() => setInput({ failed: true }), loadTimeout);
		return () => clearTimeout(timer);
	}, [publishableKey, scriptUrl, stripe, element, failed]);
	return [input, setInput] as const;
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
