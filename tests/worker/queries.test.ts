import { expect, test } from "vitest";
import { createUser } from "#app/auth/credentials.server.ts";
import { passwordCost } from "#app/auth/password.server.ts";
import {
	deleteExpiredSessions,
	endSession,
	extendSession,
	findSession,
	sessionCookieName,
	startSession,
} from "#app/auth/sessions.server.ts";
import { CookieJar } from "#app/http/cookies.server.ts";
import { openPrimary } from "#app/http/databases.server.ts";
import { bindOrder, claimOrders } from "#app/orders/claim.server.ts";
import { guestCookieName, type Owner } from "#app/orders/owner.server.ts";
import { fulfill } from "#app/payments/fulfill.server.ts";
import { place } from "#app/payments/place.server.ts";
import { reconcile } from "#app/payments/reconcile.server.ts";
import { placeShape } from "#app/payments/shop-api.server.ts";
import type { Payments } from "#app/payments/stripe-api.server.ts";
import { book, mixer, products } from "../support/catalogue.ts";
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

test("GET /orders with cookies of an unknown session reads it at the replica and the primary, and writes nothing", async () => {
	const stranger = new Customer(shop);
	const token = "a".repeat(40);
	const Cookie = `${sessionCookieName}=${token}; ${guestCookieName(token)}=${token}`;
	const queries = await shop.queriesOf(() => stranger.fetch("/orders", { headers: { Cookie } }));
	expect(queries.map(({ sql }) => /^\s*(\w+)/.exec(sql)?.[1])).toEqual(["select", "select", "select"]);
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

test("POST /payments/create runs a D1 query only to replace the tab's payment with one of another amount", async () => {
	for (const visitor of [new Customer(shop), await newCustomer(shop)]) {
		const create = (copies: number, previous?: string) => () =>
			visitor.requestIntent(copies * book.priceCents, previous);
		expect(await queriesWhenWarm(create(2))).toEqual([]);
		const previous = await visitor.create(3 * book.priceCents);
		expect(await queriesWhenWarm(create(3, previous))).toEqual([]);
		const replacing = await shop.queriesOf(create(4, previous));
		expect(replacing.filter((query) => !isOfCatalogue(query))).toHaveLength(1);
	}
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

const any = expect.any(Number);
const read = (queries: number) => ({ queries, later: 0, writes: 0, rowsRead: any, rowsWritten: 0 });
const written = (queries: number, rowsWritten: number) => ({ ...read(queries), writes: 1, rowsWritten });

/** Creates a payment for the products. Returns the steps that Buy Now triggers. */
async function begin(products: { id: string }[], isCustomer: boolean) {
	const shopper = isCustomer ? await newCustomer(shop) : new Customer(shop);
	const userId = await shopper.userId();
	const owner: Owner = userId ? { userId, guestTokenHash: null } : { userId: null, guestTokenHash: shopper.email };
	const productIds = products.map(({ id }) => id);
	const clientSecret = await shopper.create(totalOf(productIds));
	const order = { ...placeShape.parse({ clientSecret, productIds, customer: userId }), owner };
	return {
		...{ owner, clientSecret, id: idOf(clientSecret), confirm: () => shopper.confirm(clientSecret) },
		place: (payments: Payments) => place(payments, { ...order, customerId: Promise.resolve(userId) }),
	};
}

test.each([
	["ten copies of a product", Array.from({ length: 10 }, () => book), 1],
	["two products", [book, mixer], 2],
	["all products", products, products.length],
])(
	"placing an order of %s runs two D1 queries and writes 5 rows, and one for each product",
	async (_, items, lines) => {
		for (const isCustomer of [true, false]) {
			const { place } = await begin(items, isCustomer);
			expect(await use(place)).toEqual(written(2, 5 + lines));
		}
	},
);

test("fulfill writes 3 rows in one query; a second call, and assigning the order to its owner, write nothing", async () => {
	for (const isCustomer of [true, false]) {
		const order = await begin([book], isCustomer);
		await use(order.place);
		await order.confirm();
		// after the response, the order is read for its copy at Stripe
		expect(await use((payments) => fulfill(payments, order.id))).toEqual({ ...written(1, 3), later: 1 });
		expect(await use((payments) => fulfill(payments, order.id))).toEqual(read(1));
		expect(await use(({ primary }) => bindOrder(primary, order.id, [order.owner], null))).toEqual(read(1));
		if (isCustomer) continue;
		const userId = String(await (await newCustomer(shop)).userId());
		const guest = String(order.owner.guestTokenHash);
		expect(await use(({ primary }) => claimOrders(primary, [guest], userId))).toEqual(written(1, 3));
	}
});

test("creating an account writes 3 rows, creating a session 4, extending it 2, and ending it one", async () => {
	const jar = new CookieJar(new Request("http://localhost"));
	let id = "";
	const creation = await use(async ({ primary }) => {
		const credentials = { email: "ada@example.com", password: "correct horse battery" };
		const user = await createUser(primary, credentials, now, (hash) => hash(passwordCost));
		id = typeof user === "object" && "id" in user ? user.id : "";
	});
	expect(creation).toMatchObject({ writes: 1, rowsWritten: 3 });
	expect(await use(({ primary }) => startSession(primary, jar, id))).toEqual(written(1, 4));
	const headers = new Headers();
	jar.appendTo(headers);
	const Cookie = headers.get("Set-Cookie")?.split(";")[0] ?? "";
	const back = new CookieJar(new Request("http://localhost", { headers: { Cookie } }));
	const token = String(back.get(sessionCookieName));
	await shop.d1.prepare("update sessions set expires_at = unixepoch() + 6000 where user_id = ?").bind(id).run();
	const extension = await use(async ({ primary }) => {
		const session = await findSession(primary, token);
		if (session) await extendSession(primary, back, token, session);
	});
	expect(extension).toMatchObject({ queries: 2, writes: 1, rowsWritten: 2 });
	expect((await use(({ primary }) => endSession(primary, back))).rowsWritten).toBe(1);
});

test("an idle run of reconcile makes three D1 queries and writes nothing", async () => {
	// the orders of the tests above
	await shop.d1.prepare("update orders set due_at = 4000000000").run();
	expect(await use(reconcile)).toEqual(read(3));
});

/** Counts reconcile's D1 queries beyond those of an idle run, `later` seconds from now. */
async function queriesOfReconcile(later = 0): Promise<number> {
	const { queries } = await use((payments) => reconcile({ ...payments, now: () => now() + later }));
	return queries - 3;
}

test("reconcile makes 3 D1 queries for a payment without a webhook", async () => {
	const paid = await begin([book], true);
	await use(paid.place);
	await paid.confirm();
	// the last is for its copy at Stripe
	expect(await queriesOfReconcile()).toBe(3);
	expect(await statusOf(shop, paid.clientSecret)).toBe("paid");
});

test("reconcile makes 14 D1 queries for an order that stays unpaid", async () => {
	const unpaid = await begin([book], true);
	await use(unpaid.place);
	let queries = 0;
	for (let minute = 1; minute <= 66; minute += 5) queries += await queriesOfReconcile(60 * minute);
	// 12 polls and the cancellation, which is one more
	expect(queries).toBe(14);
	expect(await statusOf(shop, unpaid.clientSecret)).toBe("abandoned");
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
