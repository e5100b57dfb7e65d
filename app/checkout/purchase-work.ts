import {
	type Confirmation,
	type ConfirmationState,
	type In,
	type Intent,
	isConfirming,
	mustStay,
	type Purchase,
} from "#app/tab/purchase.ts";
import { loadDocument, type Tab, tab } from "#app/tab/tab.ts";
import type { TabEvent, TabState } from "#app/tab/tab-state.ts";
import { runWork, type Work, wait } from "#app/tab/work.ts";
import { lock } from "./lock.ts";
import { createIntent, describeDecline, expired, placeOrder, requestOutcome } from "./payment-requests.ts";

/** A document of the shop: its tab, and what the tab's purchases use of the browser. */
interface Page {
	tab: Tab;
	fetch: typeof fetch;
	lock: typeof lock;
	/** Loads the page's document again, which takes over the basket and the payment; null if storage is denied. */
	loadDocument: (() => void) | null;
}

/** Timeout after which an unfinished confirmation is shown as being checked, in milliseconds. */
const confirmationTimeout = 8000;
/** Delays between the first polls, in milliseconds. */
const pollDelays = [1000, 2000, 4000, 8000, 15_000];
/** The time in which the bank's dialog may close by itself after a poll has found the outcome, in milliseconds. */
const closingTime = 2000;
/** The time in which a document that is being loaded should replace this one, in milliseconds. */
const loadingTime = 30_000;
/** Delay between all later polls, in milliseconds. */
const maxDelay = 30_000;

const minute = 60_000;
const never = Number.POSITIVE_INFINITY;
/** How long a payment is checked before the server should cancel it, in milliseconds. The cancellation settles the outcome:
 *  it either succeeds (not charged) or fails (paid). */
const patience: Record<ConfirmationState, number> = {
	unknown: never,
	open: never,
	at_bank: 15 * minute,
	stuck: 2 * minute,
	succeeded: never,
	ended: 15_000,
	covered: never,
};

/** Does the work of the tab's purchases: prepares intents, places orders, confirms cards and polls payments. Reports "not
 *  charged" only if that is certain: the confirmation returned a decline, Stripe confirmed a cancellation, or the attempt
 *  failed before the confirmation was sent. */
export function runPurchases(page: Page): void {
	runWork(page.tab, (state) => worksOf(page, state));
}

/** Returns the work of a state. Work whose key stays the same goes on, and other work is aborted (tab/work.ts). A poll
 *  that has been sent is finished in every phase, unless another document is loading. */
function worksOf(page: Page, state: TabState): (Work<TabEvent> | null)[] {
	const { fetch } = page;
	const { purchase, user } = state;
	const { intent } = purchase;
	const poll = intent && { key: ["poll", intent.clientSecret, intent.round], start: pollUntilFinal(page, intent) };
	switch (purchase.phase) {
		case "idle": {
			const { request } = purchase;
			if (!request || request.hasFailed) return [poll];
			const create = (signal: AbortSignal) => createIntent({ fetch, signal }, request.total, state);
			return [poll, report(["create", request.total, intent?.clientSecret], create)];
		}
		case "placing":
			return [poll, report(["place"], (signal) => placeOrder({ fetch, signal }, purchase.intent, user?.id ?? null))];
		case "confirming":
			return [poll, report(["silence"], waitForSilence), report(["confirm"], () => confirmCard(page, purchase))];
		case "confirmed":
			return [poll];
		case "checking": {
			const { confirmation, intent } = purchase;
			if (isConfirming(purchase)) return [poll, ongoingConfirmation];
			if (confirmation === "unknown")
				return [poll, report(["lock", intent.clientSecret], () => waitForLock(page, intent))];
			return [confirmation === "covered" ? report(["load"], (signal) => loadOutcome(page, signal)) : poll];
		}
	}
}

function report(key: Work<TabEvent>["key"], find: (signal: AbortSignal) => Promise<TabEvent>): Work<TabEvent> {
	return { key, start: async (dispatch, signal) => dispatch(await find(signal)) };
}

/** The confirmation of the phase before, which cannot begin again. */
const ongoingConfirmation: Work<TabEvent> = { key: ["confirm"], start() {} };

async function confirmCard(page: Page, { intent, confirm }: In<"confirming">): Promise<TabEvent> {
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
	if (error && isGone(error)) return { type: "not_bought", message: expired };
	if (error && isDecline(error)) return { type: "declined", message: describeDecline(error) };
	if (paymentIntent?.status !== "succeeded") return unconfirmed("ended");
	return { type: "confirmed", at: performance.now() };
}

function unconfirmed(confirmation: "open" | "ended" | "covered"): TabEvent {
	return { type: "unconfirmed", confirmation, at: performance.now() };
}

/** Loads the document that shows the outcome. The shopper may stop that, or return to this document. */
async function loadOutcome({ loadDocument }: Page, signal: AbortSignal): Promise<TabEvent> {
	loadDocument?.();
	await wait(loadingTime, signal);
	return unconfirmed("ended");
}

async function waitForSilence(signal: AbortSignal): Promise<TabEvent> {
	await wait(confirmationTimeout, signal);
	return unconfirmed("open");
}

async function waitForLock(page: Page, intent: Intent): Promise<TabEvent> {
	await holdLock(page, intent);
	return { type: "lock_acquired", at: performance.now() };
}

function holdLock({ tab, lock }: Page, { clientSecret }: Intent, options?: { steal: boolean }): Promise<void> {
	return lock(clientSecret, () => !mustStay(tab.getState().purchase), options);
}

/** Returns the milliseconds until the server should cancel the payment, or Infinity. */
function timeUntilCancel(purchase: Purchase): number {
	return purchase.phase === "checking" ? purchase.since + patience[purchase.confirmation] - performance.now() : never;
}

function pollUntilFinal({ tab, fetch, loadDocument }: Page, intent: Intent): Work<TabEvent>["start"] {
	const purchase = () => tab.getState().purchase;
	const awaitsOutcome = () => ["confirmed", "checking"].includes(purchase().phase);
	return async (dispatch, signal) => {
		let unclear = 0;
		for (let polls = 0; awaitsOutcome(); polls++) {
			// a browser's extension may block one of the two addresses
			const path = unclear % 2 === 0 ? "fulfill" : "outcome";
			const event = await requestOutcome({ fetch, signal }, path, intent, timeUntilCancel(purchase()) <= 0);
			if (event.type === "not_final" && event.atBank === null) unclear++;
			if (event.type !== "not_final" && loadDocument && isConfirming(purchase())) {
				await wait(closingTime, signal);
				dispatch(unconfirmed("covered"));
			} else dispatch(event);
			if (signal.aborted) return;
			const delay = pollDelays[polls] ?? maxDelay;
			const untilCancel = timeUntilCancel(purchase());
			await wait(untilCancel > 0 ? Math.min(delay, untilCancel) : delay, signal);
		}
	};
}

/** Returns whether the intent can never be charged: it was canceled, for example by the cron or in Stripe's dashboard, or
 *  Stripe does not have it. */
function isGone({ code, payment_intent }: NonNullable<Confirmation["error"]>): boolean {
	return payment_intent?.status === "canceled" || code === "resource_missing";
}

/** Returns whether the card was certainly not charged. The error's type alone does not prove this: a retry can fail
 *  with lock_timeout while the original confirmation is still running. Stripe checks an email before the charge. */
function isDecline({ type, code, payment_intent }: NonNullable<Confirmation["error"]>): boolean {
	if (code === "lock_timeout" || code === "rate_limit") return false;
	if (type === "card_error" || type === "validation_error" || code === "email_invalid") return true;
	return type === "invalid_request_error" && payment_intent?.status === "requires_payment_method";
}

// Every page imports this module soon (ui/page-code.ts), because another document of the tab may have left a payment in
// progress. The server has no payment.
if (!import.meta.env.SSR) {
	// before-hydration/session-storage.ts replaces a denied one with an object that the next document does not have
	const handsOver = sessionStorage instanceof Storage;
	runPurchases({ tab, fetch, lock, loadDocument: handsOver ? loadDocument : null });
	addEventListener("online", () => tab.dispatch({ type: "online" }));
}
