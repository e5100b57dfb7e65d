import { expect, test } from "vitest";
import { deleteExpiredSessions } from "#app/auth/sessions.server.ts";
import { openPrimary } from "#app/http/databases.server.ts";
import { bindOrder, claimOrders } from "#app/orders/claim.server.ts";
import type { Owner } from "#app/orders/owner.server.ts";
import { fulfill } from "#app/payments/fulfill.server.ts";
import { place } from "#app/payments/place.server.ts";
import { placeShape } from "#app/payments/shop-api.server.ts";
import type { Payments } from "#app/payments/stripe-api.server.ts";
import { book, mixer } from "../support/catalogue.ts";
import { Customer, idOf, statusOf, totalOf } from "../support/customer.ts";
import { d1On } from "../support/d1.ts";
import { openCountedShop } from "../support/d1-queries.ts";
import { insertCustomers, insertOrders } from "../support/seed-data.ts";
import { shopId } from "../support/shop.ts";
import { closeAfterAll, newCustomer } from "./setup.ts";

// The D1 queries and rows of each page and each step of a purchase, which docs/scale.md relies on.

const shop = closeAfterAll(await openCountedShop());
await shop.disableWebhooks();

const now = () => Math.floor(Date.now() / 1000);
const pages = [
	...["/", `/product/${book.id}`, "/login", "/checkout", "/payment", "/nothing", "/_root.data"],
	...["/orders", "/orders.data"],
];

const isOfCatalogue = ({ sql }: { sql: string }) => sql.includes('order by "products"."position"');

/** Returns the D1 queries of a request to a warm isolate. If the request has read the catalog, which an isolate caches for
 *  50 seconds, sends it again. */
async function queriesWhenWarm(send: () => Promise<Response>) {
	const queries = await shop.queriesOf(send);
	return queries.some(isOfCatalogue) ? shop.queriesOf(send) : queries;
}

const queriesOf = (visitor: Customer, path: string) => queriesWhenWarm(() => visitor.fetch(path));

test("a page runs no D1 query for a guest, with or without a guest cookie, one for a customer, and two at /orders", async () => {
	const [guest, shopper] = [new Customer(shop), await newCustomer(shop)];
	await insertOrders(shop, await shopper.userId(), [1_763_650_000]);
	for (const path of pages) {
		expect([path, await queriesOf(guest, path)]).toEqual([path, []]);
		const count = path.startsWith("/orders") ? 2 : 1;
		expect([path, (await queriesOf(shopper, path)).length]).toEqual([path, count]);
	}
	await guest.create(book.priceCents);
	expect(await queriesOf(guest, "/")).toEqual([]);
});

test("claiming reads as many rows with 10,000 paid orders of others, and 1,000 of the guest, as with 300", async () => {
	const userId = String(await (await newCustomer(shop)).userId());
	const insert = async (guest: string, count: number) => {
		const values = "value, ?, 1196, 'usd', 'paid', 1, 1, 4000000000 from json_each(?)";
		const columns = "payment_intent_id, guest_token_hash, amount, currency, status, created, placed_at, due_at";
		const ids = JSON.stringify(Array.from({ length: count }, (_, index) => `${guest} ${index}`));
		await shop.d1.prepare(`insert into orders (${columns}) select ${values}`).bind(guest, ids).run();
	};
	const claim = async (guest: string, count: number) => {
		await insert(guest, count);
		return (await use(({ primary }) => claimOrders(primary, [guest, "unknown"], userId))).rowsRead;
	};
	const few = await claim("guest with few", 300);
	await insert("others", 10_000);
	expect(await claim("guest with many", 1000)).toBe(few);
});

test("a prefetch writes nothing, although it could extend the session and fulfill an order", async () => {
	const shopper = await newCustomer(shop);
	const clientSecret = await shopper.pay([book.id]);
	const endSoon = "update sessions set expires_at = unixepoch() + 6000 where user_id = ?";
	await shop.d1
		.prepare(endSoon)
		.bind(await shopper.userId())
		.run();
	for (const path of pages) {
		for (const header of ["Sec-Purpose", "Purpose"]) {
			const inAdvance = { headers: { [header]: "prefetch;prerender" } };
			const queries = await shop.queriesOf(() => shopper.fetch(path, inAdvance));
			expect(queries.filter(({ sql }) => !/^\s*select/i.test(sql))).toEqual([]);
		}
	}
	expect(await statusOf(shop, clientSecret)).toBe("placed");
});

interface Used {
	/** Number of queries. A batch is one transaction and counts once. */
	queries: number;
	/** Number of queries that run after the response. */
	later: number;
	/** Number of queries that write. */
	writes: number;
	rowsRead: number;
	/** Number of rows written, including index rows. */
	rowsWritten: number;
}

/** Counts the D1 queries that `work` runs and the rows that they read and write. */
async function use(work: (payments: Payments) => Promise<unknown>): Promise<Used> {
	const used: Used = { queries: 0, later: 0, writes: 0, rowsRead: 0, rowsWritten: 0 };
	const d1 = d1On(async ({ statements, raw }) => {
		const results = await shop.d1.batch(statements.map(({ sql, values }) => shop.d1.prepare(sql).bind(...values)));
		used.queries++;
		if (results.some(({ meta }) => meta.changed_db)) used.writes++;
		for (const { meta } of results) {
			used.rowsRead += meta.rows_read;
			used.rowsWritten += meta.rows_written;
		}
		return JSON.stringify(raw ? results[0]?.results.map((row) => Object.values(Object(row))) : results);
	});
	const { stripe } = shop;
	const account = {
		...{ secretKey: "", publishableKey: "", webhookSecret: "", signingKey: "key", fetch, scriptUrl: null },
		...{ sources: { script: [], frame: [], connect: [] }, shopId },
	};
	const works: Promise<void>[] = [];
	const waitUntil = (work: Promise<void>) => void works.push(work);
	await work({ stripe, primary: openPrimary(d1), now, notifyFeed: () => undefined, account, waitUntil });
	const before = used.queries;
	await Promise.all(works);
	used.later = used.queries - before;
	used.queries = before;
	return used;
}

test("create runs no D1 query, place two and fulfill one, which writes nothing when it is repeated", async () => {
	for (const shopper of [new Customer(shop), await newCustomer(shop)]) {
		const userId = await shopper.userId();
		const owner: Owner = userId ? { userId, guestTokenHash: null } : { userId: null, guestTokenHash: shopper.email };
		const productIds = [book.id, mixer.id];
		const total = totalOf(productIds);
		expect(await queriesWhenWarm(() => shopper.requestIntent(total))).toEqual([]);
		const clientSecret = await shopper.create(total);
		const order = { ...placeShape.parse({ clientSecret, productIds, customer: userId }), owner };
		const customerId = Promise.resolve(userId);
		expect(await use((payments) => place(payments, { ...order, customerId }))).toMatchObject({ queries: 2 });
		await shopper.confirm(clientSecret);
		const id = idOf(clientSecret);
		expect(await use((payments) => fulfill(payments, id))).toMatchObject({ queries: 1, later: 1 });
		expect(await use((payments) => fulfill(payments, id))).toMatchObject({ queries: 1, later: 0, writes: 0 });
		const bound = await use(({ primary }) => bindOrder(primary, id, [owner], null));
		expect(bound).toMatchObject({ queries: 1, writes: 0 });
	}
});

test("a page reads as many rows with 10,000 customers and orders as with ten", async () => {
	const shopper = await newCustomer(shop);
	const history = Array.from({ length: 25 }, (_, index) => 1_763_650_000 + index);
	await insertOrders(shop, await shopper.userId(), history);
	const rowsRead: number[][] = [];
	for (const count of [10, 1000, 10_000]) {
		await insertCustomers(shop, count);
		const [home, orders] = [await queriesOf(shopper, "/"), await queriesOf(shopper, "/orders")];
		rowsRead.push([...home, ...orders].map((query) => query.rowsRead));
	}
	expect(rowsRead).toEqual(rowsRead.map(() => rowsRead[0]));
	// one row each for the session and its user
	expect(rowsRead[0]?.[0]).toBe(2);
});

test("the first and a middle page of orders read about as many rows with 10,000 orders as with 60", async () => {
	const rowsRead: number[] = [];
	for (const count of [60, 10_000]) {
		const shopper = await newCustomer(shop);
		const id = await shopper.userId();
		// ten per second
		const created = Array.from({ length: count }, (_, index) => 1_763_650_000 + Math.floor(index / 10));
		await insertOrders(shop, id, created);
		for (const query of ["", `?before=${1_763_650_000 + count / 20}-pi_${id}${count / 2}`]) {
			const queries = await shop.queriesOf(() => shopper.fetch(`/orders${query}`));
			expect(queries).toHaveLength(2);
			expect(await shopper.page(`/orders${query}`)).toContain("Show older orders");
			rowsRead.push(queries.reduce((sum, query) => sum + query.rowsRead, 0));
		}
	}
	// SQLite's Bloom filter lets a few more rows through, depending on the ids
	expect(Math.max(...rowsRead) - Math.min(...rowsRead)).toBeLessThan(8);
});

test("a run of the cron deletes at most 1,000 expired sessions, and does not read valid ones", async () => {
	await insertCustomers(shop, 11_000);
	await shop.d1
		.prepare("update sessions set expires_at = 1 where id in (select id from sessions where id like 'seed-%' limit ?)")
		.bind(1050)
		.run();
	const left = () => shop.d1.prepare("select count(*) from sessions where expires_at = 1").first<number>("count(*)");
	const run = () => use(({ primary }) => deleteExpiredSessions(primary));
	// four rows for each deleted session, from two indexes and twice from the table, and up to two rows of valid sessions
	expect(await run()).toMatchObject({ queries: 1, rowsRead: 4000, rowsWritten: 1000 });
	expect(await left()).toBe(50);
	expect(await run()).toMatchObject({ queries: 1, rowsRead: 201, rowsWritten: 50 });
	expect(await run()).toMatchObject({ queries: 1, rowsRead: 2, rowsWritten: 0 });
	expect(await shop.d1.prepare("select count(*) from sessions where id like 'seed-%'").first("count(*)")).toBe(9950);
});
