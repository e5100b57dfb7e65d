import type Stripe from "stripe";
import { refunded } from "../objects/charge.ts";
import { formatAmount } from "../objects/currencies.ts";
import { afterDelay, canceled, type NewRefund, newRefund, REFUND_DELAY } from "../objects/refund.ts";
import { previousAttributes, updatedMetadata } from "../objects/update.ts";
import { withFailureTransaction, withTransaction } from "./balance-transactions.ts";
import { closeInquiries, requireRefundable } from "./disputes.ts";
import { invalidRequest, missingParameter, noSuch } from "./errors.ts";
import { list } from "./list.ts";
import type { Call, Ledger, Route } from "./routes.ts";

const all = /^\/v1\/refunds$/;
const one = /^\/v1\/refunds\/(\w+)$/;
const refunds = { browsers: "refused", returns: "refund" } as const;

export const refundRoutes: readonly Route[] = [
	{ name: "refunds.create", method: "POST", path: all, prepare: create, ...refunds },
	{ name: "refunds.list", method: "GET", path: all, prepare: listAll, ...refunds },
	{ name: "refunds.retrieve", method: "GET", path: one, prepare: retrieve, ...refunds },
	{ name: "refunds.update", method: "POST", path: one, prepare: update, ...refunds },
	{ name: "refunds.cancel", method: "POST", path: /^\/v1\/refunds\/(\w+)\/cancel$/, prepare: cancel, ...refunds },
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
	const amount = params.integer("amount");
	if (amount !== undefined && amount < 1) {
		const code = "parameter_invalid_integer";
		throw invalidRequest("This value must be greater than or equal to 1.", { code, param: "amount" });
	}
	const reason = params.choice("reason", ["duplicate", "fraudulent", "requested_by_customer"]) ?? null;
	const metadata = Object.fromEntries(params.metadata("metadata") ?? []);
	return () => {
		const charge = intentId === undefined ? findCharge(call, chargeId ?? "") : chargeOf(call, intentId);
		return refundCharge(call, charge, { amount, metadata, reason });
	};
}

interface RequestedRefund extends Omit<NewRefund, "amount"> {
	/** The rest of the charge if undefined. */
	amount: number | undefined;
}

/** Refunds a captured charge. Throws an ApiError if the amount exceeds what is left of it, or if it was charged back. */
function refundCharge(ledger: Ledger, charge: Stripe.Charge, { amount, ...details }: RequestedRefund): Stripe.Refund {
	const { emit, now, store } = ledger;
	requireRefundable(ledger, charge);
	const left = charge.amount_captured - charge.amount_refunded;
	if (left === 0) {
		throw invalidRequest(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
	}
	if (amount !== undefined && amount > left) {
		throw invalidRequest(
			`Refund amount (${formatAmount(amount, charge.currency)}) is greater than unrefunded amount on charge (${formatAmount(left, charge.currency)})`,
			{ param: "amount" },
		);
	}
	const method = store.find("payment_method", charge.payment_method ?? "");
	if (!method) throw new Error(`The payment method of ${charge.id} is missing, but payment methods are never deleted.`);
	const refund = withTransaction(ledger, newRefund({ amount: amount ?? left, ...details }, charge, method, now));
	store.save("refund", refund.id, refund);
	emit({ type: "refund.created", data: { object: refund } });
	const after = addRefunded(ledger, charge, refund.amount);
	emit({ type: "charge.refunded", data: { object: after } });
	closeInquiries(ledger, after);
	if (method.outcome.refund !== "succeeds") ledger.remember(now + REFUND_DELAY, "refund", refund.id);
	return refund;
}

/** Refunds `amount` minor units of a payment, or the rest of it. */
export function refundPayment(ledger: Ledger, intentId: string, amount: number | undefined): Stripe.Refund {
	return refundCharge(ledger, chargeOf(ledger, intentId), { amount, metadata: {}, reason: "requested_by_customer" });
}

function update(call: Call) {
	call.params.only("metadata");
	const change = call.params.metadata("metadata");
	return () => {
		const before = find(call);
		if (change === undefined) return before;
		const refund = { ...before, metadata: updatedMetadata(change, before.metadata) };
		call.store.save("refund", refund.id, refund);
		emitUpdate(call, refund, previousAttributes(before, refund));
		return refund;
	};
}

/** Cancels a refund that requires an action of the customer. Refunds to cards never do, so they are refused. */
function cancel(call: Call) {
	call.params.only();
	return () => {
		const { status } = find(call);
		throw invalidRequest(
			`You cannot cancel this refund because it has a status of ${status}. Only a refund with a status of requires_action may be canceled.`,
		);
	};
}

/** Seconds in which the Dashboard of a test account can cancel a refund to a card. */
const cancelableTime = 30 * 60;

/** Cancels a refund as the Dashboard does: within 30 minutes. Throws an ApiError otherwise. */
export function cancelRefund(ledger: Ledger, id: string): Stripe.Refund {
	const before = ledger.store.find("refund", id);
	if (!before) throw noSuch("refund", id, "refund");
	const isOpen = before.status === "pending" || before.status === "succeeded";
	if (isOpen && ledger.now < before.created + cancelableTime) return returnRefund(ledger, before, canceled(before));
	throw invalidRequest(`Refund ${id} has a status of ${before.status}, and refunds can be canceled for 30 minutes.`);
}

function retrieve(call: Call) {
	call.params.only();
	return () => find(call);
}

function find({ id, store }: Call): Stripe.Refund {
	const refund = store.find("refund", id);
	if (refund) return refund;
	throw noSuch("refund", id, "id");
}

function listAll(call: Call) {
	return list(call, "refund", { equal: ["charge", "payment_intent"] });
}

/** Completes or fails a refund whose delay has elapsed. A canceled refund stays canceled. */
export function reconsiderRefund(ledger: Ledger, id: string): void {
	const before = ledger.store.find("refund", id);
	if (!before || before.status === "canceled") return;
	const refund = afterDelay(before);
	if (refund.status === "failed") {
		ledger.emit({ type: "refund.failed", data: { object: returnRefund(ledger, before, refund) } });
		return;
	}
	ledger.store.save("refund", id, refund);
	emitUpdate(ledger, refund, { status: before.status });
}

/** Stores a failed or canceled refund, whose amount returns to the balance and the charge. */
function returnRefund(ledger: Ledger, before: Stripe.Refund, after: Stripe.Refund): Stripe.Refund {
	const refund = withFailureTransaction(ledger, after);
	ledger.store.save("refund", refund.id, refund);
	emitUpdate(ledger, refund, { status: before.status });
	const charge = ledger.store.find("charge", typeof refund.charge === "string" ? refund.charge : "");
	if (charge) addRefunded(ledger, charge, -refund.amount);
	return refund;
}

function emitUpdate({ emit }: Ledger, refund: Stripe.Refund, previous_attributes: Partial<Stripe.Refund>): void {
	emit({ type: "refund.updated", data: { object: refund, previous_attributes } });
	emit({ type: "charge.refund.updated", data: { object: refund, previous_attributes } });
}

function addRefunded({ store }: Ledger, charge: Stripe.Charge, amount: number): Stripe.Charge {
	const after = refunded(charge, charge.amount_refunded + amount);
	store.save("charge", charge.id, after);
	return after;
}

function findCharge({ store }: Ledger, id: string): Stripe.Charge {
	const charge = store.find("charge", id);
	if (!charge) throw noSuch("charge", id, "charge");
	if (charge.paid && charge.captured) return charge;
	throw invalidRequest(`Charge ${id} cannot be refunded, because it has not been captured.`, {
		code: "charge_not_refundable",
	});
}

function chargeOf(ledger: Ledger, intentId: string): Stripe.Charge {
	const intent = ledger.store.find("payment_intent", intentId);
	if (!intent) throw noSuch("payment_intent", intentId, "payment_intent");
	if (intent.status === "succeeded" && typeof intent.latest_charge === "string") {
		return findCharge(ledger, intent.latest_charge);
	}
	throw invalidRequest(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`, {
		code: "charge_not_refundable",
		param: "payment_intent",
	});
}
