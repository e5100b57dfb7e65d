import { is } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import * as schema from "#drizzle/schema.ts";
import { Sqlite } from "../simulation/database.ts";
import { comparisons, products } from "../support/catalogue.ts";
import { d1On } from "../support/d1.ts";
import { dumpTables } from "../support/response.ts";
import { insertRow } from "../support/seed-data.ts";
import { openShop } from "../support/shop.ts";
import { closeAfterAll } from "./setup.ts";

// The shop's D1 database: a new one, the simulation's database compared with it, and the constraints of its tables.

const shop = closeAfterAll(await openShop());

/** Matches the internal tables of SQLite and D1, and wrangler's list of migrations. */
const notOurs = /^(sqlite_|_cf_|d1_migrations$)/;

test("every table is STRICT, and order_items is WITHOUT ROWID, after all migrations", async () => {
	const { results } = await shop.d1
		.prepare("pragma table_list")
		.all<{ name: string; type: string; strict: number; wr: number }>();
	const tables = results.filter(({ name, type }) => type === "table" && !notOurs.test(name));
	expect(tables.map(({ name }) => name).toSorted()).toEqual([
		...["order_items", "orders", "products", "reconcile_cursor", "refunds", "sessions", "unresolved_payments", "users"],
	]);
	expect(tables.filter(({ strict }) => strict !== 1)).toEqual([]);
	expect(tables.filter(({ wr }) => wr === 1).map(({ name }) => name)).toEqual(["order_items"]);
});

test("the migrations create the columns and indexes of drizzle/schema.ts", async () => {
	const tables = Object.values(schema).filter((value) => is(value, SQLiteTable));
	expect(tables).not.toEqual([]);
	const list = async (sql: string) => (await shop.d1.prepare(sql).raw<[string]>()).flat().toSorted();
	for (const table of tables) {
		const { name, columns, indexes } = getTableConfig(table);
		const definitions = columns.map((column) => [
			toSnakeCase(column.name),
			column.getSQLType(),
			Number(column.notNull),
		]);
		expect(await list(`select concat_ws(' ', name, lower(type), "notnull") from pragma_table_info('${name}')`)).toEqual(
			definitions.map((definition) => definition.join(" ")).toSorted(),
		);
		const unique = columns.filter(({ isUnique }) => isUnique).map(({ uniqueName }) => uniqueName);
		expect(await list(`select name from pragma_index_list('${name}') where origin = 'c'`)).toEqual(
			[...indexes.map(({ config }) => config.name), ...unique].toSorted(),
		);
	}
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

test("every product has a valid id, pictures, a specification table and a box, and compared products share their table's rows", async () => {
	const { results } = await shop.d1.prepare("select id, image, details from products").all<Record<string, string>>();
	const catalogue = new Map(
		results.map(({ id, image, details = "" }) => [id, { image, details: JSON.parse(details) }] as const),
	);
	const rowsOf = (id: string) => catalogue.get(id)?.details.specifications.map(({ name }: { name: string }) => name);
	for (const [id = "", { image, details }] of catalogue) {
		// part of its URL, of a purchase's requests, and of the items in Stripe's metadata
		expect(id).toMatch(/^[\w-]{1,40}$/);
		expect(image).toMatch(/^\/pictures\/[a-z]+-640\.webp$/);
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
		expect(rowsOf(id)).not.toEqual([]);
		expect(details.box).not.toEqual([]);
		if (!details.compareWith) continue;
		expect(catalogue.get(details.compareWith)?.details.compareWith).toBe(id);
		expect(rowsOf(details.compareWith)).toEqual(rowsOf(id));
	}
	expect([...catalogue.values()].filter(({ details }) => details.compareWith)).toHaveLength(2 * comparisons.length);
});

// The simulation's database has the same results as D1 on workerd for the same statements.

type Statement = [sql: string, ...values: unknown[]];

const insertOrder =
	"insert into orders (payment_intent_id, guest_token_hash, amount, status, created, placed_at, due_at)";
const values = "values (?, ?, ?, ?, 1800000000, 1800000000, 1800000060)";
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
		placed("pi_3"),
		["delete from orders"],
		placed("pi_4"),
		placed("pi_4"),
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

type Value = string | number | null;
type Row = Record<string, Value>;

/** Functions that create a valid row of each table, with new ids on every call. */
const rows = {
	products: () => ({
		...{ id: crypto.randomUUID(), position: Math.floor(Math.random() * 2 ** 40), title: "t" },
		...{ price_cents: 1, rating: 3, image: "i", description: "d" },
	}),
	users: () => ({ id: crypto.randomUUID(), email: crypto.randomUUID(), password_hash: "h", created_at: 1 }),
	orders: () => ({
		...{ payment_intent_id: crypto.randomUUID(), user_id: null, guest_token_hash: "g" },
		...{ amount: 50, status: "placed", created: 1, placed_at: 1, due_at: 1 },
	}),
	refunds: () => ({ payment_intent_id: crypto.randomUUID(), reason: "r", status: "pending", attempts: 0, created: 1 }),
	reconcile_cursor: () => ({ id: 1, event_created: 1 }),
} satisfies Record<string, () => Row>;

const insert = (table: string, row: Row) => insertRow(shop.d1, table, row);

/** Returns whether the table accepts a new row with these values. */
async function accepts(table: keyof typeof rows, values: Row): Promise<boolean> {
	try {
		await insert(table, { ...rows[table](), ...values }).run();
		return true;
	} catch (error) {
		expect(String(error)).toMatch(/CHECK constraint failed|cannot store \w+ value in INTEGER column|NOT NULL/);
		return false;
	}
}

test.each<[keyof typeof rows, string, Value[], Value[]]>([
	["products", "price_cents", [1, 99999999], [1.5, 0, 100000000, null]],
	["products", "rating", [3, 5], [2, 6]],
	["products", "details", ["{}"], ["{"]],
	["users", "created_at", [1], ["yesterday"]],
	["users", "email", ["a@b.c"], [null]],
	["orders", "amount", [schema.minAmount, schema.maxAmount], ["abc", schema.minAmount - 1, schema.maxAmount + 1]],
	["orders", "status", ["placed", "paid", "abandoned", "refunded"], ["shipped"]],
	["refunds", "status", ["pending", "succeeded", "failed"], ["paid"]],
	["refunds", "attempts", [0], [-1]],
	["reconcile_cursor", "id", [1], [2]],
])("%s.%s accepts %j and rejects %j", async (table, column, accepted, rejected) => {
	for (const value of accepted) expect([value, await accepts(table, { [column]: value })]).toEqual([value, true]);
	for (const value of rejected) expect([value, await accepts(table, { [column]: value })]).toEqual([value, false]);
});

test("orders accepts a customer, a guest or no one as the owner, but not both", async () => {
	const user = rows.users();
	await insert("users", user).run();
	for (const user_id of [user.id, null]) {
		expect(await accepts("orders", { user_id, guest_token_hash: null })).toBe(true);
	}
	expect(await accepts("orders", { user_id: user.id, guest_token_hash: "g" })).toBe(false);
});

const item = { product_id: "1", title: "t", image: "i", price_cents: 1, rating: 5 };

test.each<[string, (string | number)[]]>([
	["position", [-1, 200]],
	["price_cents", [0, "abc"]],
	["rating", [6]],
	["quantity", [0, 201]],
])("order_items rejects any %s of %j", async (column, values) => {
	const order = rows.orders();
	await insert("orders", order).run();
	const row = { payment_intent_id: order.payment_intent_id, position: 0, ...item };
	await insert("order_items", row).run();
	for (const value of values) {
		const invalid = insert("order_items", { ...row, position: 1, [column]: value });
		await expect(invalid.run(), String(value)).rejects.toThrow(/CHECK constraint failed|cannot store/);
	}
});

test("the database rejects items without an order, orders and sessions without a user, and duplicate emails", async () => {
	const refusal = /FOREIGN KEY|UNIQUE/;
	const user = rows.users();
	await insert("users", user).run();
	const strangers = [
		insert("order_items", { payment_intent_id: "pi_none", position: 0, ...item }),
		insert("orders", { ...rows.orders(), user_id: "nobody", guest_token_hash: null }),
		insert("sessions", { id: "s", user_id: "nobody", expires_at: 1 }),
		insert("users", { ...rows.users(), email: user.email }),
	];
	for (const stranger of strangers) await expect(stranger.run()).rejects.toThrow(refusal);
});
