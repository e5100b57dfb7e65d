import type Stripe from "stripe";
import { refunded } from "../objects/charge.ts";
import { afterDelay, newRefund, REFUND_DELAY } from "../objects/refund.ts";
import { invalidRequest, missingParameter, noSuch } from "./errors.ts";
import { list } from "./list.ts";
import type { Call, Ledger, Route } from "./routes.ts";

const all = /^\/v1\/refunds$/;
const one = /^\/v1\/refunds\/(\w+)$/;

export const refundRoutes: readonly Route[] = [
	{ name: "refunds.create", method: "POST", path: all, browsers: "refused", prepare: create },
	{ name: "refunds.list", method: "GET", path: all, browsers: "refused", prepare: listAll },
	{ name: "refunds.retrieve", method: "GET", path: one, browsers: "refused", prepare: retrieve },
];

function create(call: Call) {
	const { params, store, now } = call;
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
		const left = charge.amount - charge.amount_refunded;
		if (left === 0) {
			throw invalidRequest(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
		}
		if (amount !== undefined && amount > left) {
			throw invalidRequest(
				`Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge (${dollars(left)})`,
				{ param: "amount" },
			);
		}
		const method = store.find("payment_method", charge.payment_method ?? "");
		if (!method)
			throw new Error(`The payment method of ${charge.id} is missing, but payment methods are never deleted.`);
		const refund = newRefund({ amount: amount ?? left, metadata, reason }, charge, method, now);
		store.save("refund", refund.id, refund);
		call.emit({ type: "refund.created", object: refund });
		call.emit({ type: "charge.refunded", object: addRefunded(call, charge, refund.amount) });
		if (method.outcome.refund !== "succeeds") call.remember(now + REFUND_DELAY, "refund", refund.id);
		return refund;
	};
}

function retrieve({ id, params, store }: Call) {
	params.only();
	return () => {
		const refund = store.find("refund", id);
		if (refund) return refund;
		throw noSuch("refund", id, "id");
	};
}

function listAll(call: Call) {
	const intent = call.params.text("payment_intent");
	const charge = call.params.text("charge");
	return list(
		call,
		"refund",
		["charge", "payment_intent"],
		(refund) =>
			(intent === undefined || refund.payment_intent === intent) && (charge === undefined || refund.charge === charge),
	);
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

function findCharge({ store }: Call, id: string): Stripe.Charge {
	const charge = store.find("charge", id);
	if (!charge) throw noSuch("charge", id, "charge");
	if (charge.paid) return charge;
	throw invalidRequest(`Charge ${id} cannot be refunded, because it has not succeeded.`, {
		code: "charge_not_refundable",
	});
}

function chargeOf(call: Call, intentId: string): Stripe.Charge {
	const intent = call.store.find("payment_intent", intentId);
	if (!intent) throw noSuch("payment_intent", intentId, "payment_intent");
	if (intent.status === "succeeded" && typeof intent.latest_charge === "string") {
		return findCharge(call, intent.latest_charge);
	}
	throw invalidRequest(`This PaymentIntent (${intentId}) does not have a successful charge to refund.`, {
		code: "charge_not_refundable",
		param: "payment_intent",
	});
}

function dollars(cents: number): string {
	return `$${(cents / 100).toFixed(2)}`;
}
