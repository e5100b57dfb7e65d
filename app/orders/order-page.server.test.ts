import { beforeEach, describe, expect, test, vi } from "vitest";
import { hashToken } from "#app/auth/sessions.server.ts";
import * as catalogue from "../../tests/support/catalogue.ts";
import { now, OrderDatabase } from "../../tests/support/unit-orders.ts";
import { readCursor, readOrderPage, writeCursor } from "./order-page.server.ts";

const [book, speaker] = [catalogue.book.id, catalogue.speaker.id];
let database: OrderDatabase;

beforeEach(() => {
	database = new OrderDatabase();
	for (const id of ["ada", "ben"]) database.insertSession(hashToken(`session-of-${id}`), id);
});

/** Lists ada's orders. */
const list = (query: Partial<Parameters<typeof readOrderPage>[1]> = {}) =>
	readOrderPage(database.primary, {
		sessionToken: "session-of-ada",
		guestTokenHashes: [],
		before: null,
		now,
		...query,
	});
const idsOf = ({ orders }: Awaited<ReturnType<typeof readOrderPage>>) => orders.map(({ id }) => id);

/** Inserts paid orders of ada, newest first, each with this number of items. */
function insertPaid(sizes: number[]): void {
	for (const [age, size] of sizes.entries()) {
		// a line item has at most 200 units
		const [products, quantity] = size > 200 ? [[book, speaker], size / 2] : [[book], size];
		database.insertOrder(`pi_${age}`, { userId: "ada", created: now - age, products, quantity });
	}
}

/** Returns the ids of every page. */
async function readPages(): Promise<string[][]> {
	const pages = [await list()];
	for (let page = pages[0]; page?.older; page = pages.at(-1)) pages.push(await list({ before: page.older }));
	return pages.map(idsOf);
}

describe("a page of orders", () => {
	test("contains each order with its items", async () => {
		database.insertOrder("pi_1", { userId: "ada", created: 5, products: [speaker, book], quantity: 2 });
		database.insertOrder("pi_2", { userId: "ada", created: 4, status: "refunded", products: ["sold out"] });
		const [speakers, books, withdrawn] = [speaker, book, "sold out"].map((id) => ({
			...{ id, title: `Title of ${id}`, image: `/${id}.webp`, priceCents: 299, rating: 4 },
			...{ quantity: id === "sold out" ? 1 : 2, isWithdrawn: id === "sold out" },
		}));
		expect(await list()).toMatchObject({
			...{ hasUnclaimed: false, older: null, waiting: null },
			orders: [
				{ id: "pi_1", amount: 1196, created: 5, status: "paid", basket: [speakers, books] },
				{ id: "pi_2", amount: 1196, created: 4, status: "refunded", basket: [withdrawn] },
			],
		});
		expect(database.calls).toHaveLength(1);
	});

	test("adds up the refunds of each order that have not failed", async () => {
		for (const id of ["pi_1", "pi_2", "pi_3"]) database.insertOrder(id, { userId: "ada" });
		for (const [id, amount, status] of [
			["pi_1", 100, "pending"],
			["pi_1", 20, "succeeded"],
			["pi_1", 3, "failed"],
			["pi_2", 4, "failed"],
		] as const) {
			database.sqlite.insert("refunds", { id: `re_${amount}`, payment_intent_id: id, amount, status, created: now });
		}
		const { orders } = await list();
		expect(new Map(orders.map(({ id, refunded }) => [id, refunded]))).toEqual(
			new Map([
				["pi_1", 120],
				["pi_2", 0],
				["pi_3", 0],
			]),
		);
	});

	test("lists the session's own paid and refunded orders, and no others", async () => {
		database.insertOrder("pi_unowned", {});
		database.insertOrder("pi_guest", { guestTokenHash: "guest" });
		database.insertOrder("pi_guest_placed", { guestTokenHash: "guest", status: "placed" });
		for (const userId of ["ada", "ben"]) {
			database.insertOrder(`pi_${userId}`, { userId });
			database.insertOrder(`pi_${userId}_abandoned`, { userId, status: "abandoned" });
		}
		for (const id of ["ada", "ben"]) {
			const page = await list({ sessionToken: `session-of-${id}` });
			expect(page).toMatchObject({ orders: [{ id: `pi_${id}` }], waiting: null });
		}
		database.insertOrder("pi_ben_placed", { userId: "ben", status: "placed" });
		expect(await list()).toMatchObject({ orders: [{ id: "pi_ada" }], waiting: null });
	});

	test("is retried after a lost connection", async () => {
		vi.spyOn(console, "info").mockReturnValue();
		database.failures.push("Network connection lost.");
		expect(await list()).toMatchObject({ orders: [] });
	});
});

describe("pages", () => {
	test("contain 20 orders each, newest first, then by id, and every order once", async () => {
		const ids = Array.from({ length: 45 }, (_, index) => `pi_${10 + index}`);
		// 15 per second: in the same second, the order with the greatest id is first
		for (const [index, id] of ids.entries()) {
			database.insertOrder(id, { userId: "ada", created: now - Math.floor(index / 15) });
		}
		const sorted = [0, 15, 30].flatMap((first) => ids.slice(first, first + 15).toReversed());
		expect(await readPages()).toEqual([sorted.slice(0, 20), sorted.slice(20, 40), sorted.slice(40)]);
		expect(await list()).toMatchObject({ older: { created: now - 1, id: sorted[19] } });
	});

	test("20 orders and an unpaid one fit on one page", async () => {
		insertPaid(Array(20).fill(1));
		database.insertOrder("pi_placed", { userId: "ada", status: "placed" });
		expect(await list()).toMatchObject({ orders: { length: 20 }, older: null, waiting: "pi_placed" });
	});

	test.each([
		["200 items fit on one page", [100, 99, 1], [["pi_0", "pi_1", "pi_2"]]],
		["a page ends before the order with its 201st item", [150, 51, 1], [["pi_0"], ["pi_1", "pi_2"]]],
		["a larger order has its own page", [1, 202, 1], [["pi_0"], ["pi_1"], ["pi_2"]]],
	])("%s", async (_, sizes, pages) => {
		insertPaid(sizes);
		expect(await readPages()).toEqual(pages);
	});
});

describe("the waiting order", () => {
	test("is the order that was placed last, on every page", async () => {
		database.insertOrder("pi_1", { userId: "ada", status: "placed", created: 3, placedAt: now - 30 });
		database.insertOrder("pi_2", { userId: "ada", status: "placed", created: 2, placedAt: now - 10 });
		database.insertOrder("pi_3", { userId: "ada", status: "placed", created: 1, placedAt: now - 20 });
		expect(await list()).toMatchObject({ orders: [], waiting: "pi_2" });
		expect(await list({ before: { created: 0, id: "pi_0" } })).toMatchObject({ waiting: "pi_2" });
	});

	test.each([
		[599, "pi_1"],
		[600, null],
	])("that was placed %i seconds ago is %s", async (age, waiting) => {
		database.insertOrder("pi_1", { userId: "ada", status: "placed", placedAt: now - age });
		expect(await list()).toMatchObject({ orders: [], waiting });
	});
});

test("a session that has ended lists no orders", async () => {
	database.insertOrder("pi_paid", { userId: "ada" });
	database.insertOrder("pi_placed", { userId: "ada", status: "placed" });
	database.insertSession(hashToken("expired"), "ada", 1);
	for (const sessionToken of ["expired", "unknown"]) {
		expect(await list({ sessionToken })).toEqual({ hasUnclaimed: false, orders: [], older: null, waiting: null });
	}
});

test("a page tells whether a guest has orders to claim, and changes nothing", async () => {
	database.insertOrder("pi_guest", { guestTokenHash: "guest", status: "placed" });
	database.insertOrder("pi_claimed", { userId: "ada" });
	const owners = database.owners();
	for (const guestTokenHashes of [["guest"], ["other", "guest"]]) {
		expect(await list({ guestTokenHashes })).toMatchObject({ hasUnclaimed: true, orders: [{ id: "pi_claimed" }] });
	}
	expect(await list({ guestTokenHashes: ["other"] })).toMatchObject({ hasUnclaimed: false });
	expect(await list()).toMatchObject({ hasUnclaimed: false });
	expect(database.owners()).toEqual(owners);
});

const read = (search: string) => readCursor(new URL(`https://shop.test/orders${search}`));

test("a cursor in a URL contains the order's time and id, and the first of two is used", () => {
	expect(writeCursor({ created: 1_763_650_000, id: "pi_123" })).toBe("1763650000-pi_123");
	expect(read("?before=1763650000-pi_123")).toEqual({ created: 1_763_650_000, id: "pi_123" });
	expect(read("?before=1-pi_1&before=2-pi_2")).toEqual({ created: 1, id: "pi_1" });
	expect(read("")).toBeNull();
});

test.each(["0-pi_azAZ09", `9999999999-pi_${"a".repeat(100)}`])("%s is a valid cursor", (cursor) => {
	const parsed = read(`?before=${cursor}`);
	expect(parsed && writeCursor(parsed)).toBe(cursor);
});

const malformed = ["", "-pi_1", "12345678901-pi_1", "1x-pi_1", "-1-pi_1", "1-ch_1", "1-pi_1'"];
test.each([...malformed, `1-pi_${"a".repeat(101)}`])("the malformed cursor %j returns the newest page", (cursor) => {
	expect(read(`?before=${cursor}`)).toBeNull();
});
