import type { ConfirmCardPaymentData, StripeCardElement } from "@stripe/stripe-js";
import type { Customer } from "#app/auth/customer.server.ts";
import { type BasketItem, basketTotal } from "#app/basket/basket.ts";
import { reprice } from "./basket-changes.ts";
import { createPaymentsClient } from "./payments-client.ts";
import {
	canBuy,
	cancelAt,
	checkingNotice,
	type Intent,
	idle,
	isPaying,
	mustStay,
	type Purchase,
	type PurchaseEvent,
	reduce,
} from "./purchase.ts";
import {
	findSavedPurchase,
	forgetPurchase,
	type Locks,
	lockPayment,
	type SavedStorage,
	savePurchase,
} from "./saved-purchase.ts";

export interface CheckoutServices {
	fetch: typeof fetch;
	/** The tab's sessionStorage. */
	saved: SavedStorage;
	locks: Locks;
}

export interface Order {
	stripe: { confirmCardPayment(clientSecret: string, data: ConfirmCardPaymentData): Promise<Confirmation> };
	card: StripeCardElement;
	items: BasketItem[];
	customer: Customer | null;
}

/** The fields of Stripe.js's result that are read. */
export interface Confirmation {
	paymentIntent?: { status: string };
	error?: { type: string; code?: string; message?: string; payment_intent?: { status: string } };
}

/** The outcome of a purchase, for the page to apply and announce. */
export type Outcome =
	/** A purchase that a reload interrupted is being checked. */
	| { type: "resumed"; notice: string }
	| { type: "paid"; orderId: string; amount: number; items: BasketItem[] }
	| NotBought;

/** Nothing was charged, or it was refunded. */
interface NotBought {
	type: "not_bought";
	notice: string;
	/** Replaces the basket's items, because prices have changed. */
	basket?: BasketItem[];
	/** The customer shown on the page is not the session's customer. */
	identityChanged?: boolean;
}

export interface Checkout {
	getState(): Purchase;
	/** Returns whether a payment is in progress, so that the basket must not change. */
	isPaying(): boolean;
	/** Returns whether leaving the page would interrupt the shopper's payment. */
	mustStay(): boolean;
	/** Returns whether items of this total, in cents, can be bought now. */
	canBuy(total: number): boolean;
	/** Calls the listener after each state change. Returns a function that unsubscribes it. */
	subscribe(listener: () => void): () => void;
	/** Calls the listener once with each outcome, including outcomes from before it was added. */
	onOutcome(listener: (outcome: Outcome) => void): () => void;
	/** Requests an intent for a total in cents, unless one is ready or being requested. 0 means an empty basket. */
	prepare(total: number): void;
	/** Starts a purchase, unless one is in progress or no intent for the items' total is ready. */
	buy(order: Order): void;
	/** Handles the shopper leaving the payment page: stops preparing intents and clears the notice. */
	leave(): void;
	/** Polls immediately if a payment is being checked, for example when the browser is back online. */
	checkNow(): void;
}

/** Timeout after which an unfinished confirmation is shown as being checked, in milliseconds. */
const confirmationTimeout = 8000;

/** Delays between the first polls, in milliseconds. */
const pollDelays = [1000, 2000, 4000, 8000, 15_000];
/** Delay between all later polls, in milliseconds. */
const maxDelay = 30_000;

/** Manages a tab's purchases, one at a time, and resumes a purchase that a reload interrupted. Reports "not charged"
 *  only if that is certain: the confirmation returned a decline, Stripe confirmed a cancellation, or the attempt failed
 *  before the confirmation was sent. */
export function createCheckout({ fetch, saved, locks }: CheckoutServices): Checkout {
	const payments = createPaymentsClient(fetch);
	const listeners = new Set<() => void>();
	let state: Purchase = idle;

	function getState(): Purchase {
		return state;
	}

	/** Returns whether the event changed the state. */
	function dispatch(event: PurchaseEvent): boolean {
		const next = reduce(state, event);
		if (next === state) return false;
		state = next;
		for (const listener of listeners) listener();
		return true;
	}

	const pending: Outcome[] = [];
	let listener: ((outcome: Outcome) => void) | null = null;

	function report(...outcomes: Outcome[]): void {
		pending.push(...outcomes);
		while (listener) {
			const outcome = pending.shift();
			if (!outcome) return;
			listener(outcome);
			if (outcome.type !== "resumed") forgetPurchase(saved);
		}
	}

	/** The total in cents for which the payment page needs an intent; 0 if it needs none. */
	let wanted = 0;
	let request = new AbortController();

	function prepare(total: number): void {
		wanted = total;
		if (isPaying(state) || canBuy(state, total)) return;
		if (state.phase === "idle" && state.preparing === total) return;
		void requestIntent(total);
	}

	async function requestIntent(total: number): Promise<void> {
		request.abort();
		request = new AbortController();
		dispatch({ type: "prepare", total });
		if (total === 0) return;
		const { signal } = request;
		const previous = state.phase === "idle" ? state.intent : null;
		const created = await payments.create(total, previous, signal);
		if (signal.aborted) return;
		if (created.type === "created") {
			const { clientSecret, signature } = created;
			const used = previous?.clientSecret === clientSecret ? previous : { attempt: 0, items: [] };
			const { attempt, items } = used;
			dispatch({ type: "prepared", intent: { clientSecret, signature, total, attempt, items } });
		} else if (created.type === "payment_in_progress") {
			if (dispatch({ type: "payment_in_progress", at: Date.now() })) checkNow();
		} else {
			dispatch({ type: "prepare_failed", total, failure: notCharged(created.message) });
		}
	}

	function buy(order: Order): void {
		if (!canBuy(state, basketTotal(order.items))) return;
		dispatch({ type: "buy", items: order.items });
		if (state.phase === "placing") void place(state.intent, order);
	}

	async function place(intent: Intent, order: Order): Promise<void> {
		const placed = await payments.place(intent, order.customer);
		if (placed.type === "placed") {
			if (dispatch({ type: "placed" })) await confirm(intent, order);
		} else if (placed.type === "price_changed") {
			const { items, changes } = reprice(intent.items, placed.prices);
			refuse(changes.join(" "), { basket: items });
		} else if (placed.code === "already_paid" || placed.code === "another_order") {
			// this tab has not confirmed the payment of another order: the first poll may cancel it
			const at = placed.code === "another_order" ? 0 : Date.now();
			if (dispatch({ type: "already_placed", at })) checkNow();
		} else if (placed.code === "payment_intent_gone" || placed.code === "unknown_payment_intent") {
			refuse(placed.message, {}, "gone");
			prepare(wanted);
		} else {
			refuse(placed.message, placed.code === "identity_changed" ? { identityChanged: true } : {});
		}
	}

	function refuse(reason: string, more: Partial<NotBought>, intent: "kept" | "gone" = "kept"): void {
		const notice = notCharged(reason);
		if (dispatch({ type: "refused", notice, intent })) report({ type: "not_bought", notice, ...more });
	}

	async function confirm(intent: Intent, { stripe, card, customer }: Order): Promise<void> {
		savePurchase(saved, intent);
		void lockPayment(locks, intent);
		const silence = setTimeout(() => {
			if (dispatch({ type: "silence", of: intent, at: Date.now() })) checkNow();
		}, confirmationTimeout);
		const billing_details = customer ? { email: customer.email } : {};
		let confirmation: Confirmation = {};
		try {
			confirmation = await stripe.confirmCardPayment(intent.clientSecret, {
				payment_method: { card, billing_details },
			});
		} catch (error) {
			// Stripe.js throws if it is called incorrectly, but the card may still have been charged
			console.error("The card payment could not be confirmed.", error);
		}
		clearTimeout(silence);
		const { error, paymentIntent } = confirmation;
		if (error && isDecline(error)) {
			const reason = error.message ?? "Your payment did not go through.";
			const advice = error.code === "card_declined" ? " Nothing was charged; try another card." : "";
			const notice = notCharged(reason + advice);
			if (dispatch({ type: "declined", of: intent, notice })) report({ type: "not_bought", notice });
		} else {
			const type = paymentIntent?.status === "succeeded" ? "confirmed" : "confirmation_ended";
			if (dispatch({ type, of: intent, at: Date.now() })) checkNow();
		}
	}

	let polling = new AbortController();

	/** Polls immediately. Aborts the poll in flight, which may predate the latest event or be of an earlier payment. */
	function checkNow(): void {
		polling.abort();
		polling = new AbortController();
		void poll(polling.signal);
	}

	async function poll(signal: AbortSignal): Promise<void> {
		for (let polls = 0; state.phase === "confirmed" || state.phase === "checking"; polls++) {
			const { intent } = state;
			const result = await payments.fulfill(intent, Date.now() >= cancelAt(state), signal);
			if (signal.aborted) return;
			if (result === "paid") finish(intent);
			else if (result === "canceled") fail(intent, notCharged("Your payment did not go through."));
			else if (result === "refunded") fail(intent, "Your payment was refunded and no order was placed.");
			else {
				const atBank = result === "unknown" ? null : result === "at_bank";
				dispatch({ type: "not_final", of: intent, atBank, at: Date.now() });
			}
			if (state.phase !== "checking") return;
			const delay = pollDelays[polls] ?? maxDelay;
			const untilCancel = cancelAt(state) - Date.now();
			await wait(untilCancel > 0 ? Math.min(delay, untilCancel) : delay, signal);
		}
	}

	function finish(of: Intent): void {
		if (state.phase === "paid" || !state.intent) return;
		const { clientSecret, total, items } = state.intent;
		const orderId = clientSecret.split("_secret_")[0] ?? clientSecret;
		if (dispatch({ type: "paid", of })) report({ type: "paid", orderId, amount: total, items });
	}

	function fail(of: Intent, notice: string): void {
		const wasPaying = isPaying(state);
		if (!dispatch({ type: "not_bought", of, notice })) return;
		if (wasPaying) report({ type: "not_bought", notice });
		if (wanted > 0) prepare(wanted);
	}

	const interrupted = findSavedPurchase(saved);
	if (interrupted) {
		dispatch({ type: "resume", intent: interrupted, at: Date.now() });
		report({ type: "resumed", notice: checkingNotice });
		checkNow();
		// no tab is confirming the payment any more
		void lockPayment(locks, interrupted).then(() =>
			dispatch({ type: "confirmation_ended", of: interrupted, at: Date.now() }),
		);
	}

	return {
		getState,
		isPaying: () => isPaying(state),
		mustStay: () => mustStay(state),
		canBuy: (total) => canBuy(state, total),
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		onOutcome(onOutcome) {
			listener = onOutcome;
			report();
			return () => {
				if (listener === onOutcome) listener = null;
			};
		},
		prepare,
		buy,
		leave() {
			wanted = 0;
			dispatch({ type: "notice_read" });
		},
		checkNow,
	};
}

/** Resolves after a delay in milliseconds, or when the signal is aborted. */
function wait(delay: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, delay);
		signal.addEventListener("abort", () => {
			clearTimeout(timer);
			resolve();
		});
	});
}

/** Returns whether the card was certainly not charged. The error's type does not prove this: a retry can fail with
 *  lock_timeout while the original confirmation is still running. */
function isDecline({ type, code, payment_intent }: NonNullable<Confirmation["error"]>): boolean {
	if (code === "lock_timeout" || code === "rate_limit") return false;
	if (type === "card_error" || type === "validation_error") return true;
	return type === "invalid_request_error" && payment_intent?.status === "requires_payment_method";
}

/** Appends "You have not been charged." to a message that does not mention charges. */
function notCharged(reason: string): string {
	return reason.includes("charged") ? reason : `${reason} You have not been charged.`.trim();
}
