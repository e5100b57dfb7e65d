import type { Intent, Order, Refund } from "./snapshot.ts";

// The invariants that compare orders with payments, after every fault and in every interleaving. monitor.ts checks those
// that are about time or a tab. tests/faults.md states them all.

export class Violation extends Error {
	constructor(invariant: `I${number}`, facts: string) {
		super(`${invariant}: ${facts} (tests/faults.md states the invariant)`);
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
	const isPaid = order?.status === "paid" && refunded < received;
	const isRefunded = order?.status !== "paid" && refunded === received;
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
