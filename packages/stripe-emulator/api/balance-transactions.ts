import type Stripe from "stripe";
import { asOf, balanceOf, feeOf, type Movement, newBalanceTransaction } from "../objects/balance-transaction.ts";
import { everything } from "../store.ts";
import { noSuch } from "./errors.ts";
import { list } from "./list.ts";
import type { Call, Ledger, Route } from "./routes.ts";

const returns = "balance_transaction";

export const balanceTransactionRoutes: readonly Route[] = [
	{
		name: "balance_transactions.list",
		method: "GET",
		path: /^\/v1\/balance_transactions$/,
		browsers: "refused",
		returns,
		prepare: listAll,
	},
	{
		name: "balance_transactions.retrieve",
		method: "GET",
		path: /^\/v1\/balance_transactions\/(\w+)$/,
		browsers: "refused",
		returns,
		prepare: retrieve,
	},
	{
		name: "balance.retrieve",
		method: "GET",
		path: /^\/v1\/balance$/,
		browsers: "refused",
		returns: null,
		prepare: retrieveBalance,
	},
];

/** Stores the transaction of a movement of money, and returns its id. */
function recordMovement({ store, now }: Ledger, movement: Movement): string {
	const transaction = newBalanceTransaction(movement, now);
	store.save("balance_transaction", transaction.id, transaction);
	return transaction.id;
}

/** Records the captured amount of a charge and Stripe's fee, and returns the transaction's id. */
export function recordCharge(ledger: Ledger, charge: Stripe.Charge): string {
	const { id, amount_captured: amount, currency, description, payment_method } = charge;
	const { funds } = ledger.store.find("payment_method", payment_method ?? "")?.outcome ?? {};
	const movement = { amount, currency, description, fee: feeOf(amount), source: id, type: "charge" };
	return recordMovement(ledger, { ...movement, isAvailable: funds === "available" });
}

/** Records a refund, and returns it with its transaction. */
export function withTransaction(ledger: Ledger, refund: Stripe.Refund): Stripe.Refund {
	const { id, amount, currency } = refund;
	const movement = { amount: -amount, currency, description: "REFUND FOR CHARGE", source: id, type: "refund" };
	return { ...refund, balance_transaction: recordMovement(ledger, movement) };
}

/** Records that the amount of a failed or canceled refund has returned to the balance, and returns the refund with that
 *  transaction. */
export function withFailureTransaction(ledger: Ledger, refund: Stripe.Refund): Stripe.Refund {
	const { id, amount, currency } = refund;
	const movement = { amount, currency, description: "REFUND FAILURE", source: id, type: "refund_failure" };
	return { ...refund, failure_balance_transaction: recordMovement(ledger, movement) };
}

function listAll(call: Call) {
	const currency = call.params.text("currency");
	const listed = list(call, "balance_transaction", {
		equal: ["source", "type"],
		own: ["currency"],
		matches: (transaction) => currency === undefined || transaction.currency === currency.toLowerCase(),
	});
	return () => {
		const found = listed();
		return { ...found, data: found.data.map((transaction) => asOf(transaction, call.now)) };
	};
}

function retrieve({ id, now, params, store }: Call) {
	params.only();
	return () => {
		const transaction = store.find("balance_transaction", id);
		if (transaction) return asOf(transaction, now);
		throw noSuch("balance transaction", id, "id");
	};
}

function retrieveBalance({ now, params, store }: Call) {
	params.only();
	return () => {
		return balanceOf(store.list("balance_transaction", everything, () => true)?.data ?? [], now);
	};
}
