import { readdirSync, readFileSync } from "node:fs";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterEach, beforeEach, expect, test } from "vitest";
import { insertRow } from "../support/seed-data.ts";

// What migrations do to the rows of a shop that is already in use.

const files = readdirSync("migrations").filter((name) => name.endsWith(".sql"));

let miniflare: Miniflare;
let d1: D1Database;
beforeEach(async () => {
	const worker = { modules: true, script: "export default {}", d1Databases: ["DB"] };
	miniflare = new Miniflare({ ...convertV4MiniflareOptions({ workers: [worker] }), cf: false });
	d1 = await miniflare.getD1Database("DB");
});
afterEach(() => miniflare?.dispose());

/** Applies the migrations from `first` up to and excluding `end`, one at a time, like wrangler. */
async function migrate(first: string, end = "9999"): Promise<void> {
	for (const file of files.filter((name) => name >= first && name < end)) {
		const statements = readFileSync(`migrations/${file}`, "utf8").split("--> statement-breakpoint");
		await d1.batch(statements.map((statement) => d1.prepare(statement)));
	}
}

test("migrations limit existing sessions to 90 days", async () => {
	await migrate("0000", "0006");
	const day = 24 * 60 * 60;
	const [created, user] = [1_763_650_000, "ada"];
	const session = (id: string, expires_at: number) => ({ id, user_id: user, expires_at, created_at: created });
	const before = [session("extended", created + 110 * day), session("new", created + 30 * day)];
	await d1.batch([
		insertRow(d1, "users", { id: user, email: "ada@example.com", password_hash: "", created_at: created }),
		...before.map((row) => insertRow(d1, "sessions", row)),
	]);
	await migrate("0006");
	const { results } = await d1.prepare("select * from sessions order by id").all();
	expect(results).toEqual([session("extended", created + 90 * day), session("new", created + 30 * day)]);
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
