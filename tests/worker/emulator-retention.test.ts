import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openShop, type Shop } from "../support/shop.ts";

let shops: Record<"public" | "local", Shop>;
beforeAll(async () => {
	const secrets = { STRIPE_EMULATOR_HOSTS: "demo.example.com" };
	const [open, local] = await Promise.all([openShop({ inspected: true, secrets }), openShop({ inspected: true })]);
	shops = { public: open, local };
});
beforeEach(async () => {
	for (const shop of Object.values(shops)) {
		await shop.control({ control: "reset" });
		await shop.disableWebhooks();
	}
});
afterAll(() => Promise.all(Object.values(shops ?? {}).map((shop) => shop.close())));

/** Returns the number of rows in each table of the account, except the settings. */
async function rowsOf({ emulatorSql }: Shop): Promise<Record<string, number>> {
	const tables = await emulatorSql("SELECT name FROM sqlite_schema WHERE type = 'table'");
	const names = tables.map(({ name }) => String(name)).filter((name) => !/^(_|sqlite_|settings$)/.test(name));
	const counts = names.map(async (name) => {
		const [row] = await emulatorSql(`SELECT count(*) AS rows FROM ${name}`);
		return [name, Number(row?.["rows"])] as const;
	});
	return Object.fromEntries(await Promise.all(counts));
}

/** A subquery of the numbers from 1 to 1,500 as i. */
const numbers =
	"(WITH RECURSIVE numbers (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM numbers LIMIT 1500) SELECT i FROM numbers)";
const create = (shop: Shop) => shop.stripe.paymentIntents.create({ amount: 1499, currency: "usd" });
const confirm = ({ stripe }: Shop, id: string, payment_method = "pm_card_visa") =>
	stripe.paymentIntents.confirm(id, { payment_method });

test("a public account deletes all rows that are older than a day, and a local account none", async () => {
	for (const [name, shop] of Object.entries(shops)) {
		const { id } = await create(shop);
		await confirm(shop, id, "pm_card_authenticationRequired");
		await confirm(shop, (await create(shop)).id);
		// 2 intents, 2 payment methods, an authentication, a charge and 5 events
		const rows = { objects: 11, deliveries: 5, journal: 4, idempotency_keys: 4 };
		expect(await rowsOf(shop)).toMatchObject(rows);
		await shop.advance(86_000);
		expect(await rowsOf(shop)).toEqual({ ...rows, due: 0 });
		await shop.stripe.paymentIntents.retrieve(id);
		await shop.advance(500);
		const recent = { objects: 0, deliveries: 0, journal: 1, idempotency_keys: 0, due: 0 };
		expect(await rowsOf(shop), name).toEqual(name === "public" ? recent : { ...rows, journal: 5, due: 0 });
	}
});

test("a public account keeps the newest thousand rows of each table and kind, and a running payment succeeds", async () => {
	const shop = shops.public;
	const { id, created } = await create(shop);
	const added = {
		objects: `(kind, id, object) SELECT 'charge', 'ch_' || i, json_object('created', ${created})`,
		deliveries: `(event, created, state, sending, attempts) SELECT 'evt_' || i, ${created}, 'dropped', '{}', 0`,
		journal: `(entry) SELECT json_object('created', ${created}, 'position', i)`,
		idempotency_keys: `(key, request, status, body, request_id, created) SELECT i, '', 200, '{}', '', ${created}`,
		due: `(at, kind, id) SELECT ${created} + 100000 + i, 'refund', 're_' || i`,
	};
	for (const [table, columns] of Object.entries(added)) {
		await shop.emulatorSql(`INSERT INTO ${table} ${columns} FROM ${numbers}`);
	}
	await shop.advance(61);
	// with the intent and its event
	const kept = { objects: 1002, deliveries: 1000, journal: 1000, idempotency_keys: 1000, due: 1000 };
	expect(await rowsOf(shop)).toEqual(kept);
	const charges = await shop.emulatorSql("SELECT id FROM objects WHERE kind = 'charge' ORDER BY position");
	expect([charges[0], charges.at(-1)]).toEqual([{ id: "ch_501" }, { id: "ch_1500" }]);
	expect(await confirm(shop, id)).toMatchObject({ status: "succeeded" });
});

test("the journal of a local account keeps the newest thousand requests", async () => {
	const shop = shops.local;
	await shop.emulatorSql(`INSERT INTO journal (entry) SELECT json_object('created', i) FROM ${numbers}`);
	await create(shop);
	expect(await rowsOf(shop)).toMatchObject({ journal: 1000 });
});

test("old rows are deleted a minute after a call, although further calls follow", async () => {
	const shop = shops.public;
	await create(shop);
	await shop.advance(58);
	await shop.emulatorSql(`INSERT INTO journal (entry) VALUES ('{"created":0}')`);
	await create(shop);
	// two seconds later, the alarm is due
	await expect.poll(() => rowsOf(shop), { timeout: 10_000 }).toMatchObject({ journal: 2, due: 0 });
});
