import { CardElement, Elements } from "@stripe/react-stripe-js";
import type { Stripe, StripeCardElement, StripeCardElementChangeEvent } from "@stripe/stripe-js";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { Link, useBlocker } from "react-router";
import { useCustomer } from "#app/auth/use-customer.ts";
import { OrderTotal } from "#app/basket/order-total.tsx";
import { type BasketItem, basketTotal } from "#app/tab/basket.ts";
import { LoadPage } from "#app/tab/load-page.tsx";
import {
	canBuy,
	checkingNotice,
	isPaying,
	mustStay,
	type Purchase,
	paidNotice,
	stayNotice,
} from "#app/tab/purchase.ts";
import { tab, useTab } from "#app/tab/tab.ts";
import { justPaid } from "#app/tab/tab-state.ts";
import { useTheme } from "#app/theme/theme.tsx";
import { announce } from "#app/ui/announcer.tsx";
import { forgetStripe, getStripe, loadTimeout } from "./load-stripe.ts";
import "./purchase-work.ts";

type StripeScript = { publishableKey: string; scriptUrl: string | null };

interface Card extends Pick<StripeCardElementChangeEvent, "complete" | "error"> {
	/** Whether the card was declined and has not been changed since. */
	isDeclined?: boolean;
}

const processing = (
	<span>
		<i className="spin" /> Processing
	</span>
);

/** Renders the last step of the checkout, which is the card input, and a summary with the order total and the Buy Now
 *  button. The note states who handles the card, or that the payment is a test. */
export function CardForm({ items, script, note }: { items: BasketItem[]; script: StripeScript; note: string }) {
	const customer = useCustomer();
	// the customer for whom the form was opened, who may have been signed out since
	const [opener] = useState(customer);
	const total = basketTotal(items);
	const purchase = usePurchase();
	const paid = useTab(justPaid);
	const [input, setInput] = useCardInput(script);
	const { stripe, element, failed } = input;
	const field = useRef<HTMLDivElement>(null);
	const receiptEmail = useRef<HTMLInputElement>(null);
	const [card, setCard] = useState<Card>();
	const theme = useTheme();
	const options = useMemo(() => (theme ? cardOptions(getComputedStyle(document.body)) : {}), [theme]);
	const message = purchase.phase === "idle" ? purchase.message : null;
	const isSignedOut = opener && customer === null && purchase.phase === "idle" && !paid;
	const isLoaded = stripe !== undefined && element !== undefined && customer !== undefined;
	const isPrepared = useTab((state) => canBuy(state.purchase, state));
	const ready = isLoaded && card?.complete === true && isPrepared;
	const status = paid ? paidNotice(paid) : statusOf(purchase, total, ready, input, card);
	const label = paid ? "✓ Paid" : isPaying(purchase) ? processing : "Buy Now";

	function submit(event: FormEvent) {
		event.preventDefault();
		if (!ready) {
			if (!isPaying(purchase) && !paid && !card?.complete) element?.focus();
			return;
		}
		const email = customer ? customer.email : receiptEmail.current?.value;
		tab.dispatch({
			type: "buy",
			confirm: async (clientSecret) => {
				const confirm = (email?: string) =>
					stripe.confirmCardPayment(clientSecret, {
						payment_method: { card: element, billing_details: customer && email ? { email } : {} },
						...(email && { receipt_email: email }),
					});
				let confirmation = await confirm(email);
				// the customer cannot correct the account's email on this page
				if (customer && confirmation.error?.code === "email_invalid") confirmation = await confirm();
				// a card that was entered during the confirmation was not declined
				if (confirmation.error?.type === "card_error") {
					setCard((current) => (current === card ? { ...card, isDeclined: true } : current));
				}
				return confirmation;
			},
		});
	}

	function changeCard(card: Card) {
		setCard(card);
		tab.dispatch({ type: "card_changed" });
	}

	function tryAgain() {
		forgetStripe();
		setCard(undefined);
		setInput({});
		tab.dispatch({ type: "try_again" });
	}

	return (
		<>
			<section className="step">
				<h2>Payment method</h2>
				{/* screen readers read this before the card input; it is shown below it */}
				{!failed && <small>{note}</small>}
				{failed ? (
					<div role="alert">
						<p className="error">We couldn't load the payment form. Your basket is unchanged.</p>
						<button type="button" className="button" onClick={tryAgain}>
							Try again
						</button>
					</div>
				) : (
					<form id="card" onSubmit={submit}>
						{/* a card input that is not Stripe's is taller */}
						<div
							ref={field}
							className={script.scriptUrl === null ? "field" : "field tall"}
							data-declined={card?.isDeclined}
							aria-busy={!element}
						>
							<Elements stripe={stripe ?? null}>
								<CardElement
									options={options}
									onReady={(element) => setInput({ ...input, element })}
									onLoadError={() => setInput({ failed: true })}
									onChange={changeCard}
									// Safari would scroll a part of it behind the bar
									onFocus={() => field.current?.scrollIntoView({ block: "nearest" })}
								/>
							</Elements>
						</div>
					</form>
				)}
				{card?.error && (
					<p className="error" role="alert" key={card.error.message} ref={revealToTyping}>
						{card.error.message}
					</p>
				)}
				<div className="outcome" role="alert">
					{message && (
						<p className="error" key={message.text} ref={reveal}>
							{message.text}
						</p>
					)}
					{isSignedOut && (
						<p className="error" ref={reveal}>
							You're signed out: Buy Now pays as a guest. To buy with your account, <Link to="/login">sign in</Link>{" "}
							first. Your basket is kept.
						</p>
					)}
					{message?.button === "load_page" && <LoadPage className="button" />}
					{message?.button === "try_again" && !failed && (
						<button type="button" className="button" onClick={() => tab.dispatch({ type: "try_again" })}>
							Try again
						</button>
					)}
				</div>
				<p id="status" role="status">
					<span key={status} ref={purchase.phase === "checking" ? reveal : undefined}>
						{status}
					</span>
				</p>
				{customer === null && (
					<label>
						Email for your receipt (optional)
						{/* without a name, no browser sends it to the shop */}
						<input
							type="email"
							className="field"
							form="card"
							ref={receiptEmail}
							autoComplete="email"
							readOnly={isPaying(purchase)}
						/>
					</label>
				)}
			</section>
			<aside className="sum" aria-label="Order summary">
				<div className="buy">
					<OrderTotal amount={total} id="total" />
					<button
						type="submit"
						form="card"
						className={paid ? "button main paid" : isPaying(purchase) ? "button main busy" : "button main"}
						// `disabled` would take the button, and with it the reason, out of the tab order
						aria-disabled={!ready}
						aria-describedby="total status"
					>
						{label}
					</button>
				</div>
			</aside>
		</>
	);
}

/** Scrolls a message and its buttons into view when it appears. */
function reveal(message: HTMLElement | null): void {
	message?.parentElement?.scrollIntoView({ block: "nearest" });
}

/** Scrolls a message into view, unless a press has just taken the focus from the card input: a page that scrolls before
 *  the release loses the click. */
function revealToTyping(message: HTMLElement | null): void {
	if (document.activeElement instanceof HTMLIFrameElement) message?.scrollIntoView({ block: "nearest" });
}

/** Returns why Buy Now is disabled, or the payment's progress. */
function statusOf(purchase: Purchase, total: number, ready: boolean, input: CardInput, card?: Card): string {
	const { element, failed } = input;
	if (purchase.phase === "checking") return checkingNotice;
	if (purchase.phase !== "idle") return "Processing your payment…";
	// the message below the card input explains more
	if (purchase.request?.hasFailed || (ready && purchase.message)) return "";
	if (ready) return "Ready to pay.";
	if (total === 0) return "Add something to your basket first.";
	if (failed) return "The payment form couldn't be loaded.";
	if (!element) return "The payment form is loading.";
	return card?.complete ? "Preparing your payment…" : "Enter your card details.";
}

/** Returns the tab's current purchase. Keeps the shopper on the page while leaving it would interrupt the payment. */
function usePurchase(): Purchase {
	const purchase = useTab(({ purchase }) => purchase);
	useEffect(() => {
		tab.dispatch({ type: "form_shown" });
		return () => tab.dispatch({ type: "form_left" });
	}, []);
	useBlocker(() => {
		// read the current state, because the navigation may start before the next render
		const blocked = mustStay(tab.getState().purchase);
		if (blocked) announce(stayNotice);
		return blocked;
	});
	const stays = mustStay(purchase);
	useEffect(() => {
		if (!stays) return;
		// read the current state, because a document may be loaded before the next render
		const confirmLeaving = (event: BeforeUnloadEvent) => mustStay(tab.getState().purchase) && event.preventDefault();
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
function cardOptions(page: CSSStyleDeclaration) {
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
