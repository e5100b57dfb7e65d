import { type Confirmation, type In, type Intent, isConfirming, mustStay, type Purchase } from "#app/tab/purchase.ts";
import type { Tab } from "#app/tab/tab.ts";
import type { TabEvent, TabState } from "#app/tab/tab-state.ts";
import { runWork, type Work, type Works, wait } from "#app/tab/work.ts";
import { declinedNotice } from "./notices.ts";
import { createIntent, placeOrder, pollPayment } from "./payment-requests.ts";

/** A document of the shop: its tab, and what the tab's purchases use of the browser. */
export interface Page {
	tab: Tab;
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
export function runPurchases(page: Page): void {
	runWork(page.tab, (state) => worksOf(page, state));
}

/** Returns the work of each phase. */
function worksOf(page: Page, { purchase, user }: TabState): Works<TabEvent> {
	const { fetch, loadDocument } = page;
	const { intent } = purchase;
	// in phases without polls, only finishes a poll that has been sent
	const polls = intent && { [`poll ${intent.clientSecret} ${intent.round}`]: pollUntilFinal(page, intent) };
	switch (purchase.phase) {
		case "idle": {
			const { preparing, failure } = purchase;
			if (preparing === null || failure !== null) return { ...polls };
			const create = request((signal) => createIntent({ fetch, signal }, preparing, intent));
			return { ...polls, [`create ${preparing}`]: create };
		}
		case "placing": {
			const place = request((signal) => placeOrder({ fetch, signal }, purchase.intent, user?.id ?? null));
			return { ...polls, place };
		}
		case "confirming":
			return { ...polls, silence: reportSilence, confirm: confirmCard(page, purchase) };
		case "confirmed":
			return { ...polls };
		case "checking":
			if (purchase.confirmation === "covered") return { load: () => loadDocument?.() };
			if (purchase.confirmation === "unknown") return { ...polls, lock: waitForLock(page, purchase.intent) };
			return { ...polls, ...(purchase.confirmation === "open" && { confirm: hasBegun }) };
	}
}

/** The confirmation that a phase takes over from the previous one, which cannot be begun again. */
const hasBegun: Work<TabEvent> = () => {};

/** Returns the work that sends a request and dispatches its result. */
function request(send: (signal: AbortSignal) => Promise<TabEvent>): Work<TabEvent> {
	return async (dispatch, signal) => dispatch(await send(signal));
}

function confirmCard(page: Page, { intent, confirm }: In<"confirming">): Work<TabEvent> {
	return async (dispatch) => {
		// takes it from an earlier attempt, or from a copy that got it while this page was in the back/forward cache
		void holdLock(page, intent, { steal: true });
		let confirmation: Confirmation = {};
		try {
			confirmation = await confirm(intent.clientSecret);
		} catch (error) {
			// Stripe.js throws if it is called incorrectly, but the card may still have been charged
			console.error("The card payment could not be confirmed.", error);
		}
		const { error, paymentIntent } = confirmation;
		const at = performance.now();
		if (error && isDecline(error)) dispatch({ type: "declined", notice: declinedNotice(error) });
		else if (paymentIntent?.status !== "succeeded") dispatch({ type: "confirmation_ended", at });
		else dispatch({ type: "confirmed", created: paymentIntent.created, at });
	};
}

const reportSilence: Work<TabEvent> = async (dispatch, signal) => {
	await wait(confirmationTimeout, signal);
	dispatch({ type: "silence", at: performance.now() });
};

function pollUntilFinal({ tab, fetch, loadDocument }: Page, intent: Intent): Work<TabEvent> {
	const purchase = () => tab.getState().purchase;
	return async (dispatch, signal) => {
		let unanswered = 0;
		for (let polls = 0; awaitsOutcome(purchase()); polls++) {
			const answer = await pollPayment({ fetch, signal }, intent, performance.now() >= cancelAt(purchase()));
			if (!answer) unanswered++;
			const event = answer ?? withoutAnswer(intent, unanswered);
			if (event.type !== "not_final" && loadDocument && isConfirming(purchase())) {
				await wait(closingTime, signal);
				dispatch({ type: "covered", at: performance.now() });
			} else dispatch(event);
			if (signal.aborted) return;
			const delay = pollDelays[polls] ?? maxDelay;
			const untilCancel = cancelAt(purchase()) - performance.now();
			await wait(untilCancel > 0 ? Math.min(delay, untilCancel) : delay, signal);
		}
	};
}

function waitForLock(page: Page, intent: Intent): Work<TabEvent> {
	return async (dispatch) => {
		await holdLock(page, intent);
		dispatch({ type: "lock_acquired", at: performance.now() });
	};
}

function holdLock({ tab, lock }: Page, { clientSecret }: Intent, options?: { steal: boolean }): Promise<void> {
	return lock(clientSecret, () => !mustStay(tab.getState().purchase), options);
}

/** Returns the event of a poll without an answer, the last of this number of them. */
function withoutAnswer({ charged }: Intent, unanswered: number): TabEvent {
	if (charged > 0 && unanswered >= maxUnanswered) return { type: "paid", created: charged };
	return { type: "not_final", atBank: null, at: performance.now() };
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

const awaitsOutcome = ({ phase }: Purchase) => phase === "confirmed" || phase === "checking";

/** Returns whether the card was certainly not charged. The error's type alone does not prove this: a retry can fail
 *  with lock_timeout while the original confirmation is still running. */
function isDecline({ type, code, payment_intent }: NonNullable<Confirmation["error"]>): boolean {
	if (code === "lock_timeout" || code === "rate_limit") return false;
	if (type === "card_error" || type === "validation_error") return true;
	return type === "invalid_request_error" && payment_intent?.status === "requires_payment_method";
}
