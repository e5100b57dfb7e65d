import type Stripe from "stripe";
import { invalidRequest, missingParameter } from "../errors.ts";
import { formatAmount } from "../objects/amount.ts";
import { refunded } from "../objects/charge.ts";
import { updatedMetadata } from "../objects/payment-intent.ts";
import { afterDelay, type NewRefund, newRefund, REFUND_DELAY } from "../objects/refund.ts";
import { list } from "./list.ts";
import type { Call, Ledger, Route } from "./routes.ts";

export const refundRoutes: readonly Route[] = [
	{ name: "refunds.create", browsers: false, prepare: create },
	{ name: "refunds.list", browsers: false, prepare: listAll },
	{ name: "refunds.retrieve", browsers: false, prepare: retrieve },
];

function create(call: Call) {
	const { params } = call;
	params.only("amount", "charge", "metadata", "payment_intent", "reason");
	const intentId = params.text("payment_intent");
	const chargeId = params.text("charge");
	if ((intentId === undefined) === (chargeId === undefined)) {
		throw intentId === undefined
			? missingParameter("payment_intent")
			: invalidRequest("You may only specify one of these parameters: charge, payment_intent.");
	}
	const amount = params.integer("amount", { min: 1 });
	const reason = params.choice("reason", ["duplicate", "fraudulent", "requested_by_customer"]) ?? null;
	const metadata = updatedMetadata(params.metadata("metadata"), {});
	return () => {
		const charge = intentId === undefined ? getPaidCharge(call, chargeId ?? "") : chargeOf(call, intentId);
		return refundCharge(call, charge, { amount, metadata, reason });
	};
}

interface RequestedRefund extends Omit<NewRefund, "amount"> {
	/** In cents; the rest of the charge if undefined. */
	amount: number | undefined;
}

function refundCharge(ledger: Ledger, charge: Stripe.Charge, { amount, ...details }: RequestedRefund): Stripe.Refund {
	const { emit, now, store } = ledger;
	const left = charge.amount - charge.amount_refunded;
	if (left === 0) {
		throw invalidRequest(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
	}
	if (amount !== undefined && amount > left) {
		throw invalidRequest(
			`Refund amount (${formatAmount(amount, charge.currency)}) is greater than unrefunded amount on charge (${formatAmount(left, charge.currency)})`,
			{ param: "amount" },
		);
	}
	const method = store.get("payment_method", charge.payment_method ?? "", "charge");
	const refund = newRefund({ amount: amount ?? left, ...details }, charge, method, now);
	store.save("refund", refund.id, refund);
	emit({ type: "refund.created", object: refund });
	emit({ type: "charge.refunded", object: addRefunded(ledger, charge, refund.amount) });
	if (method.outcome.refund !== "succeeds") ledger.remember(now + REFUND_DELAY, "refund", refund.id);
	return refund;
}

/** Refunds `amount` cents of a payment or, if undefined, the rest of it. Throws an ApiError if that is impossible. */
export function refundPayment(ledger: Ledger, intentId: string, amount: number | undefined): Stripe.Refund {
	return refundCharge(ledger, chargeOf(ledger, intentId), { amount, metadata: {}, reason: "requested_by_customer" });
}

function retrieve({ id, params, store }: Call) {
	params.only();
	return () => store.get("refund", id, "id");
}

function listAll(call: Call) {
	return list(call, "refund", { equal: ["charge", "payment_intent"] });
}

/** Completes or fails a refund whose delay has elapsed. */
export function reconsiderRefund(ledger: Ledger, id: string): void {
	const before = ledger.store.find("refund", id);
	if (!before) return;
	const refund = afterDelay(before);
	ledger.store.save("refund", id, refund);
	ledger.emit({ type: "refund.updated", object: refund });
	if (refund.status !== "failed") return;
	ledger.emit({ type: "refund.failed", object: refund });
	const charge = ledger.store.find("charge", typeof refund.charge === "string" ? refund.charge : "");
	if (charge) addRefunded(ledger, charge, -refund.amount);
}

function addRefunded({ store }: Ledger, charge: Stripe.Charge, amount: number): Stripe.Charge {
	const after = refunded(charge, charge.amount_refunded + amount);
	store.save("charge", charge.id, after);
	return after;
}

function getPaidCharge({ store }: Ledger, id: string): Stripe.Charge {
	const charge = store.get("charge", id, "charge");
	if (charge.paid) return charge;
	throw invalidRequest(`Charge ${id} cannot be refunded, because it has not succeeded.`, {
		code: "charge_not_refundable",
	});
}

function chargeOf(ledger: Ledger, intentId: string): Stripe.Charge {
	const intent = ledger.store.get("payment_intent", intentId, "payment_intent");
	if (intent.status === "succeeded" && typeof intent.latest_charge === "string") {
		return getPaidCharge(ledger, intent.latest_charge);
	}
	throw invalidRequest(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`, {
		code: "charge_not_refundable",
		param: "payment_intent",
	});
}
