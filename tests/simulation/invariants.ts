import type { Intent, Order, Refund } from "./snapshot.ts";

/** The invariants of every purchase, after every fault and in every interleaving. The tests cite these numbers. */
export const invariants = {
	I1: "Every succeeded PaymentIntent of ours ends as exactly one paid order or one refund, never both, within ten minutes of the end of the fault.",
	I2: "No order is paid without a succeeded PaymentIntent.",
	I3: "The amount of an order is the sum of its items and the amount received.",
	I4: "An order belongs to the customer or guest that placed it, and a guest's to the one account that claims it.",
	I5: "A tab never has two PaymentIntents that can both be charged.",
	I6: "No order that is placed, paid or refunded is without items.",
	I7: "The basket is emptied only after its order is paid.",
	I8: "The live order feed shows what a reload shows.",
	I9: 'The shopper always reads one of "paid", "being checked" and "not charged", and "not charged" is never followed by a charge.',
	I10: "A payment that cannot be resolved delays no other.",
};

export class Violation extends Error {
	readonly invariant: string;

	constructor(invariant: keyof typeof invariants, facts: string) {
		super(`${invariant}: ${facts}\n${invariants[invariant]}`);
		this.invariant = invariant;
	}
}

type Payment = Pick<Intent, "id" | "status" | "received">;

/** Checks I2, I3 and I6, which must hold after every step. */
export function checkOrder({ id, status, amount, items, sum }: Order, intent: Payment | undefined): void {
	if (items === 0 && status !== "abandoned") throw new Violation("I6", `${id} is ${status} and has no items`);
	if (status !== "paid") return;
	if (intent?.status !== "succeeded") throw new Violation("I2", `${id} is paid, and its intent ${intent?.status}`);
	if (amount !== sum || amount !== intent.received) {
		throw new Violation("I3", `${id} is paid: amount ${amount}, items ${sum}, received ${intent.received}`);
	}
}

/** Checks I1. Call it ten minutes after the last fault. */
export function checkPayment(
	{ id, status, received }: Payment,
	order: Order | undefined,
	refunds: readonly Pick<Refund, "amount">[],
): void {
	const refunded = refunds.reduce((sum, { amount }) => sum + amount, 0);
	const isPaid = order?.status === "paid" && refunded === 0;
	const isRefunded = order?.status !== "paid" && refunds.length === 1 && refunded === received;
	if (status === "succeeded" ? isPaid || isRefunded : refunded === 0) return;
	throw new Violation("I1", `${id} ${status}, order ${order?.status}, refunds of ${refunded} of ${received}`);
}

/** Checks I5 for the intents of a tab. */
export function checkOneChargeable(
	tab: string,
	intents: readonly (Pick<Payment, "id" | "status"> | undefined)[],
): void {
	const chargeable = intents.filter(
		(intent) => intent && (intent.status.startsWith("requires_") || intent.status === "processing"),
	);
	if (chargeable.length > 1) {
		throw new Violation("I5", `${tab} has ${chargeable.map((intent) => intent?.id).join(" and ")}`);
	}
}
