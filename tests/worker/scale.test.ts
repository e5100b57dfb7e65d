import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createUser } from "#app/auth/credentials.server.ts";
import { deleteExpiredSessions, endSession, startSession } from "#app/auth/customer.server.ts";
import { openLucia, sessionCookieName } from "#app/auth/lucia.server.ts";
import { passwordCost } from "#app/auth/password.server.ts";
import { CookieJar } from "#app/http/cookies.server.ts";
import { bindOrder, claimOrders, type Owner } from "#app/orders/orders.server.ts";
import { fulfill } from "#app/payments/fulfill.server.ts";
import type { Payments } from "#app/payments/payments.server.ts";
import { place } from "#app/payments/place.server.ts";
import { reconcile } from "#app/payments/reconcile.server.ts";
import { openDatabase } from "#drizzle/db.server.ts";
import { book, mixer, products } from "../support/catalogue.ts";
import { Customer, idOf, statusOf, totalOf } from "../support/customer.ts";
import { insertCustomers } from "../support/seed-data.ts";
import { openShop, type Shop } from "../support/shop.ts";

// The D1 query and row counts that docs/scale.md relies on.

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
	await shop.disableWebhooks();
});
afterAll(() => shop?.close());

const now = () => Math.floor(Date.now() / 1000);

interface Used {
	/** Number of queries. A batch is one transaction and counts once. */
	queries: number;
	/** Number of queries that write. */
	writes: number;
	rowsRead: number;
	/** Number of rows written, including index rows. */
	rowsWritten: number;
}

/** Counts the D1 queries that `work` runs and the rows that they read and write. */
async function use(work: (payments: Payments) => Promise<unknown>): Promise<Used> {
	const used: Used = { queries: 0, writes: 0, rowsRead: 0, rowsWritten: 0 };
	async function batch<T>(statements: D1PreparedStatement[]): Promise<D1Result<T>[]> {
		const results = await shop.d1.batch<T>(statements.map((statement) => real.get(statement) ?? statement));
		used.queries++;
		if (results.some(({ meta }) => meta.changed_db)) used.writes++;
		for (const { meta } of results) {
			used.rowsRead += meta.rows_read;
			used.rowsWritten += meta.rows_written;
		}
		return results;
	}
	const real = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
	function metered(statement: D1PreparedStatement): D1PreparedStatement {
		const alone = async () => (await batch<Record<string, unknown>>([statement]))[0];
		const answers: Record<string, unknown> = {
			bind: (...values: unknown[]) => metered(statement.bind(...values)),
			run: alone,
			all: alone,
			raw: async () => (await alone())?.results.map((row) => Object.values(row)),
		};
		const proxy = new Proxy(statement, { get: (_, name) => answers[String(name)] });
		real.set(proxy, statement);
		return proxy;
	}
	const primary = openDatabase({
		prepare: (query) => metered(shop.d1.prepare(query)),
		batch,
		getBookmark: () => null,
	});
	const { stripe } = shop;
	const account = {
		...{ secretKey: "", publishableKey: "", webhookSecret: "", signingKey: "key", fetch, scriptUrl: null },
		...{ sources: { script: [], frame: [], connect: [] }, shopId: "half-dozen-local" },
	};
	await work({ stripe, primary, now, notifyFeed: async () => undefined, account });
	return used;
}

const read = (queries: number) => expect.objectContaining({ queries, writes: 0, rowsWritten: 0 });
const written = (queries: number, rowsWritten: number) => expect.objectContaining({ queries, writes: 1, rowsWritten });

/** Creates a payment for the products. Returns the steps that Buy Now triggers. */
async function begin(products: { id: string }[], isCustomer: boolean) {
	const shopper = new Customer(shop);
	if (isCustomer) await shopper.createAccount();
	const userId = await shopper.userId();
	const owner: Owner = userId ? { userId, guestTokenHash: null } : { userId: null, guestTokenHash: shopper.email };
	const productIds = products.map(({ id }) => id);
	const clientSecret = await shopper.create(totalOf(productIds));
	return {
		owner,
		clientSecret,
		id: idOf(clientSecret),
		place: (payments: Payments) =>
			place(payments, {
				clientSecret,
				signature: "",
				productIds,
				owner,
				sender: sql`${userId}`,
				isSenders: async () => true,
				address: shopper.email,
			}),
		confirm: () => shopper.confirm(clientSecret),
	};
}

test.each([
	["one product", [book], 1],
	["ten copies of a product", Array.from({ length: 10 }, () => book), 1],
	["two products", [book, mixer], 2],
	["six products", products, 6],
])("placing an order of %s runs one D1 query and writes 6 rows, and one for each product", async (_, items, lines) => {
	for (const isCustomer of [true, false]) {
		const { place } = await begin(items, isCustomer);
		expect(await use(place)).toEqual(written(1, 6 + lines));
	}
});

test("fulfill writes 3 rows in one query, and a second call writes nothing", async () => {
	const order = await begin([book], true);
	await use(order.place);
	await order.confirm();
	const fulfillIt = (payments: Payments) => fulfill(payments, order.id);
	expect(await use(fulfillIt)).toEqual(written(1, 3));
	expect(await use(fulfillIt)).toEqual(read(1));
});

test("assigning an order to its current owner writes nothing", async () => {
	for (const isCustomer of [true, false]) {
		const order = await begin([book], isCustomer);
		await use(order.place);
		expect(await use(({ primary }) => bindOrder(primary, order.id, order.owner, now()))).toEqual(read(1));
	}
});

test("claiming a guest's order writes 6 rows in one query, 3 of them to list its payment for reconcile", async () => {
	const order = await begin([book], false);
	await use(order.place);
	await order.confirm();
	await use((payments) => fulfill(payments, order.id));
	const shopper = new Customer(shop);
	await shopper.createAccount();
	const userId = String(await shopper.userId());
	const guest = String(order.owner.guestTokenHash);
	expect(await use(({ primary }) => claimOrders(primary, guest, userId, now()))).toEqual(written(1, 6));
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
	expect(await use(({ primary }) => startSession(primary, jar, now, id))).toEqual(written(1, 4));
	const headers = new Headers();
	jar.appendTo(headers);
	const Cookie = headers.get("Set-Cookie")?.split(";")[0] ?? "";
	const back = new CookieJar(new Request("http://localhost", { headers: { Cookie } }));
	const token = String(back.get(sessionCookieName));
	await shop.d1.prepare("update sessions set expires_at = unixepoch() + 60 where user_id = ?").bind(id).run();
	const extension = await use(({ primary }) => openLucia(primary, now).validateSession(token));
	expect(extension).toMatchObject({ queries: 2, writes: 1, rowsWritten: 2 });
	expect((await use(({ primary }) => endSession(primary, back, now))).rowsWritten).toBe(1);
});

test("an idle run of reconcile makes six D1 queries and writes nothing", async () => {
	await use(reconcile);
	expect(await use(reconcile)).toEqual(read(6));
});

/** Counts reconcile's D1 queries beyond those of an idle run, `later` seconds from now. */
async function queriesOfReconcile(later = 0): Promise<number> {
	const { queries } = await use((payments) => reconcile({ ...payments, now: () => now() + later }));
	return queries - 6;
}

test("reconcile makes 4 D1 queries for a payment without a webhook, 8 for a lost order, and one to list either", async () => {
	const paid = await begin([book], true);
	await use(paid.place);
	await paid.confirm();
	expect(await queriesOfReconcile()).toBe(1 + 4);
	const lost = await begin([book], true);
	await use(lost.place);
	await lost.confirm();
	for (const table of ["order_items", "orders"]) {
		await shop.d1.prepare(`delete from ${table} where payment_intent_id = ?`).bind(lost.id).run();
	}
	expect(await queriesOfReconcile()).toBe(1 + 8);
	expect(await statusOf(shop, lost.clientSecret)).toBe("paid");
});

test("reconcile makes 4 D1 queries for an order that stays unpaid", async () => {
	await shop.d1.prepare("update orders set due_at = 4000000000").run();
	// moves the cursor past all events
	await queriesOfReconcile(3900);
	const unpaid = await begin([book], true);
	await use(unpaid.place);
	let queries = 0;
	for (let minute = 0; minute <= 65; minute += 5) {
		// a second run has nothing to do
		queries += (await queriesOfReconcile(60 * minute)) - (await queriesOfReconcile(60 * minute));
	}
	expect(queries).toBe(4);
	expect(await statusOf(shop, unpaid.clientSecret)).toBe("abandoned");
});

test("reconcile makes one D1 query for each page of recent events of paid orders, and two for each older page", async () => {
	const pay = () =>
		shop.stripe.paymentIntents.create({
			...{ amount: 1196, currency: "usd", metadata: { shop: "half-dozen-local" } },
			...{ confirm: true, payment_method: "pm_card_visa", allowed_payment_method_types: ["card"] },
		});
	const paid: { id: string }[] = [];
	while (paid.length < 350) paid.push(...(await Promise.all(Array.from({ length: 50 }, pay))));
	await shop.d1
		.prepare(`insert into orders (payment_intent_id, amount, status, created, placed_at, due_at)
			select value, 1196, 'paid', 1, 1, 1 from json_each(?)`)
		.bind(JSON.stringify(paid.map(({ id }) => id)))
		.run();
	await use(reconcile);
	// the tests above left unpaid orders
	await shop.d1.prepare("update orders set due_at = 4000000000").run();
	// four pages with the events of the tests above: three more than an idle run
	expect(await use(reconcile)).toEqual(read(6 + 3));
	const later = (payments: Payments) => reconcile({ ...payments, now: () => now() + 601 });
	expect(await use(later)).toMatchObject({ queries: 6 + 3 + 4, writes: 4 });
});

test("a run of the cron deletes at most 10,000 expired sessions, and does not read valid ones", async () => {
	const valid = 20_000;
	await insertCustomers(shop, valid);
	const expired = 10_500;
	await shop.d1
		.prepare("update sessions set expires_at = 1 where id in (select id from sessions where id like 'seed-%' limit ?)")
		.bind(expired)
		.run();
	const left = () => shop.d1.prepare("select count(*) from sessions where expires_at = 1").first<number>("count(*)");
	const run = () => use(({ primary }) => deleteExpiredSessions(primary, { now, timeouts: { request: 10_000 } }));
	// four rows for each deleted session, from two indexes and twice from the table, and up to two rows of valid sessions
	expect(await run()).toMatchObject({ queries: 10, rowsRead: 40_000, rowsWritten: 10_000 });
	expect(await left()).toBe(500);
	expect(await run()).toMatchObject({ queries: 1, rowsRead: 2001, rowsWritten: 500 });
	expect(await run()).toMatchObject({ queries: 1, rowsRead: 2, rowsWritten: 0 });
	expect(await shop.d1.prepare("select count(*) from sessions where id like 'seed-%'").first("count(*)")).toBe(9500);
});
