import type { BasketItem } from "#app/basket/basket.ts";

/** A PaymentIntent of this tab. */
export interface Intent {
	clientSecret: string;
	/** The server's proof that this client secret and total belong together. */
	signature: string | undefined;
	/** Cents. */
	total: number;
	/** How many times an order was placed with it. */
	attempt: number;
	/** What the latest attempt pays for; empty before the first. */
	items: BasketItem[];
}

export type Purchase =
	| {
			phase: "idle";
			/** The latest intent; the next request names it, so that the server never leaves two that can be charged. */
			intent: Intent | null;
			/** The total, in cents, for which an intent is being requested. */
			preparing: number | null;
			/** Why no intent could be prepared. */
			failure: string | null;
			/** How the latest attempt ended without an order. */
			notice: string | null;
	  }
	/** The order is being stored; nothing is charged. */
	| { phase: "placing"; intent: Intent }
	| { phase: "confirming"; intent: Intent }
	/** Stripe.js reported success; the first poll of our server is under way. */
	| { phase: "confirmed"; intent: Intent }
	| {
			phase: "checking";
			intent: Intent;
			/** `ended`: without a definite result. */
			confirmation: "open" | "ended" | "succeeded";
			/** Whether Stripe waits for the bank's dialog; null when the latest poll did not find out. */
			atBank: boolean | null;
			/** When the confirmation became what it is, in Unix milliseconds. */
			since: number;
			notice: string;
	  }
	| { phase: "paid" };

export type PurchaseEvent =
	/** A reload interrupted the payment of this intent. */
	| { type: "resume"; intent: Intent; at: number }
	/** An intent for this total is being requested; 0 for none. */
	| { type: "prepare"; total: number }
	| { type: "prepared"; intent: Intent }
	| { type: "prepare_failed"; total: number; failure: string }
	| { type: "payment_in_progress"; at: number }
	| { type: "buy"; items: BasketItem[] }
	| { type: "placed" }
	/** Before any confirmation: nothing was charged. */
	| { type: "refused"; notice: string; intent: "kept" | "gone" }
	| { type: "already_placed"; at: number }
	/** The confirmation has not returned in time. It may still. */
	| { type: "silence"; of: Intent; at: number }
	| { type: "declined"; of: Intent; notice: string }
	| { type: "confirmed"; of: Intent; at: number }
	| { type: "confirmation_ended"; of: Intent; at: number }
	| { type: "not_final"; of: Intent; atBank: boolean | null; at: number }
	| { type: "paid"; of: Intent }
	/** Canceled at Stripe, refunded, or unknown to Stripe. */
	| { type: "not_bought"; of: Intent; notice: string }
	| { type: "notice_read" };

export const checkingNotice = "We're checking your payment. This page updates automatically. Please don't pay again.";

export const idle = { phase: "idle", intent: null, preparing: null, failure: null, notice: null } as const;

/** What follows an event. An event that does not apply returns the same object, such as the late result of an earlier
 *  confirmation. A result of polling is a fact about the intent, so it applies in every phase that has this intent. */
export function reduce(purchase: Purchase, event: PurchaseEvent): Purchase {
	const { phase } = purchase;
	switch (event.type) {
		case "resume":
			return phase === "idle" ? checking(event.intent, "ended", event.at) : purchase;
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
			// a poll that was sent before a decline was known: the notice of the decline stays
			if (phase === "idle") return { ...purchase, intent: null };
			return { ...idle, notice: event.notice };
		case "notice_read":
			return phase === "idle" && purchase.notice ? { ...purchase, notice: null } : purchase;
	}
}

/** Whether a payment is under way: the basket is what is being paid for. */
export function isPaying({ phase }: Purchase): boolean {
	return phase !== "idle" && phase !== "paid";
}

/** Whether leaving the page would interrupt the shopper's payment: the bank's dialog belongs to the page, too. */
export function mustStay(purchase: Purchase): boolean {
	const { phase } = purchase;
	if (phase === "checking") return purchase.confirmation === "open" && purchase.atBank === true;
	return phase === "placing" || phase === "confirming" || phase === "confirmed";
}

/** Whether these items can be bought now. */
export function canBuy(purchase: Purchase, total: number): boolean {
	if (purchase.phase !== "idle" || total === 0) return false;
	return purchase.preparing === null && purchase.failure === null && purchase.intent?.total === total;
}

/** When the server should cancel the payment, in Unix milliseconds: checking must end. A cancellation either succeeds
 *  (not charged) or fails (paid). */
export function cancelAt(purchase: Purchase): number {
	if (purchase.phase !== "checking" || purchase.confirmation === "succeeded") return Number.POSITIVE_INFINITY;
	if (purchase.confirmation === "ended") return purchase.since + 15_000;
	// the shopper may be answering their bank
	if (purchase.atBank === null) return Number.POSITIVE_INFINITY;
	return purchase.since + (purchase.atBank ? 15 : 2) * 60_000;
}

type Checking = Extract<Purchase, { phase: "checking" }>;

function withBank(purchase: Checking, found: boolean | null): Checking {
	// a dialog stays open when a poll is lost; one may have opened since it was last known not to be
	const atBank = found ?? (purchase.atBank || null);
	return atBank === purchase.atBank ? purchase : { ...purchase, atBank };
}

function checking(intent: Intent, confirmation: Checking["confirmation"], since: number): Checking {
	return { phase: "checking", intent, confirmation, atBank: null, since, notice: checkingNotice };
}

/** Whether this very confirmation has not returned yet. */
function isOpen(purchase: Purchase, of: Intent): purchase is Extract<Purchase, { phase: "confirming" | "checking" }> {
	const { phase } = purchase;
	const open = phase === "confirming" || (phase === "checking" && purchase.confirmation === "open");
	return open && isSame(purchase.intent, of);
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
