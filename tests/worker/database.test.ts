import { expect, test } from "vitest";
import { Sqlite } from "../simulation/database.ts";
import { products } from "../support/catalogue.ts";
import { d1On } from "../support/d1.ts";
import { dumpTables } from "../support/response.ts";
import { openFileShop } from "./setup.ts";

// The shop's D1 database: a new one, and the simulation's database compared with it.

const shop = await openFileShop();

/** Matches the internal tables of SQLite and D1, and wrangler's list of migrations. */
const notOurs = /^(sqlite_|_cf_|d1_migrations$)/;

test("every table is STRICT, and order_items is WITHOUT ROWID, after all migrations", async () => {
	type Table = { name: string; type: string; strict: number; wr: number };
	const { results } = await shop.d1.prepare("pragma table_list").all<Table>();
	const tables = results.filter(({ name, type }) => type === "table" && !notOurs.test(name));
	expect(tables.map(({ name }) => name).toSorted()).toEqual([
		...["order_items", "orders", "products", "refunds", "sessions", "users"],
	]);
	expect(tables.filter(({ strict }) => strict !== 1)).toEqual([]);
	expect(tables.filter(({ wr }) => wr === 1).map(({ name }) => name)).toEqual(["order_items"]);
});

test("a new database contains the catalog and no accounts, sessions or orders", async () => {
	const { products: rows, ...others } = await dumpTables(shop);
	expect(rows).toHaveLength(products.length);
	const ours = Object.entries(others).filter(([table]) => !notOurs.test(table));
	expect(ours.flatMap(([, rows]) => rows)).toEqual([]);
});

test("the catalog contains the specified products with their prices and ratings", async () => {
	const columns = "id, price_cents, rating, title, image, description";
	const { results } = await shop.d1.prepare(`select ${columns} from products order by position`).all();
	expect(results).toEqual(
		products.map(({ id, priceCents, rating, title }) => ({
			id,
			price_cents: priceCents,
			rating,
			title: expect.stringContaining(title),
			image: expect.any(String),
			description: expect.stringMatching(/^.{100,}$/),
		})),
	);
});

test("every product has a valid id, pictures, specifications and a box", async () => {
	const { results } = await shop.d1.prepare("select id, image, details from products").all<Record<string, string>>();
	for (const { id = "", image, details: json = "" } of results) {
		const details = JSON.parse(json);
		// part of its URL, of a purchase's requests, and of the items in Stripe's metadata
		expect(id).toMatch(/^[\w-]{1,40}$/);
		expect(image).toMatch(/^\/pictures\/[a-z]+-640\.webp$/);
		expect(details.chosen ?? "None.").toMatch(/^(\S+ ){0,29}\S+\.$/);
		expect(details.pictures[0].image).toBe(image);
		for (const picture of details.pictures) {
			expect(picture).toEqual({
				image: expect.stringMatching(/^\/pictures\/[\w-]+-640\.webp$/),
				alt: expect.stringMatching(/^.{10,150}$/),
			});
		}
		for (const row of details.specifications) {
			expect(row).toEqual({ name: expect.stringMatching(/\w/), value: expect.stringMatching(/\w/) });
		}
		expect(details.specifications).not.toEqual([]);
		expect(details.box).not.toEqual([]);
	}
});

// The simulation's database has the same results as D1 on workerd for the same statements.

type Statement = [sql: string, ...values: unknown[]];

const insertOrder =
	"insert into orders (payment_intent_id, guest_token_hash, amount, status, currency, created, placed_at, due_at)";
const values = "values (?, ?, ?, ?, 'usd', 1800000000, 1800000000, 1800000060)";
const token = "a".repeat(64);
const placed = (id: string): Statement => [`${insertOrder} ${values}`, id, token, 1196, "placed"];
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
		[`${insertOrder} ${values} on conflict do update set amount = excluded.amount + 1`, "pi_1", token, 50, "placed"],
	],
	"a batch whose last statement violates a constraint": [
		...[placed("pi_3"), ["delete from orders"] satisfies Statement, placed("pi_4"), placed("pi_4")],
	],
	"a batch whose first statement violates a constraint": [placed("pi_1"), ["delete from orders"]],
	"no order lost or added by either": [everyOrder],
	"a NOT NULL constraint": [[`${insertOrder} ${values}`, "pi_5", token, null, "placed"]],
	"a CHECK constraint": [[`${insertOrder} ${values}`, "pi_5", token, 1196, "unknown"]],
	"a STRICT table": [[`${insertOrder} ${values}`, "pi_5", token, "much", "placed"]],
	"a FOREIGN KEY constraint": [["insert into sessions (id, user_id, expires_at) values (?, 'nobody', 1)", token]],
	"JSON functions": [
		["select value ->> 0 as id, json_extract(value, '$[1]') as count from json_each(?)", '[["1",2],["é",3]]'],
		["select group_concat(concat_ws(':', payment_intent_id, amount)) as list from orders"],
	],
	"a function that does not exist": [["select unknown_function(1)"]],
	"a table that does not exist": [["select * from nothing"]],
	"a delete and its changes": [["delete from orders where amount > ?", 51], everyOrder],
};

test("the simulation's database returns the same rows, changes and errors as D1", async () => {
	const sqlite = Sqlite.ofShop();
	const simulated = d1On(async (call) => sqlite.perform(call));
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
