import { currency } from "#app/brand.ts";
import { formatMoney } from "#app/ui/money.ts";
import type { BasketItem } from "./basket.ts";

/** What a tab keeps of an order, from Buy Now to the receipt. */
export interface Bought {
	items: BasketItem[];
	/** The owner for whom it is bought (see owner.ts). */
	owner: string;
}

/** A PaymentIntent of this tab, with what its latest attempt buys: no items before the first attempt. */
export interface Intent extends Bought {
	clientSecret: string;
	/** The server's signature, which proves the amount; empty if it is unknown. */
	signature: string;
	/** Cents. */
	total: number;
	/** In lower case, as in brand.ts of the build that has prepared it. */
	currency: string;
	/** The number of times Buy Now was clicked with this intent. */
	attempt: number;
	/** The number of the current round of polls. A new round starts with an immediate poll. */
	round: number;
	/** When the payment was created, in Unix seconds, once Stripe.js has reported that it succeeded; 0 before. */
	charged: number;
}

/** The fields of Stripe.js's result that are read. */
export interface Confirmation {
	paymentIntent?: { status: string; created: number };
	error?: { type: string; code?: string; message?: string; payment_intent?: { status: string } };
}

/** Confirms the shopper's card with Stripe.js. */
type Confirm = (clientSecret: string) => Promise<Confirmation>;

export type Purchase =
	| {
			phase: "idle";
			/** The latest intent. The next create request sends its client secret, so that the server never leaves two
			 *  intents that can be charged. */
			intent: Intent | null;
			/** The total, in cents, for which another intent is being requested, or was requested without success. */
			preparing: number | null;
			/** Why that intent could not be prepared. */
			failure: string | null;
			/** How the latest attempt ended without an order. */
			notice: string | null;
			/** Whether only another document can help: something has answered in the shop's place, or prices are in another
			 *  currency now. */
			needsDocument: boolean;
	  }
	/** The order is being stored; nothing has been charged. */
	| { phase: "placing"; intent: Intent; confirm: Confirm }
	| { phase: "confirming"; intent: Intent; confirm: Confirm }
	/** Stripe.js has reported success, and the first poll is in flight. */
	| { phase: "confirmed"; intent: Intent }
	| {
			phase: "checking";
			intent: Intent;
			/** `unknown`: another tab may be confirming the payment. `ended`: this tab is not confirming it, and no definite
			 *  result is known. `covered`: the outcome is known, but the bank's dialog may cover this document, so another
			 *  document is loading, which shows it. */
			confirmation: "unknown" | "open" | "ended" | "succeeded" | "covered";
			/** Whether Stripe is waiting for the bank's dialog; null while that is unknown. */
			atBank: boolean | null;
			/** When `confirmation` last changed, in milliseconds of performance.now(): the device's clock may jump. */
			since: number;
	  };

export type PurchaseEvent =
	/** A reload interrupted the payment of this intent, or this tab is a copy of the one that pays. */
	| { type: "resume"; intent: Intent; at: number }
	/** The card form needs an intent for this total, in cents. */
	| { type: "prepare"; total: number }
	| { type: "prepared"; total: number; clientSecret: string; signature: string }
	| { type: "prepare_failed"; total: number; failure: string; needsDocument: boolean }
	| { type: "try_again" }
	/** The server has not created an intent or placed an order, because this intent's payment has begun. */
	| { type: "payment_in_progress"; at: number }
	| ({ type: "buy"; confirm: Confirm } & Bought)
	| { type: "placed" }
	/** The attempt failed before the confirmation, so nothing was charged. */
	| { type: "refused"; notice: string; reason?: "intent_gone" | "identity_changed" | "needs_document" }
	/** The confirmation has taken too long. It may still return a result. */
	| { type: "silence"; of: Intent; at: number }
	| { type: "declined"; of: Intent; notice: string }
	/** The shopper has changed the card, so the notice about the latest attempt is out of date. */
	| { type: "card_changed" }
	/** `created`: when the payment was created, in Unix seconds. */
	| { type: "confirmed"; of: Intent; created: number; at: number }
	| { type: "confirmation_ended"; of: Intent; at: number }
	/** No other tab is confirming the payment, so no bank dialog is open for it. */
	| { type: "lock_acquired"; of: Intent; at: number }
	| { type: "online" }
	| { type: "not_final"; of: Intent; atBank: boolean | null; at: number }
	/** The outcome is known while the confirmation is open. */
	| { type: "covered"; of: Intent; at: number }
	/** `created`: when the payment was created, in Unix seconds. */
	| { type: "paid"; of: Intent; created: number }
	/** Canceled at Stripe, or refunded. */
	| { type: "not_bought"; of: Intent; notice: string }
	| { type: "form_left" };

export const checkingNotice = "We're checking your payment. This page updates automatically. Please don't pay again.";

export const stayNotice = "Your payment is being processed. Please stay on this page until it's done.";

/** Returns the notice of a paid order. `amount` is in cents. */
export const paidNotice = ({ amount, currency }: { amount: number; currency: string }) =>
	`Your payment of ${formatMoney(amount, currency)} went through.`;

export const idle = {
	phase: "idle",
	intent: null,
	preparing: null,
	failure: null,
	notice: null,
	needsDocument: false,
} as const;

/** Returns the state after an event, or the same object if the event does not apply, such as a late result of an
 *  earlier confirmation. A poll's result concerns the intent, not an attempt, so it applies in every phase that has
 *  this intent. */
export function reducePurchase(purchase: Purchase, event: PurchaseEvent): Purchase {
	const { phase } = purchase;
	switch (event.type) {
		case "resume":
			return phase === "idle" ? checking(event.intent, "unknown", event.at) : purchase;
		case "prepare":
			if (phase !== "idle" || purchase.preparing === event.total || canBuy(purchase, event.total)) return purchase;
			return { ...purchase, preparing: event.total, failure: null, needsDocument: false };
		case "prepared": {
			if (!awaitsIntent(purchase, event.total)) return purchase;
			const { total, clientSecret, signature } = event;
			const used = purchase.intent?.clientSecret === clientSecret ? purchase.intent : unused;
			return { ...purchase, intent: { ...used, clientSecret, signature, total, currency }, preparing: null };
		}
		case "prepare_failed":
			if (!awaitsIntent(purchase, event.total)) return purchase;
			return { ...purchase, failure: event.failure, needsDocument: event.needsDocument };
		case "try_again":
			return phase === "idle" && purchase.failure ? { ...purchase, failure: null, needsDocument: false } : purchase;
		case "payment_in_progress":
			if ((phase !== "idle" && phase !== "placing") || !purchase.intent) return purchase;
			return checking(purchase.intent, "ended", event.at);
		case "buy": {
			if (phase !== "idle" || !purchase.intent) return purchase;
			const { type: _, confirm, ...bought } = event;
			const attempt = purchase.intent.attempt + 1;
			return { phase: "placing", intent: { ...purchase.intent, ...bought, attempt }, confirm };
		}
		case "placed":
			return phase === "placing" ? { ...purchase, phase: "confirming" } : purchase;
		case "refused":
			if (phase !== "placing") return purchase;
			return {
				...idle,
				intent: event.reason === "intent_gone" ? null : purchase.intent,
				notice: event.notice,
				needsDocument: event.reason === "needs_document",
			};
		case "silence":
			return phase === "confirming" && sameAttempt(purchase, event.of)
				? checking(purchase.intent, "open", event.at)
				: purchase;
		case "declined":
			return awaitsResult(purchase, event.of) ? { ...idle, intent: purchase.intent, notice: event.notice } : purchase;
		case "card_changed":
			return phase === "idle" && purchase.notice ? { ...purchase, notice: null, needsDocument: false } : purchase;
		case "confirmed": {
			if (!awaitsResult(purchase, event.of)) return purchase;
			const intent = { ...purchase.intent, charged: event.created };
			if (phase === "confirming") return { phase: "confirmed", intent: nextRound(intent) };
			return checking(intent, "succeeded", event.at);
		}
		case "confirmation_ended":
			return awaitsResult(purchase, event.of) ? checking(purchase.intent, "ended", event.at) : purchase;
		case "lock_acquired":
			if (phase !== "checking" || purchase.confirmation !== "unknown" || !sameAttempt(purchase, event.of))
				return purchase;
			return { ...purchase, confirmation: "ended", since: event.at };
		case "online":
			return phase === "confirmed" || phase === "checking"
				? { ...purchase, intent: nextRound(purchase.intent) }
				: purchase;
		case "not_final":
			if (!sameIntent(purchase, event.of)) return purchase;
			if (phase === "confirmed")
				return { ...checking(purchase.intent, "succeeded", event.at), intent: purchase.intent };
			return phase === "checking" ? withBank(purchase, event.atBank) : purchase;
		case "covered":
			if (!isConfirming(purchase) || !sameIntent(purchase, event.of)) return purchase;
			return checking(purchase.intent, "covered", event.at);
		case "paid":
			return sameIntent(purchase, event.of) ? idle : purchase;
		case "not_bought":
			if (!sameIntent(purchase, event.of)) return purchase;
			// this poll was sent before the decline: keep the decline's notice
			if (phase === "idle") return { ...purchase, intent: null };
			return { ...idle, notice: event.notice };
		case "form_left":
			return phase === "idle" ? { ...idle, intent: purchase.intent } : purchase;
	}
}

/** Returns whether a payment is in progress, so that the basket must not change. */
export function isPaying({ phase }: Purchase): boolean {
	return phase !== "idle";
}

/** Returns whether Stripe.js is confirming the card, maybe in the bank's dialog, which covers the page. */
export function isConfirming(purchase: Purchase): purchase is Extract<Purchase, { phase: "confirming" | "checking" }> {
	return purchase.phase === "confirming" || (purchase.phase === "checking" && purchase.confirmation === "open");
}

/** Returns whether leaving the page, which may contain the bank's dialog, would interrupt the payment. */
export function mustStay(purchase: Purchase): boolean {
	if (purchase.phase !== "checking") return isPaying(purchase);
	return purchase.confirmation === "open" && purchase.atBank === true;
}

/** Returns whether a basket with this total, in cents, can be bought now. */
export function canBuy(purchase: Purchase, total: number): boolean {
	const { intent } = purchase;
	const isPrepared = purchase.phase === "idle" && purchase.preparing === null;
	return isPrepared && intent?.total === total && intent.currency === currency;
}

/** Returns whether an intent for this total, in cents, is being requested. */
function awaitsIntent(purchase: Purchase, total: number): purchase is Extract<Purchase, { phase: "idle" }> {
	return purchase.phase === "idle" && purchase.preparing === total && purchase.failure === null;
}

const unused = { attempt: 0, items: [], owner: "", round: 0, charged: 0 };

type Checking = Extract<Purchase, { phase: "checking" }>;

function nextRound(intent: Intent): Intent {
	return { ...intent, round: intent.round + 1 };
}

function checking(intent: Intent, confirmation: Checking["confirmation"], since: number): Checking {
	return { phase: "checking", intent: nextRound(intent), confirmation, atBank: null, since };
}

function withBank(purchase: Checking, found: boolean | null): Checking {
	// after a failed poll, assume that an open dialog is still open and that a closed one may have opened
	const atBank = found ?? (purchase.atBank || null);
	return atBank === purchase.atBank ? purchase : { ...purchase, atBank };
}

/** Returns whether this confirmation has no result yet. */
function awaitsResult(
	purchase: Purchase,
	of: Intent,
): purchase is Extract<Purchase, { phase: "confirming" | "checking" }> {
	return isConfirming(purchase) && sameAttempt(purchase, of);
}

/** Returns whether a result is about the purchase's PaymentIntent, in any attempt. */
function sameIntent(purchase: Purchase, of: Intent): purchase is Purchase & { intent: Intent } {
	return purchase.intent?.clientSecret === of.clientSecret;
}

/** Returns whether a result is about the purchase's latest attempt to pay. */
function sameAttempt(purchase: Purchase, of: Intent): boolean {
	return sameIntent(purchase, of) && purchase.intent.attempt === of.attempt;
}
