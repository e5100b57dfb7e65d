import { currency } from "#app/brand.ts";
import { interceptedAdvice, isIntercepted } from "#app/http/intercepted.ts";
import { requestTimeout } from "#app/http/timeout.ts";
import type { Created, FulfillRequest, PlaceRequest } from "#app/payments/shop-api.server.ts";
import { isLike } from "#app/tab/is-like.ts";
import { type Confirmation, type Intent, isConfirming, mustStay, type Purchase } from "#app/tab/purchase.ts";
import type { Tab } from "#app/tab/tab.ts";
import type { TabEvent, TabState } from "#app/tab/tab-state.ts";
import { keepRunning, runWork, type Work, type Works, wait } from "#app/tab/work.ts";
import { canceledNotice, declinedNotice, describeChanges, notCharged, refundedNotice } from "./notices.ts";

interface BrowserApis {
	fetch: typeof fetch;
	lock: typeof import("./lock.ts").lock;
	/** Loads the page's document again, which takes over the basket and the payment; null if storage is denied. */
	loadDocument: (() => void) | null;
}

/** Timeout after which an unfinished confirmation is shown as being checked, in milliseconds. */
const confirmationTimeout = 8000;

/** Delays between the first polls, in milliseconds. */
const pollDelays = [1000, 2000, 4000, 8000, 15_000];
/** The time in which the bank's dialog may close by itself after a poll has found the outcome, in milliseconds. */
const closingTime = 2000;
/** The number of polls without an answer after which a success that Stripe.js has reported is final, because a browser's
 *  extension may block the polls alone. */
const maxUnanswered = 4;
/** Delay between all later polls, in milliseconds. */
const maxDelay = 30_000;

/** Does the work of the tab's purchases: prepares intents, places orders, confirms cards and polls payments. Reports "not
 *  charged" only if that is certain: the confirmation returned a decline, Stripe confirmed a cancellation, or the attempt
 *  failed before the confirmation was sent. */
export function runPurchases(tab: Tab, { fetch, lock, loadDocument }: BrowserApis): void {
	const mayLeave = () => !mustStay(tab.getState().purchase);
	runWork(tab, worksOf);

	function worksOf({ purchase, user }: TabState): Works<TabEvent> {
		const { intent } = purchase;
		const polling = `poll ${intent?.clientSecret} ${intent?.round}`;
		switch (purchase.phase) {
			case "idle": {
				const { preparing, failure } = purchase;
				// a poll that was sent before a decline may find that the payment was canceled
				const works = { [polling]: keepRunning };
				if (preparing === null || failure !== null) return works;
				return { ...works, [`create ${preparing}`]: create(preparing, intent) };
			}
			case "placing":
				return { [polling]: keepRunning, place: place(purchase.intent, user?.id ?? null) };
			case "confirming":
				return {
					[polling]: keepRunning,
					silence: reportSilence(purchase.intent),
					confirm: confirmCard(purchase),
				};
			case "confirmed":
				return { [polling]: pollUntilFinal(purchase.intent) };
			case "checking":
				if (purchase.confirmation === "covered") return { load: () => loadDocument?.() };
				return {
					confirm: keepRunning,
					...(purchase.confirmation === "unknown" && { lock: waitForLock(purchase.intent) }),
					[polling]: pollUntilFinal(purchase.intent),
				};
		}
	}

	/** Requests an intent for `total` cents. The server reuses the previous intent or cancels it. */
	function create(total: number, previous: Intent | null): Work<TabEvent> {
		return async (dispatch, signal) => {
			const headers = { currency, ...(previous && { "previous-client-secret": previous.clientSecret }) };
			const body = await post(`create?total=${total}`, { headers, signal });
			const { code, message } = errorOf(body);
			if (isLike(body, createdExample)) dispatch({ ...body, type: "prepared", total });
			else if (previous && code === "payment_in_progress") dispatch({ type: code, at: performance.now() });
			else
				dispatch({ type: "prepare_failed", total, failure: notCharged(message), needsDocument: needsDocument(code) });
		};
	}

	function place({ clientSecret, signature, currency, items }: Intent, customer: string | null): Work<TabEvent> {
		return async (dispatch, signal) => {
			const productIds = items.map(({ id }) => id);
			const order: PlaceRequest = { clientSecret, signature, productIds, currency, customer };
			const body = await post("place", { ...json(order), signal });
			if (isLike(body, { status: "" }) && body.status === "placed") return dispatch({ type: "placed" });
			const { code, message } = errorOf(body);
			if (code === "price_changed" && isLike(body, { prices: {} })) {
				const prices = Object.fromEntries(Object.entries(body.prices).filter(isPrice));
				return dispatch({ type: code, prices, notice: notCharged(describeChanges(items, prices)) });
			}
			const notice = notCharged(message);
			switch (code) {
				case "already_paid":
					return dispatch({ type: "payment_in_progress", at: performance.now() });
				case "another_order":
					// this tab has not confirmed the payment of another order: the first poll may cancel it
					return dispatch({ type: "payment_in_progress", at: Number.NEGATIVE_INFINITY });
				case "payment_intent_gone":
				case "unknown_payment_intent":
					return dispatch({ type: "refused", notice, reason: "intent_gone" });
				case "identity_changed":
					return dispatch({ type: "refused", notice, reason: code });
				default:
					return dispatch({ type: "refused", notice, ...(needsDocument(code) && { reason: "needs_document" }) });
			}
		};
	}

	function confirmCard({ intent, confirm }: Extract<Purchase, { phase: "confirming" }>): Work<TabEvent> {
		return async (dispatch) => {
			// takes it from an earlier attempt, or from a copy that got it while this page was in the back/forward cache
			void lock(intent.clientSecret, mayLeave, { steal: true });
			let confirmation: Confirmation = {};
			try {
				confirmation = await confirm(intent.clientSecret);
			} catch (error) {
				// Stripe.js throws if it is called incorrectly, but the card may still have been charged
				console.error("The card payment could not be confirmed.", error);
			}
			const { error, paymentIntent } = confirmation;
			if (error && isDecline(error)) {
				dispatch({ type: "declined", of: intent, notice: declinedNotice(error) });
			} else {
				const at = performance.now();
				if (paymentIntent?.status !== "succeeded") dispatch({ type: "confirmation_ended", of: intent, at });
				else dispatch({ type: "confirmed", of: intent, created: paymentIntent.created, at });
			}
		};
	}

	function reportSilence(of: Intent): Work<TabEvent> {
		return async (dispatch, signal) => {
			await wait(confirmationTimeout, signal);
			dispatch({ type: "silence", of, at: performance.now() });
		};
	}

	function pollUntilFinal(of: Intent): Work<TabEvent> {
		return async (dispatch, signal) => {
			let unanswered = 0;
			for (let polls = 0; awaitsOutcome(tab.getState().purchase); polls++) {
				const answer = await poll(of, performance.now() >= cancelAt(tab.getState().purchase), signal);
				if (!answer) unanswered++;
				const event = answer ?? withoutAnswer(of, unanswered);
				if (event.type !== "not_final" && loadDocument && isConfirming(tab.getState().purchase)) {
					await wait(closingTime, signal);
					dispatch({ type: "covered", of, at: performance.now() });
				} else dispatch(event);
				if (signal.aborted) return;
				const delay = pollDelays[polls] ?? maxDelay;
				const untilCancel = cancelAt(tab.getState().purchase) - performance.now();
				await wait(untilCancel > 0 ? Math.min(delay, untilCancel) : delay, signal);
			}
		};
	}

	/** Polls the payment's outcome. Returns null if the shop has not answered. With `cancel`, the server cancels the
	 *  payment if it is still unpaid. */
	async function poll(of: Intent, cancel: boolean, signal: AbortSignal): Promise<TabEvent | null> {
		const { clientSecret, signature } = of;
		const payment: FulfillRequest = { clientSecret, signature, ...(cancel && { cancel }) };
		const body = await post("fulfill", { ...json(payment), signal });
		const { code = null } = errorOf(body);
		const status = isLike(body, { status: "" }) ? body.status : null;
		if (status === code || code === intercepted.code) return null;
		if (status === "paid" && isLike(body, { created: 0 })) return { type: "paid", of, created: body.created };
		if (status === "refunded") {
			return { type: "not_bought", of, notice: refundedNotice };
		}
		if (code === "canceled") {
			return { type: "not_bought", of, notice: canceledNotice };
		}
		// a payment that the shop cannot find may have been charged, for example with earlier keys
		const intentStatus = isLike(body, { intentStatus: "" }) ? body.intentStatus : null;
		const atBank = code === "not_paid" ? intentStatus === "requires_action" : null;
		return { type: "not_final", of, atBank, at: performance.now() };
	}

	function waitForLock(of: Intent): Work<TabEvent> {
		return async (dispatch) => {
			await lock(of.clientSecret, mayLeave);
			dispatch({ type: "lock_acquired", of, at: performance.now() });
		};
	}

	/** Returns the response's JSON, or null if there was no response or it is not JSON. If something other than the shop
	 *  has answered, returns an error with the code "intercepted". */
	async function post(
		path: string,
		init: { headers: HeadersInit; body?: string; signal: AbortSignal },
	): Promise<unknown> {
		const timeout = new AbortController();
		const timer = setTimeout(() => timeout.abort(), requestTimeout);
		const signal = AbortSignal.any([init.signal, timeout.signal]);
		try {
			const response = await fetch(`/payments/${path}`, { ...init, method: "POST", redirect: "manual", signal });
			return isIntercepted(response) ? { error: intercepted } : await response.json();
		} catch {
			return null;
		} finally {
			clearTimeout(timer);
		}
	}
}

/** Returns the event of a poll without an answer, the last of this number of them. */
function withoutAnswer(of: Intent, unanswered: number): TabEvent {
	if (of.charged > 0 && unanswered >= maxUnanswered) return { type: "paid", of, created: of.charged };
	return { type: "not_final", of, atBank: null, at: performance.now() };
}

/** Returns when the server should cancel the payment, in milliseconds of performance.now(), or Infinity. The
 *  cancellation settles the outcome: it either succeeds (not charged) or fails (paid). */
function cancelAt(purchase: Purchase): number {
	if (purchase.phase !== "checking") return Number.POSITIVE_INFINITY;
	if (purchase.confirmation === "ended") return purchase.since + 15_000;
	// the bank's dialog may be open
	if (purchase.confirmation !== "open" || purchase.atBank === null) return Number.POSITIVE_INFINITY;
	return purchase.since + (purchase.atBank ? 15 : 2) * 60_000;
}

const intercepted = { code: "intercepted", message: interceptedAdvice };

/** Returns whether only another document of the shop can help after an error with this code. */
const needsDocument = (code?: string) => code === intercepted.code || code === "currency_changed";

const createdExample: Created = { clientSecret: "", signature: "" };

/** Returns the code and the message of an error response. */
function errorOf(body: unknown): { code?: string; message?: string } {
	return isLike(body, { error: { code: "", message: "" } }) ? body.error : {};
}

const isPrice = (entry: [string, unknown]): entry is [string, number] => isLike(entry[1], 0);

const awaitsOutcome = ({ phase }: Purchase) => phase === "confirmed" || phase === "checking";

function json(body: unknown) {
	return { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

/** Returns whether the card was certainly not charged. The error's type alone does not prove this: a retry can fail
 *  with lock_timeout while the original confirmation is still running. */
function isDecline({ type, code, payment_intent }: NonNullable<Confirmation["error"]>): boolean {
	if (code === "lock_timeout" || code === "rate_limit") return false;
	if (type === "card_error" || type === "validation_error") return true;
	return type === "invalid_request_error" && payment_intent?.status === "requires_payment_method";
}
