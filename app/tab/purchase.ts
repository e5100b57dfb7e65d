import { currency } from "#app/brand.ts";
import { formatMoney } from "#app/ui/money.ts";
import { type AppState, type BasketItem, basketTotal } from "./basket.ts";

/** What a tab keeps of an order, from Buy Now to the receipt. */
export interface Bought {
	items: BasketItem[];
	/** In lower case, as in brand.ts of the build that has prepared the intent. */
	currency: string;
	buyer: string;
}

/** What a tab would buy now. */
type Order = Pick<AppState, "basket"> & Pick<Bought, "buyer">;

/** A PaymentIntent of this tab, with what its latest attempt buys: no items before the first attempt. */
export interface Intent extends Bought {
	clientSecret: string;
	/** The server's signature, which proves the amount; empty if it is unknown. */
	signature: string;
	total: number;
	/** The number of the current round of polls. A new round starts with an immediate poll. */
	round: number;
}

/** The fields of Stripe.js's result that are read. */
export interface Confirmation {
	paymentIntent?: { status: string };
	error?: { type: string; code?: string; message?: string; payment_intent?: { status: string } };
}

type Confirm = (clientSecret: string) => Promise<Confirmation>;

/** How the latest attempt ended without an order, or why no intent could be prepared. */
export interface Message {
	text: string;
	/** The button that helps: `load_page` if something else has answered, or prices are in another currency now. */
	button?: "try_again" | "load_page";
}

export type Purchase =
	| {
			phase: "idle";
			/** The latest intent. The next create request sends its client secret, so that the server never leaves two
			 *  intents that can be charged. */
			intent: Intent | null;
			/** The latest request for an intent, until it succeeds. */
			request: { total: number; hasFailed: boolean } | null;
			message: Message | null;
	  }
	/** The order is being stored; nothing has been charged. */
	| { phase: "placing"; intent: Intent; confirm: Confirm }
	| { phase: "confirming"; intent: Intent; confirm: Confirm }
	/** Stripe.js has reported success, and the first poll is in flight. */
	| { phase: "confirmed"; intent: Intent }
	| {
			phase: "checking";
			intent: Intent;
			confirmation: ConfirmationState;
			/** When the checking began, or when the confirmation ended, in milliseconds of performance.now(): the device's
			 *  clock may jump. */
			since: number;
	  };

/** What is known of the confirmation of a payment that is being checked. */
export type ConfirmationState =
	/** Another tab may be confirming the payment. */
	| "unknown"
	/** Stripe.js has not returned a result, and the bank's dialog may be open. */
	| "open"
	/** Stripe.js has not returned a result, and the bank's dialog is open. */
	| "at_bank"
	/** Stripe.js has not returned a result, and no dialog is open. */
	| "stuck"
	/** Stripe.js has reported success. */
	| "succeeded"
	/** This tab is not confirming the payment, and no definite result is known. */
	| "ended"
	/** The outcome is known, but the bank's dialog may cover this document, so another document is loading, which shows it.
	 *  If the shopper stops that, this document continues after a while. */
	| "covered";

export type In<Phase extends Purchase["phase"]> = Extract<Purchase, { phase: Phase }>;

export type PurchaseEvent =
	/** A reload interrupted the payment of this intent, or this tab is a copy of the one that pays. */
	| { type: "resume"; intent: Intent; at: number }
	| { type: "prepared"; clientSecret: string; signature: string }
	| { type: "prepare_failed"; message: Message }
	| { type: "try_again" }
	/** The server has not created an intent or placed an order, because this intent's payment has begun. */
	| { type: "payment_in_progress"; at: number }
	| { type: "buy"; confirm: Confirm }
	| { type: "placed" }
	/** The attempt failed before the confirmation, so nothing was charged. */
	| { type: "refused"; message: Message; reason?: "intent_gone" | "identity_changed" }
	| { type: "declined"; message: Message }
	/** The shopper has changed the card, so the message about the latest attempt is out of date. */
	| { type: "card_changed" }
	| { type: "confirmed"; at: number }
	/** The confirmation has no definite result, or another document must show the outcome ("covered"). */
	| { type: "unconfirmed"; confirmation: "open" | "ended" | "covered"; at: number }
	/** No other tab is confirming the payment, so no bank dialog is open for it. */
	| { type: "lock_acquired"; at: number }
	| { type: "online" }
	/** A poll found no outcome. `atBank`: whether the bank's dialog is open; null if that is unknown. */
	| { type: "not_final"; atBank: boolean | null; at: number }
	/** `created`: when the payment was created, in Unix seconds. */
	| { type: "paid"; created: number }
	/** Canceled at Stripe, or refunded. */
	| { type: "not_bought"; message: Message }
	| { type: "form_left" };

export const checkingNotice = "We're checking your payment. This page updates automatically. Please don't pay again.";

export const refunded: Message = { text: "Your payment was refunded, and nothing will be delivered." };

export const stayNotice = "Your payment is being processed. Please stay on this page until it's done.";

export const paidNotice = ({ amount, currency }: { amount: number; currency: string }) =>
	`Your payment of ${formatMoney(amount, currency)} went through.`;

export const idle = { phase: "idle", intent: null, request: null, message: null } as const;

/** Returns the state after an event, or the same object if the event does not apply. No event is about another intent
 *  or an earlier attempt, because work that is aborted dispatches nothing (work.ts). A poll's outcome applies in every
 *  phase: the poll may have been sent in an earlier one. */
export function reducePurchase(purchase: Purchase, event: PurchaseEvent, order: Order): Purchase {
	if (event.type === "paid") return purchase.intent ? idle : purchase;
	if (purchase.phase === "idle") return reduceIdle(purchase, event, order);
	if (event.type === "not_bought") return { ...idle, message: event.message };
	switch (purchase.phase) {
		case "placing":
			return reducePlacing(purchase, event);
		case "confirming":
			return reduceConfirming(purchase, event);
		case "confirmed":
			if (event.type === "online") return { ...purchase, intent: nextRound(purchase.intent) };
			if (event.type !== "not_final") return purchase;
			return { ...checking(purchase.intent, "succeeded", event.at), intent: purchase.intent };
		case "checking":
			return reduceChecking(purchase, event);
	}
}

function reduceIdle(purchase: In<"idle">, event: PurchaseEvent, order: Order): Purchase {
	const { intent, request, message } = purchase;
	switch (event.type) {
		case "resume":
			return checking(event.intent, "unknown", event.at);
		case "prepared": {
			if (!request || request.hasFailed) return purchase;
			const { clientSecret, signature } = event;
			const { total } = request;
			const attempt = intent?.clientSecret === clientSecret ? intent : { items: [], buyer: "", round: 0 };
			return { ...purchase, intent: { ...attempt, clientSecret, signature, total, currency }, request: null };
		}
		case "prepare_failed":
			if (!request || request.hasFailed) return purchase;
			// how the attempt before it ended is more important
			return { ...purchase, request: { ...request, hasFailed: true }, message: { ...event.message, ...message } };
		case "try_again":
			if (!request?.hasFailed) return purchase;
			return { ...purchase, request: { ...request, hasFailed: false }, message: null };
		case "payment_in_progress":
			return intent ? checking(intent, "ended", event.at) : purchase;
		case "buy": {
			if (!intent || !canBuy(purchase, order)) return purchase;
			const { basket: items, buyer } = order;
			return { phase: "placing", intent: { ...intent, items, buyer }, confirm: event.confirm };
		}
		case "card_changed":
			return message && !request?.hasFailed ? { ...purchase, message: null } : purchase;
		case "not_bought":
			// this poll was sent before the decline: keep the decline's message
			return intent ? { ...purchase, intent: null } : purchase;
		case "form_left":
			return { ...idle, intent };
		default:
			return purchase;
	}
}

function reducePlacing(purchase: In<"placing">, event: PurchaseEvent): Purchase {
	const { intent } = purchase;
	switch (event.type) {
		case "payment_in_progress":
			return checking(intent, "ended", event.at);
		case "placed":
			return { ...purchase, phase: "confirming" };
		case "refused":
			return { ...idle, intent: event.reason === "intent_gone" ? null : intent, message: event.message };
		default:
			return purchase;
	}
}

/** The confirmation is open. The payment may already be shown as being checked. */
function reduceConfirming(purchase: In<"confirming" | "checking">, event: PurchaseEvent): Purchase {
	const { intent } = purchase;
	switch (event.type) {
		case "declined":
			return { ...idle, intent, message: event.message };
		case "confirmed":
			if (purchase.phase === "confirming") return { phase: "confirmed", intent: nextRound(intent) };
			return checking(intent, "succeeded", event.at);
		case "unconfirmed":
			return checking(intent, event.confirmation, event.at);
		default:
			return purchase;
	}
}

function reduceChecking(purchase: In<"checking">, event: PurchaseEvent): Purchase {
	const { intent, confirmation } = purchase;
	switch (event.type) {
		case "lock_acquired":
			return confirmation === "unknown" ? { ...purchase, confirmation: "ended", since: event.at } : purchase;
		case "online":
			return { ...purchase, intent: nextRound(intent) };
		case "not_final": {
			if (!isConfirming(purchase)) return purchase;
			// after a failed poll, assume that an open dialog is still open and that a closed one may have opened
			const assumed = confirmation === "at_bank" ? confirmation : "open";
			const found = event.atBank === null ? assumed : event.atBank ? "at_bank" : "stuck";
			return found === confirmation ? purchase : { ...purchase, confirmation: found };
		}
		case "unconfirmed":
			return isConfirming(purchase) || confirmation === "covered" ? reduceConfirming(purchase, event) : purchase;
		default:
			return isConfirming(purchase) ? reduceConfirming(purchase, event) : purchase;
	}
}

/** Returns whether a payment is in progress, so that the basket must not change. */
export const isPaying = ({ phase }: Purchase) => phase !== "idle";

/** Returns whether Stripe.js is confirming the card, maybe in the bank's dialog, which covers the page. */
export function isConfirming(purchase: Purchase): purchase is In<"confirming" | "checking"> {
	if (purchase.phase !== "checking") return purchase.phase === "confirming";
	return ["open", "at_bank", "stuck"].includes(purchase.confirmation);
}

/** Returns whether leaving the page, which may contain the bank's dialog, would interrupt the payment. */
export function mustStay(purchase: Purchase): boolean {
	return purchase.phase === "checking" ? purchase.confirmation === "at_bank" : isPaying(purchase);
}

/** Returns the purchase that requests an intent for this order, or the same object if it has one, or has requested one. */
export function prepare(purchase: Purchase, order: Order): Purchase {
	if (purchase.phase !== "idle" || canBuy(purchase, order)) return purchase;
	const { request, message } = purchase;
	const total = basketTotal(order.basket);
	if (request?.total === total) return purchase;
	return { ...purchase, request: { total, hasFailed: false }, message: request?.hasFailed ? null : message };
}

export function canBuy(purchase: Purchase, order: Order): boolean {
	const { intent } = purchase;
	const isPrepared = purchase.phase === "idle" && purchase.request === null;
	return isPrepared && intent?.total === basketTotal(order.basket) && isUsable(intent, order);
}

/** Returns whether an intent can pay for an order with its total. After an attempt, it can pay only for that order, which
 *  the server has stored. */
export function isUsable(intent: Intent, { basket, buyer }: Order): boolean {
	const isOfAttempt = intent.buyer === buyer && linesOf(intent.items) === linesOf(basket);
	return intent.currency === currency && (intent.items.length === 0 || isOfAttempt);
}

const linesOf = (items: BasketItem[]) => JSON.stringify(items.map(({ id, priceCents }) => [id, priceCents]).toSorted());

const nextRound = (intent: Intent) => ({ ...intent, round: intent.round + 1 });

function checking(intent: Intent, confirmation: ConfirmationState, since: number): In<"checking"> {
	return { phase: "checking", intent: nextRound(intent), confirmation, since };
}
