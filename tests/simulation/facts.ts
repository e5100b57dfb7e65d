import { hash } from "node:crypto";
import * as z from "zod/mini";
import type { Sqlite } from "./database.ts";

// What the two databases hold, as the invariants read it.

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
export type OrderFact = z.infer<typeof order>;

const intent = z.object({
	id: z.string(),
	status: z.string(),
	received: z.number(),
	shop: z.nullable(z.string()),
	/** The copy of the order in the metadata. */
	copy: z.nullable(z.string()),
});
export type IntentFact = z.infer<typeof intent>;

const refund = z.object({
	intent: z.string(),
	amount: z.number(),
	status: z.string(),
	/** Set when the shop made it. */
	shop: z.nullable(z.string()),
});
export type RefundFact = z.infer<typeof refund>;

const orderQuery = `
	select payment_intent_id id, user_id user, guest_token_hash guest, amount, status,
		(select count(*) from order_items i where i.payment_intent_id = o.payment_intent_id) items,
		(select sum(price_cents * quantity) from order_items i where i.payment_intent_id = o.payment_intent_id) sum
	from orders o`;
const intentQuery = `
	select id, object ->> '$.status' status, object ->> '$.amount_received' received,
		object ->> '$.metadata.shop' shop, object ->> '$.metadata.items' copy
	from objects where kind = 'payment_intent'`;
const refundQuery = `
	select object ->> '$.payment_intent' intent, object ->> '$.amount' amount, object ->> '$.status' status,
		object ->> '$.metadata.shop' shop
	from objects where kind = 'refund'`;

export const readOrders = (shop: Sqlite) => z.array(order).parse(shop.all(orderQuery));
export const readIntents = (stripe: Sqlite) =>
	new Map(
		z
			.array(intent)
			.parse(stripe.all(intentQuery))
			.map((found) => [found.id, found]),
	);
export const readRefunds = (stripe: Sqlite) => z.array(refund).parse(stripe.all(refundQuery));

/** What a table holds, as text. */
export const dumpTable = (shop: Sqlite, table: string) => JSON.stringify(shop.raw(`select * from ${table}`));

/** A digest of everything in the emulator's database that its later responses depend on. */
export function digestOfStripe(stripe: Sqlite): string {
	return hash(
		"md5",
		JSON.stringify([
			stripe.raw("select group_concat(object, '') from (select object from objects order by position)"),
			stripe.raw("select key, body from idempotency_keys"),
			stripe.raw("select at, id from due"),
		]),
	);
}
