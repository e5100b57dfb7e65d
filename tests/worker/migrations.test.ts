import { readdirSync, readFileSync } from "node:fs";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeEach, expect, test } from "vitest";
import { insertRow } from "../support/seed-data.ts";

// What migrations do to the rows of a shop that is already in use.

const files = readdirSync("migrations").filter((name) => name.endsWith(".sql"));

const unused = ["1", "2", "3", "4"];
const worker = { modules: true, script: "export default {}", d1Databases: [...unused] };
const miniflare = new Miniflare({ ...convertV4MiniflareOptions({ workers: [worker] }), cf: false });
afterAll(() => miniflare.dispose());

let d1: D1Database;
beforeEach(async () => {
	d1 = await miniflare.getD1Database(unused.pop() ?? "");
});

/** Applies the migrations from `first` up to and excluding `end`, one at a time, like wrangler. */
async function migrate(first: string, end = "9999"): Promise<void> {
	for (const file of files.filter((name) => name >= first && name < end)) {
		const statements = readFileSync(`migrations/${file}`, "utf8").split("--> statement-breakpoint");
		await d1.batch(statements.map((statement) => d1.prepare(statement)));
	}
}

test("migrations keep sessions and unpaid orders, and reconcile's position", async () => {
	await migrate("0000", "0011");
	const order = { payment_intent_id: "pi_1", amount: 1196, status: "placed", created: 1, placed_at: 2, due_at: 3 };
	await d1.batch([
		insertRow(d1, "users", { id: "ada", email: "ada@example.com", password_hash: "", created_at: 1 }),
		insertRow(d1, "sessions", { id: "hash", user_id: "ada", expires_at: 2, created_at: 1 }),
		insertRow(d1, "orders", { ...order, placed_from: "address" }),
		insertRow(d1, "reconcile_cursor", { id: 1, event_id: "evt_2", event_created: 5 }),
	]);
	await migrate("0011", "0012");
	const position = d1.prepare("select * from reconcile_cursor");
	expect(await position.first()).toMatchObject({ id: 1, event_created: 5 });
	await migrate("0012");
	expect(await d1.prepare("select * from orders").first()).toEqual({ ...order, user_id: null, guest_token_hash: null });
	expect(await d1.prepare("select * from sessions").first()).toEqual({ id: "hash", user_id: "ada", expires_at: 2 });
});

test("migrations make reconcile read all events again if it had not read all older ones", async () => {
	await migrate("0000", "0011");
	await insertRow(d1, "reconcile_cursor", { id: 1, event_id: "e", event_created: 5, backfill_id: "evt_1" }).run();
	await migrate("0011");
	expect(await d1.prepare("select * from reconcile_cursor").first()).toMatchObject({ id: 1, event_created: 0 });
});

test("migrations keep the items of existing orders, their checks and their foreign key", async () => {
	await migrate("0000", "0008");
	const order = { payment_intent_id: "pi_1", amount: 2392, status: "paid", created: 1, placed_at: 1, due_at: 1 };
	const item = { product_id: "1", title: "Book", image: "/book", price_cents: 1196, rating: 5, quantity: 2 };
	const line = (payment_intent_id: string, position: number) => ({ payment_intent_id, position, ...item });
	const insert = (row: Record<string, unknown>) => insertRow(d1, "order_items", row);
	const lines = () => d1.prepare("select * from order_items order by position").all();
	await d1.batch([insertRow(d1, "orders", order), insert(line("pi_1", 1)), insert(line("pi_1", 0))]);
	const before = (await lines()).results;
	expect(before).toEqual([line("pi_1", 0), line("pi_1", 1)]);
	await migrate("0008");
	expect((await lines()).results).toEqual(before);
	await expect(insert({ ...line("pi_1", 2), quantity: 0 }).run()).rejects.toThrow("order_items_quantity");
	await expect(insert(line("pi_1", 1)).run()).rejects.toThrow("UNIQUE");
	await expect(insert(line("pi_2", 0)).run()).rejects.toThrow("FOREIGN KEY");
});

test("the statements of a rollback in docs/operations.md run after all migrations", async () => {
	await migrate("0000");
	const [, section = ""] = readFileSync("docs/operations.md", "utf8").split("## Rollback");
	const statements = section.split("\n## ")[0]?.match(/(?<=^ {4}).*(?=;$)/gm) ?? [];
	expect(statements).toHaveLength(6);
	for (const statement of statements) await d1.prepare(statement).run();
});
