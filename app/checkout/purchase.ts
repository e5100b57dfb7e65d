import type { BasketItem } from "#app/basket/basket.ts";

/** A PaymentIntent of this tab. */
export interface Intent {
	clientSecret: string;
	/** The server's signature, which proves the amount. */
	signature: string | undefined;
	/** Cents. */
	total: number;
	/** The number of times an order was placed with this intent. */
	attempt: number;
	/** The items of the latest attempt; empty before the first. */
	items: BasketItem[];
}

export type Purchase =
	| {
			phase: "idle";
			/** The latest intent. The next create request sends its client secret, so that the server never leaves two
			 *  intents that can be charged. */
			intent: Intent | null;
			/** The total, in cents, for which an intent is being requested. */
			preparing: number | null;
			/** Why the latest intent could not be prepared. */
			failure: string | null;
			/** How the latest attempt ended without an order. */
			notice: string | null;
	  }
	/** The order is being stored; nothing has been charged. */
	| { phase: "placing"; intent: Intent }
	| { phase: "confirming"; intent: Intent }
	/** Stripe.js has reported success, and the first poll is in flight. */
	| { phase: "confirmed"; intent: Intent }
	| {
			phase: "checking";
			intent: Intent;
			/** `unknown`: another tab may be confirming the payment. `ended`: the confirmation call has ended without a
			 *  definite result. */
			confirmation: "unknown" | "open" | "ended" | "succeeded";
			/** Whether Stripe is waiting for the bank's dialog; null while that is unknown. */
			atBank: boolean | null;
			/** When `confirmation` last changed, in Unix milliseconds. */
			since: number;
			notice: string;
	  }
	| { phase: "paid" };

export type PurchaseEvent =
	/** A reload interrupted the payment of this intent, or this tab is a copy of the one that pays. */
	| { type: "resume"; intent: Intent; at: number }
	/** An intent for this total, in cents, is being requested; 0 if none is needed. */
	| { type: "prepare"; total: number }
	| { type: "prepared"; intent: Intent }
	| { type: "prepare_failed"; total: number; failure: string }
	| { type: "payment_in_progress"; at: number }
	| { type: "buy"; items: BasketItem[] }
	| { type: "placed" }
	/** The attempt failed before the confirmation, so nothing was charged. */
	| { type: "refused"; notice: string; intent: "kept" | "gone" }
	| { type: "already_placed"; at: number }
	/** The confirmation has taken too long. It may still return a result. */
	| { type: "silence"; of: Intent; at: number }
	| { type: "declined"; of: Intent; notice: string }
	| { type: "confirmed"; of: Intent; at: number }
	| { type: "confirmation_ended"; of: Intent; at: number }
	| { type: "not_final"; of: Intent; atBank: boolean | null; at: number }
	| { type: "paid"; of: Intent }
	/** Canceled at Stripe, or refunded. */
	| { type: "not_bought"; of: Intent; notice: string }
	| { type: "notice_read" };

export const checkingNotice = "We're checking your payment. This page updates automatically. Please don't pay again.";

export const idle = { phase: "idle", intent: null, preparing: null, failure: null, notice: null } as const;

/** Returns the state after an event, or the same object if the event does not apply, such as a late result of an
 *  earlier confirmation. A poll's result concerns the intent, not an attempt, so it applies in every phase that has
 *  this intent. */
export function reduce(purchase: Purchase, event: PurchaseEvent): Purchase {
	const { phase } = purchase;
	switch (event.type) {
		case "resume":
			return phase === "idle" ? checking(event.intent, "unknown", event.at) : purchase;
		case "prepare":
			if (phase === "paid" && event.total > 0) return { ...idle, preparing: event.total };
			return phase === "idle" ? { ...purchase, preparing: event.total || null, failure: null } : purchase;
		case "prepared":
			if (phase !== "idle" || purchase.preparing !== event.intent.total) return purchase;
			return { ...purchase, intent: event.intent, preparing: null };
		case "prepare_failed":
			if (phase !== "idle" || purchase.preparing !== event.total) return purchase;
			return { ...purchase, preparing: null, failure: event.failure };
		case "payment_in_progress":
			return phase === "idle" && purchase.intent ? checking(purchase.intent, "ended", event.at) : purchase;
		case "buy": {
			if (phase !== "idle" || !purchase.intent) return purchase;
			return {
				phase: "placing",
				intent: { ...purchase.intent, attempt: purchase.intent.attempt + 1, items: event.items },
			};
		}
		case "placed":
			return phase === "placing" ? { phase: "confirming", intent: purchase.intent } : purchase;
		case "refused":
			if (phase !== "placing") return purchase;
			return { ...idle, intent: event.intent === "kept" ? purchase.intent : null, notice: event.notice };
		case "already_placed":
			return phase === "placing" ? checking(purchase.intent, "ended", event.at) : purchase;
		case "silence":
			return phase === "confirming" && isSame(purchase.intent, event.of)
				? checking(purchase.intent, "open", event.at)
				: purchase;
		case "declined":
			return isOpen(purchase, event.of) ? { ...idle, intent: purchase.intent, notice: event.notice } : purchase;
		case "confirmed":
			if (!isOpen(purchase, event.of)) return purchase;
			if (phase === "confirming") return { phase: "confirmed", intent: purchase.intent };
			return checking(purchase.intent, "succeeded", event.at);
		case "confirmation_ended":
			return isOpen(purchase, event.of) ? checking(purchase.intent, "ended", event.at) : purchase;
		case "not_final":
			if (!hasIntent(purchase, event.of)) return purchase;
			if (phase === "confirmed") return checking(purchase.intent, "succeeded", event.at);
			if (phase !== "checking") return purchase;
			return withBank(purchase, event.atBank);
		case "paid":
			return hasIntent(purchase, event.of) ? { phase: "paid" } : purchase;
		case "not_bought":
			if (!hasIntent(purchase, event.of)) return purchase;
			// this poll was sent before the decline: keep the decline's notice
			if (phase === "idle") return { ...purchase, intent: null };
			return { ...idle, notice: event.notice };
		case "notice_read":
			return phase === "idle" && purchase.notice ? { ...purchase, notice: null } : purchase;
	}
}

/** Returns whether a payment is in progress, so that the basket must not change. */
export function isPaying({ phase }: Purchase): boolean {
	return phase !== "idle" && phase !== "paid";
}

/** Returns whether leaving the page, which contains the bank's dialog, would interrupt the payment. */
export function mustStay(purchase: Purchase): boolean {
	const { phase } = purchase;
	if (phase === "checking") return purchase.confirmation === "open" && purchase.atBank === true;
	return phase === "placing" || phase === "confirming" || phase === "confirmed";
}

/** Returns whether a basket with this total, in cents, can be bought now. */
export function canBuy(purchase: Purchase, total: number): boolean {
	if (purchase.phase !== "idle" || total === 0) return false;
	return purchase.preparing === null && purchase.failure === null && purchase.intent?.total === total;
}

/** Returns when the server should cancel the payment, in Unix milliseconds, or Infinity. The cancellation settles the
 *  outcome: it either succeeds (not charged) or fails (paid). */
export function cancelAt(purchase: Purchase): number {
	if (purchase.phase !== "checking") return Number.POSITIVE_INFINITY;
	if (purchase.confirmation === "ended") return purchase.since + 15_000;
	// the bank's dialog may be open
	if (purchase.confirmation !== "open" || purchase.atBank === null) return Number.POSITIVE_INFINITY;
	return purchase.since + (purchase.atBank ? 15 : 2) * 60_000;
}

type Checking = Extract<Purchase, { phase: "checking" }>;

function withBank(purchase: Checking, found: boolean | null): Checking {
	// after a failed poll, assume that an open dialog is still open and that a closed one may have opened
	const atBank = found ?? (purchase.atBank || null);
	return atBank === purchase.atBank ? purchase : { ...purchase, atBank };
}

function checking(intent: Intent, confirmation: Checking["confirmation"], since: number): Checking {
	return { phase: "checking", intent, confirmation, atBank: null, since, notice: checkingNotice };
}

/** Returns whether this confirmation has no result yet. */
function isOpen(purchase: Purchase, of: Intent): purchase is Extract<Purchase, { phase: "confirming" | "checking" }> {
	const { phase } = purchase;
	if (phase !== "confirming" && phase !== "checking") return false;
	if (phase === "checking" && purchase.confirmation !== "open" && purchase.confirmation !== "unknown") return false;
	return isSame(purchase.intent, of);
}

function hasIntent(
	purchase: Purchase,
	of: Intent,
): purchase is Exclude<Purchase, { phase: "paid" }> & { intent: Intent } {
	return purchase.phase !== "paid" && purchase.intent?.clientSecret === of.clientSecret;
}

function isSame(a: Intent, b: Intent): boolean {
	return a.clientSecret === b.clientSecret && a.attempt === b.attempt;
}
