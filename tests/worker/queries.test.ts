import { afterAll, beforeAll, expect, test } from "vitest";
import { book } from "../support/catalogue.ts";
import { Customer, statusOf } from "../support/customer.ts";
import { type CountedShop, openCountedShop } from "../support/d1-queries.ts";
import { insertCustomers, insertOrders } from "../support/seed-data.ts";

let shop: CountedShop;
beforeAll(async () => {
	shop = await openCountedShop();
	await shop.disableWebhooks();
});
afterAll(() => shop?.close());

const pages = ["/", "/product/12321341", "/login", "/checkout", "/payment", "/nothing", "/_root.data"];

async function customer(): Promise<Customer> {
	const shopper = new Customer(shop);
	await shopper.createAccount();
	return shopper;
}

/** Returns the D1 queries of a request to a warm isolate, which has the catalog cached. */
async function queriesOf(visitor: Customer, path: string) {
	await (await shop.fetch("/product/0")).text();
	return shop.queriesOf(() => visitor.fetch(path));
}

const queries = async (visitor: Customer, path: string) => (await queriesOf(visitor, path)).length;

test.each([...pages, "/orders", "/orders.data"])("GET %s runs no D1 query for a guest", async (path) => {
	expect(await queries(new Customer(shop), path)).toBe(0);
});

test.each([...pages, "/orders", "/orders.data"])("a prefetch of %s writes nothing", async (path) => {
	const shopper = await customer();
	const clientSecret = await shopper.pay([book.id]);
	const id = await shopper.userId();
	const nearEnd = Math.floor(Date.now() / 1000) + 60;
	await shop.d1.prepare("update sessions set expires_at = ? where user_id = ?").bind(nearEnd, id).run();
	for (const header of ["Sec-Purpose", "Purpose"]) {
		const inAdvance = { headers: { [header]: "prefetch;prerender" } };
		const asked = await shop.queriesOf(() => shopper.fetch(path, inAdvance));
		expect(asked.map(({ sql }) => sql.trim())).not.toContainEqual(expect.stringMatching(/^(?!select)/i));
	}
	expect(await statusOf(shop, clientSecret)).toBe("placed");
});

test("GET / runs no D1 query for a guest with a guest cookie", async () => {
	const guest = new Customer(shop);
	await guest.create(book.priceCents);
	expect(await queries(guest, "/")).toBe(0);
});

test.each([...pages, "/orders", "/orders.data"])("GET %s runs one D1 query for a customer", async (path) => {
	const shopper = await customer();
	await insertOrders(shop, await shopper.userId(), [1_763_650_000]);
	expect(await queries(shopper, path)).toBe(1);
});

test("GET /orders runs one D1 query while a payment is being checked", async () => {
	const shopper = await customer();
	await shop.control({ control: "processing", seconds: 600 });
	await shopper.pay([book.id]);
	await shop.control({ control: "processing", seconds: 0 });
	expect(await queries(shopper, "/orders")).toBe(1);
	expect(await shopper.page("/orders")).toContain("re checking one of your payments.");
});

test("GET /orders runs three D1 queries when it fulfills a succeeded payment, and one on the next request", async () => {
	const shopper = await customer();
	const clientSecret = await shopper.pay([book.id]);
	expect(await queries(shopper, "/orders")).toBe(3);
	expect(await statusOf(shop, clientSecret)).toBe("paid");
	expect(await queries(shopper, "/orders")).toBe(1);
});

/** Counts the D1 queries of POST /payments/create in a tab that may already have a payment. */
async function queriesOfCreate(visitor: Customer, cents: number, previous?: string): Promise<number> {
	return (await shop.queriesOf(() => visitor.requestIntent(cents, previous))).length;
}

test("POST /payments/create runs no D1 query for a guest or a customer", async () => {
	expect(await queriesOfCreate(new Customer(shop), book.priceCents)).toBe(0);
	expect(await queriesOfCreate(await customer(), book.priceCents + 1)).toBe(0);
});

test("POST /payments/create runs no D1 query if the amount equals that of the tab's payment", async () => {
	const [guest, shopper] = [new Customer(shop), await customer()];
	const [theirs, ours] = [await guest.create(2 * book.priceCents), await shopper.create(3 * book.priceCents)];
	expect(await queriesOfCreate(guest, 2 * book.priceCents, theirs)).toBe(0);
	expect(await queriesOfCreate(shopper, 3 * book.priceCents, ours)).toBe(0);
});

test("POST /payments/create runs one D1 query if the amount differs from that of the tab's payment", async () => {
	const [guest, shopper] = [new Customer(shop), await customer()];
	const [theirs, ours] = [await guest.create(3588), await shopper.create(3589)];
	expect(await queriesOfCreate(guest, 4784, theirs)).toBe(1);
	expect(await queriesOfCreate(shopper, 4785, ours)).toBe(1);
});

test("a page reads as many rows with 100,000 customers and orders as with ten", async () => {
	const shopper = await customer();
	const history = Array.from({ length: 25 }, (_, index) => 1_763_650_000 + index);
	await insertOrders(shop, await shopper.userId(), history);
	const rowsRead: number[][] = [];
	for (const count of [10, 1000, 100_000]) {
		await insertCustomers(shop, count);
		const home = await queriesOf(shopper, "/");
		const orders = await queriesOf(shopper, "/orders");
		rowsRead.push([...home, ...orders].map((query) => query.rowsRead));
	}
	expect(rowsRead).toEqual(rowsRead.map(() => rowsRead[0]));
	// one row each for the session and its user
	expect(rowsRead[0]?.[0]).toBe(2);
});
