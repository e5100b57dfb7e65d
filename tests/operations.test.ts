import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import { book, mixer, monitor } from "./support/catalogue.ts";
import { now, OrderDatabase } from "./support/unit-orders.ts";

// The SQL of docs/operations.md and docs/incidents.md, each statement as it is written there.

const paths = ["docs/operations.md", "docs/incidents.md"];
const verbs = "select|insert|update|delete";

/** Returns the SQL statements of a section, in code blocks and in the text. */
function statementsOf(section: string): string[] {
	const blocks = [...section.matchAll(new RegExp(`^ {4,6}(?:${verbs}) .*(?:\\n {4,6}\\S.*)*`, "gm"))];
	const inline = [...section.matchAll(new RegExp(`\x60((?:${verbs}) [^\x60]*)\x60`, "g"))].map(([, sql = ""]) => sql);
	return [...blocks.flatMap(([block]) => block.split(/;\s*|\n(?= +(?:update|delete) )/)), ...inline];
}

const sections = new Map(
	paths.flatMap((path) =>
		readFileSync(path, "utf8")
			.split(/^#+ /m)
			.map((text): [string, string[]] => [text.split("\n")[0] ?? "", statementsOf(text)]),
	),
);
const tested = new Set<string>();
let database: OrderDatabase;

/** The rows that a statement returns, or those of a table. */
const rows = (sql: string) => database.sqlite.all(sql);
const order = (id: string) => rows(`select * from orders where payment_intent_id = '${id}'`)[0];

/** Runs a section's statements with these values in place of the examples. Returns the rows of the last one. */
function run(heading: string, from = 0, to = Number.POSITIVE_INFINITY, email = "ada@example.com") {
	tested.add(heading);
	const statements = sections.get(heading)?.slice(from, to) ?? [];
	expect(statements).not.toEqual([]);
	const typed = statements.map((sql) => sql.replaceAll("pi_…", "pi_1").replaceAll("ada@example.com", email));
	return typed.map(rows).at(-1);
}

beforeEach(() => {
	database = new OrderDatabase();
	database.sqlite.insert("users", { id: "ann", email: "ada@example.org", password_hash: "", created_at: 0 });
	for (const id of ["ada", "ben"]) database.sqlite.insert("sessions", { id, user_id: id, expires_at: now });
	database.insertOrder("pi_1", { userId: "ada" });
	database.insertOrder("pi_ben", { userId: "ben" });
	database.insertOrder("pi_guest", { guestTokenHash: "guest" });
});

describe("docs/operations.md", () => {
	test("a price, a text and what is sold out are changed for one product", () => {
		const others = () => rows(`select * from products where id not in ('${book.id}', '${mixer.id}')`);
		const before = others();
		const change = (from: number, to: number) => run("Change a price or a text, or sell out", from, to);
		expect(change(0, 1)).toHaveLength(rows("select id from products").length);
		expect(change(1, 2)).toEqual([{ id: book.id, price_cents: 1296 }]);
		expect(change(2, 4)).toEqual([{ id: mixer.id, status: "sold_out" }]);
		const changed = rows(
			`select id, price_cents, title, status from products where id in ('${book.id}', '${mixer.id}')`,
		);
		expect(changed).toEqual([
			{ id: book.id, price_cents: 1296, title: expect.stringContaining(book.title), status: "available" },
			{ id: mixer.id, price_cents: mixer.priceCents, title: expect.not.stringContaining("steel"), status: "sold_out" },
		]);
		expect(change(4, 5)).toEqual([{ id: mixer.id, status: "available" }]);
		expect(others()).toEqual(before);
	});

	test("a guest's order is assigned to an account, and a customer's is not", () => {
		const assign = (email?: string) => run("Assign an order to an account", 0, 1, email);
		database.sqlite.exec("update orders set user_id = 'ben' where payment_intent_id = 'pi_1'");
		expect(assign()).toEqual([]);
		expect(order("pi_1")).toMatchObject({ user_id: "ben" });
		database.sqlite.exec(
			"update orders set user_id = null, guest_token_hash = 'guest' where payment_intent_id = 'pi_1'",
		);
		expect(assign("Ada@example.com")).toEqual([]);
		expect(order("pi_1")).toMatchObject({ user_id: null, guest_token_hash: "guest" });
		expect(assign()).toEqual([{ payment_intent_id: "pi_1", user_id: "ada" }]);
		expect(database.owners()).toEqual({ pi_1: "ada", pi_ben: "ben", pi_guest: "guest" });
	});

	test("a closed account keeps its orders, which can move to another account, and no session", () => {
		const orders = rows("select * from orders");
		run("Close an account", 0, 2);
		expect(rows("select id from sessions")).toEqual([{ id: "ben" }]);
		const hash = `scrypt$16384$8$5$${"A".repeat(22)}$${"A".repeat(43)}`;
		expect(rows("select id, password_hash from users where password_hash <> ''")).toEqual([
			{ id: "ada", password_hash: hash },
		]);
		expect(rows("select * from orders")).toEqual(orders);
		database.sqlite.exec("update users set email = 'unknown@example.org' where id = 'ann'");
		expect(run("Close an account", 2)).toEqual([]);
		expect(rows("select * from orders")).toEqual(orders);
		database.sqlite.exec("update users set email = 'ada@example.org' where id = 'ann'");
		expect(run("Close an account", 2)).toEqual([{ payment_intent_id: "pi_1" }]);
		expect(database.owners()).toEqual({ pi_1: "ann", pi_ben: "ben", pi_guest: "guest" });
	});

	test("a lost dispute is recorded as a refund without Stripe, and its order as refunded", () => {
		const before = rows("select * from orders where payment_intent_id <> 'pi_1'");
		expect(run("Respond to a dispute")).toEqual([{ payment_intent_id: "pi_1", amount: 1196 }]);
		expect(rows("select id, payment_intent_id, amount, status from refunds")).toEqual([
			{ id: "manual-pi_1", payment_intent_id: "pi_1", amount: 23900, status: "succeeded" },
		]);
		expect(order("pi_1")).toMatchObject({ status: "refunded" });
		expect(rows("select * from orders where payment_intent_id <> 'pi_1'")).toEqual(before);
	});
});

describe("docs/incidents.md", () => {
	test("unpaid orders and open refunds are listed", () => {
		database.insertOrder("pi_placed", { status: "placed" });
		const refund = { payment_intent_id: "pi_1", amount: 1, created: now };
		for (const status of ["pending", "succeeded"]) database.sqlite.insert("refunds", { id: status, ...refund, status });
		expect(run("Lookups", 0, 1)).toMatchObject([{ payment_intent_id: "pi_placed" }]);
		expect(run("Lookups", 1)).toMatchObject([{ id: "pending" }]);
	});

	test("an order is polled by the next run, or marked by hand, without changing another", () => {
		const before = rows("select * from orders where payment_intent_id <> 'pi_1'");
		database.sqlite.exec("update orders set due_at = 5");
		run("Order and refund states");
		expect(rows("select payment_intent_id id from orders where due_at = 0")).toEqual([{ id: "pi_1" }]);
		database.sqlite.exec("update orders set due_at = 0");
		for (const [index, status] of ["paid", "abandoned"].entries()) {
			run("payment_unknown", index, index + 1);
			expect(order("pi_1")).toMatchObject({ status });
		}
		expect(rows("select * from orders where payment_intent_id <> 'pi_1'")).toEqual(before);
	});

	test("an order that D1 has lost is stored with items that add up to its amount", () => {
		for (const table of ["order_items", "orders"]) {
			database.sqlite.exec(`delete from ${table} where payment_intent_id = 'pi_1'`);
		}
		run("paid_without_order");
		expect(order("pi_1")).toMatchObject({ user_id: "ada", amount: 39998, status: "placed", due_at: 0 });
		const items = rows("select * from order_items where payment_intent_id = 'pi_1'");
		expect(items).toMatchObject([{ product_id: monitor.id, price_cents: 19999, quantity: 2, rating: monitor.rating }]);
	});
});

test("a shell in which a statement is typed between double quotes changes nothing in it", () => {
	expect([...sections.values()].flat().filter((sql) => /["$\\`!]/.test(sql))).toEqual([]);
});

test("every statement of both documents has been tested", () => {
	const written = [...sections].filter(([, statements]) => statements.length > 0).map(([heading]) => heading);
	expect([...tested].toSorted()).toEqual(written.toSorted());
});
