import type Stripe from "stripe";
import { newId } from "./ids.ts";
import type { KeptPaymentMethod } from "./payment-method.ts";

/** The parameters of a new refund. `amount` is in cents. */
export interface NewRefund {
	amount: number;
	metadata: Record<string, string>;
	reason: Stripe.Refund.Reason | null;
}

/** Time until a refund to a pending-refund card succeeds, or a refund to a failed-refund card fails, in seconds. */
export const REFUND_DELAY = 60;

/** Creates the refund of a charge. `now` is in Unix seconds. */
export function newRefund(request: NewRefund, charge: Stripe.Charge, method: KeptPaymentMethod, now: number) {
	return {
		id: newId("re_"),
		object: "refund",
		amount: request.amount,
		balance_transaction: null,
		charge: charge.id,
		created: now,
		currency: charge.currency,
		customer: null,
		customer_account: null,
		metadata: request.metadata,
		payment_intent: charge.payment_intent,
		payment_method: charge.payment_method,
		reason: request.reason,
		receipt_number: null,
		source_transfer_reversal: null,
		status: method.outcome.refund === "pending" ? "pending" : "succeeded",
		transfer_reversal: null,
	} satisfies Stripe.Refund;
}

/** Returns the refund with its status after the delay: succeeded if it was pending, otherwise failed. */
export function afterDelay(refund: Stripe.Refund): Stripe.Refund {
	if (refund.status === "pending") return { ...refund, status: "succeeded" };
	return { ...refund, status: "failed", failure_reason: "expired_or_canceled_card" };
}
