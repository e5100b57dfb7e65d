import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop?.close());

type Row = Record<string, string | number | null>;

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

function insert(table: string, row: Row) {
	const names = Object.keys(row);
	const sql = `insert or replace into ${table} (${names}) values (${names.map(() => "?")})`;
	return shop.d1.prepare(sql).bind(...Object.values(row));
}

/** Returns whether the table accepts the row. Deletes the row, so that tests stay independent. */
async function accepts(table: keyof typeof rows, change: Row): Promise<boolean> {
	const row = { ...rows[table](), ...change };
	const [key = "", value = ""] = Object.entries(row)[0] ?? [];
	try {
		await insert(table, row).run();
	} catch (error) {
		expect(String(error)).toMatch(/CHECK constraint failed|cannot store \w+ value in INTEGER column|NOT NULL/);
		return false;
	}
	await shop.d1.prepare(`delete from ${table} where ${key} = ?`).bind(value).run();
	return true;
}

test.each<[keyof typeof rows, Row[]]>([
	["products", [{ price_cents: 1 }, { price_cents: 99999999 }, { rating: 5 }, { details: "{}" }]],
	["users", [{}]],
	["orders", [{ amount: 50 }, { amount: 99999999 }, { guest_token_hash: null }]],
	["refunds", [{ status: "failed" }]],
	["reconcile_cursor", [{ id: 1 }]],
])("table %s accepts valid values", async (table, changes) => {
	for (const change of changes) expect([change, await accepts(table, change)]).toEqual([change, true]);
});

test.each<[keyof typeof rows, string, (string | number | null)[]]>([
	["products", "price_cents", ["abc", 1.5, 0, -1, 100000000, null]],
	["products", "rating", [2, 6, 4.5]],
	["products", "details", ["{"]],
	["users", "created_at", ["yesterday"]],
	["users", "email", [null]],
	["orders", "amount", ["abc", 1.5, 49, 0, -50, 100000000]],
	["orders", "status", ["shipped", ""]],
	["orders", "created", ["2026-11-20"]],
	["refunds", "status", ["paid"]],
	["refunds", "attempts", [-1]],
	["reconcile_cursor", "id", [2]],
])("table %s rejects any %s of %j", async (table, column, values) => {
	for (const value of values) expect([value, await accepts(table, { [column]: value })]).toEqual([value, false]);
});

test("orders accepts a customer or a guest as the owner, but not both", async () => {
	const user = rows.users();
	await insert("users", user).run();
	expect(await accepts("orders", { user_id: user.id, guest_token_hash: null })).toBe(true);
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
		shop.d1.prepare("insert into users values ('another', ?, 'h', 1)").bind(user.email),
	];
	for (const stranger of strangers) await expect(stranger.run()).rejects.toThrow(refusal);
});
