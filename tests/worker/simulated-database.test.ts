import { afterAll, beforeAll, expect, test } from "vitest";
import { d1On, Sqlite } from "../simulation/database.ts";
import { openShop, type Shop } from "../support/shop.ts";

// The simulation's database against D1 on workerd: the same statements have the same results on both.

type Statement = [sql: string, ...values: unknown[]];

const order = "insert into orders (payment_intent_id, guest_token_hash, amount, status, created, placed_at, due_at)";
const values = "values (?, ?, ?, ?, 1800000000, 1800000000, 1800000060)";
const token = "a".repeat(64);
const placed = (id: string): Statement => [`${order} ${values}`, id, token, 1196, "placed"];
const everyOrder: Statement = ["select * from orders order by payment_intent_id"];

/** Batches, each of which sees the rows of those before it. */
const batches: Record<string, Statement[]> = {
	"rows, types and null": [["select 1, 1.5 as real, 'é' as text, null as void, ? is null as bound", null]],
	"booleans and large integers": [["select ? as yes, ? as large, 1 << 40 as shifted", true, 2 ** 53 - 1]],
	"columns of the same name": [["select 1 as a, 2 as a"]],
	"two inserts and their changes": [placed("pi_1"), placed("pi_2"), everyOrder],
	"an update with RETURNING": [["update orders set amount = 2392 where amount < ? returning payment_intent_id", 2000]],
	"an update without rows": [["update orders set amount = 1 where payment_intent_id = ?", "pi_0"]],
	"an upsert": [
		[`${order} ${values} on conflict do update set amount = excluded.amount + 1`, "pi_1", token, 50, "placed"],
	],
	"a batch whose last statement violates a constraint": [
		placed("pi_3"),
		["delete from orders"],
		placed("pi_4"),
		placed("pi_4"),
	],
	"a batch whose first statement violates a constraint": [placed("pi_1"), ["delete from orders"]],
	"no order lost or added by either": [everyOrder],
	"a NOT NULL constraint": [[`${order} ${values}`, "pi_5", token, null, "placed"]],
	"a CHECK constraint": [[`${order} ${values}`, "pi_5", token, 1196, "unknown"]],
	"a STRICT table": [[`${order} ${values}`, "pi_5", token, "much", "placed"]],
	"a FOREIGN KEY constraint": [["insert into sessions values (?, 'nobody', 1800000000, 1800000000)", token]],
	"JSON functions": [
		["select value ->> 0 as id, json_extract(value, '$[1]') as count from json_each(?)", '[["1",2],["é",3]]'],
		["select group_concat(concat_ws(':', payment_intent_id, amount)) as list from orders"],
	],
	"a function that does not exist": [["select unknown_function(1)"]],
	"a table that does not exist": [["select * from nothing"]],
	"a delete and its changes": [["delete from orders where amount > ?", 51], everyOrder],
};

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop?.close());

test("the simulation's database returns the same rows, changes and errors as D1", async () => {
	const sqlite = Sqlite.ofShop();
	const simulated = d1On(sqlite, sqlite, async ({ make }) => make());
	for (const [title, statements] of Object.entries(batches)) {
		expect([title, await run(simulated, statements)]).toEqual([title, await run(shop.d1, statements)]);
	}
});

/** Runs statements as a batch and, if there is only one that reads, also alone. */
async function run(d1: D1Database, statements: Statement[]): Promise<unknown> {
	const prepared = statements.map(([sql, ...values]) => d1.prepare(sql).bind(...values));
	const [only] = prepared;
	const isRead = only && prepared.length === 1 && statements[0]?.[0].startsWith("select");
	try {
		const batch = await d1.batch(prepared);
		const rows = isRead ? [await only.raw(), await only.first()] : [];
		return [...batch.map(({ results, meta, success }) => [results, meta.changes, success]), rows];
	} catch (error) {
		// D1 appends the position and SQLite's code
		return String(error).replace(/( at offset \d+)?(: SQLITE_\w+( \(extended: \w+\))?)?$/, "");
	}
}
