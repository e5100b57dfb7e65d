import { hash } from "node:crypto";
import * as z from "zod/mini";
import type { Sqlite } from "./database.ts";

const order = z.object({
	id: z.string(),
	user: z.nullable(z.string()),
	guest: z.nullable(z.string()),
	amount: z.number(),
	status: z.string(),
	items: z.number(),
	/** Cents. */
	sum: z.nullable(z.number()),
});
export const orders = z.array(order);
export type Order = z.infer<typeof order>;

const intent = z.object({
	id: z.string(),
	status: z.string(),
	amount: z.number(),
	currency: z.string(),
	received: z.number(),
	shop: z.nullable(z.string()),
});
export type Intent = z.infer<typeof intent>;

const refund = z.object({
	id: z.string(),
	intent: z.string(),
	amount: z.number(),
	/** A canceled refund counts as failed. */
	status: z.string(),
});
export type Refund = z.infer<typeof refund>;

/** The contents of the shop's and the emulator's databases after a step. */
export interface Snapshot {
	orders: Order[];
	intents: Map<string, Intent>;
	refunds: Refund[];
	/** The shop's tables, as text. */
	tables: Record<string, string>;
	/** The digest of the emulator's database, once it was needed. */
	stripeDigest?: string | undefined;
}

export const orderQuery = `
	select payment_intent_id id, user_id user, guest_token_hash guest, amount, status,
		(select count(*) from order_items i where i.payment_intent_id = o.payment_intent_id) items,
		(select sum(price_cents * quantity) from order_items i where i.payment_intent_id = o.payment_intent_id) sum
	from orders o`;
const intentQuery = `
	select id, object ->> '$.status' status, object ->> '$.amount' amount, object ->> '$.currency' currency,
		object ->> '$.amount_received' received,
		object ->> '$.metadata.shop' shop
	from objects where kind = 'payment_intent'`;
const refundQuery = `
	select id, object ->> '$.payment_intent' intent, object ->> '$.amount' amount,
		replace(object ->> '$.status', 'canceled', 'failed') status
	from objects where kind = 'refund' order by position`;

/** Returns the snapshot with the tables that have changed since the last call, or `before` if none has. */
export function readChanges(before: Snapshot, shop: Sqlite, stripe: Sqlite): Snapshot {
	let after = before;
	if (shop.changed.size > 0) {
		const changed = [...shop.changed].map((table) => [table, JSON.stringify(shop.raw(`select * from ${table}`))]);
		after = { ...after, tables: { ...after.tables, ...Object.fromEntries(changed) } };
		if (shop.changed.has("orders") || shop.changed.has("order_items"))
			after.orders = orders.parse(shop.all(orderQuery));
	}
	if (digestedTables.some((table) => stripe.changed.has(table))) {
		const read = z.array(intent).parse(stripe.all(intentQuery));
		const intents = new Map(read.map((intent) => [intent.id, intent]));
		const refunds = z.array(refund).parse(stripe.all(refundQuery));
		after = { ...after, intents, refunds, stripeDigest: undefined };
	}
	for (const { changed } of [shop, stripe]) changed.clear();
	return after;
}

/** Returns a digest of everything in the emulator's database that its later responses depend on. */
export function digestStripe(stripe: Sqlite): string {
	const queries = [
		"select group_concat(object, '') from (select object from objects order by position)",
		"select key, body from idempotency_keys",
		"select at, id from due",
	];
	return hash("md5", JSON.stringify(queries.map((query) => stripe.raw(query))));
}

/** The tables that `digestStripe` reads. */
const digestedTables = ["objects", "idempotency_keys", "due"];

/** Returns a value as text. Sorts the entries of Maps and Sets, whose order depends on the schedule. */
export const canonical = (value: unknown) =>
	JSON.stringify(value, (_, part) => (part instanceof Map || part instanceof Set ? [...part].toSorted() : part));
