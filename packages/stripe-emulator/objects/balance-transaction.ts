import type Stripe from "stripe";
import { newId } from "./ids.ts";

/** Money that enters or leaves the account's balance. Amounts are in minor units. */
export interface Movement {
	/** Negative if money leaves the balance. */
	amount: number;
	currency: string;
	description: string | null;
	/** Stripe's fee, which reduces the balance: 0 if absent. */
	fee?: number;
	/** "Stripe processing fees" if absent. */
	feeDescription?: string;
	/** Whether the money is available immediately. */
	isAvailable?: boolean;
	/** The same as `type` if absent. */
	reportingCategory?: string;
	/** The id of the charge, refund or dispute that moves the money. */
	source: string;
	type: Stripe.BalanceTransaction.Type;
}

const day = 24 * 60 * 60;
/** The days until the money of a payment is available, which ends at midnight UTC. */
const settlementDays = 2;

/** Creates a transaction, which is pending unless its money is available immediately. `now` is in Unix seconds. */
export function newBalanceTransaction(movement: Movement, now: number): Stripe.BalanceTransaction {
	const { amount, currency, description, fee = 0, feeDescription = "Stripe processing fees", source, type } = movement;
	return {
		id: newId("txn_"),
		object: "balance_transaction",
		amount,
		available_on: movement.isAvailable ? now : (Math.floor(now / day) + settlementDays) * day,
		balance_type: "payments",
		created: now,
		currency,
		description,
		exchange_rate: null,
		fee,
		fee_details:
			fee === 0 ? [] : [{ amount: fee, application: null, currency, description: feeDescription, type: "stripe_fee" }],
		net: amount - fee,
		reporting_category: movement.reportingCategory ?? type,
		source,
		status: movement.isAvailable ? "available" : "pending",
		type,
	} satisfies Stripe.BalanceTransaction;
}

/** Returns the fee for a card payment of `amount` minor units: 2.9 % and 30 minor units. */
export function feeOf(amount: number): number {
	return Math.round(amount * 0.029) + 30;
}

/** Returns the transaction with the status that it has at `now`, in Unix seconds. */
export function asOf(transaction: Stripe.BalanceTransaction, now: number): Stripe.BalanceTransaction {
	return { ...transaction, status: transaction.available_on <= now ? "available" : "pending" };
}

/** Returns the balance that results from the transactions: the pending and available sums of each currency. */
export function balanceOf(transactions: readonly Stripe.BalanceTransaction[], now: number): Stripe.Balance {
	const sums = { available: new Map([["usd", 0]]), pending: new Map([["usd", 0]]) };
	for (const { available_on, currency, net } of transactions) {
		const sum = available_on <= now ? sums.available : sums.pending;
		sum.set(currency, (sum.get(currency) ?? 0) + net);
	}
	const amounts = (sum: Map<string, number>) =>
		[...sum].map(([currency, amount]) => ({ amount, currency, source_types: { card: amount } }));
	return {
		object: "balance",
		available: amounts(sums.available),
		livemode: false,
		pending: amounts(sums.pending),
		refund_and_dispute_prefunding: { available: [], pending: [] },
	} satisfies Stripe.Balance;
}
