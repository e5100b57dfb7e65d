import { beforeEach, expect, test } from "vitest";
import { currency } from "#app/brand.ts";
import { openShop } from "../support/shop.ts";
import { closeAfterAll } from "./setup.ts";

// What the emulator's account of a public demo deletes.

const shop = closeAfterAll(await openShop({ inspected: true, secrets: { STRIPE_EMULATOR_HOSTS: "demo.example.com" } }));
beforeEach(async () => {
	await shop.control({ control: "reset" });
	await shop.disableWebhooks();
});

/** Returns the number of rows in each table of the account, except the settings. */
async function rowsOf(): Promise<Record<string, number>> {
	const tables = await shop.emulatorSql("SELECT name FROM sqlite_schema WHERE type = 'table'");
	const names = tables.map(({ name }) => String(name)).filter((name) => !/^(_|sqlite_|settings$)/.test(name));
	const counts = names.map(async (name) => {
		const [row] = await shop.emulatorSql(`SELECT count(*) AS rows FROM ${name}`);
		return [name, Number(row?.["rows"])] as const;
	});
	return Object.fromEntries(await Promise.all(counts));
}

/** A subquery of the numbers from 1 to 1,500 as i. */
const numbers =
	"(WITH RECURSIVE numbers (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM numbers LIMIT 1500) SELECT i FROM numbers)";
const create = () => shop.stripe.paymentIntents.create({ amount: 1499, currency });
const confirm = (id: string, payment_method = "pm_card_visa") =>
	shop.stripe.paymentIntents.confirm(id, { payment_method });

test("rows that are older than a day are deleted", async () => {
	const { id } = await create();
	await confirm(id, "pm_card_authenticationRequired");
	await confirm((await create()).id);
	// 2 intents, 2 payment methods, an authentication, a charge and 5 events
	const rows = { objects: 11, deliveries: 5, journal: 4, idempotency_keys: 4 };
	expect(await rowsOf()).toMatchObject(rows);
	await shop.advance(86_000);
	expect(await rowsOf()).toEqual({ ...rows, due: 0 });
	await shop.stripe.paymentIntents.retrieve(id);
	await shop.advance(500);
	expect(await rowsOf()).toEqual({ objects: 0, deliveries: 0, journal: 1, idempotency_keys: 0, due: 0 });
});

test("the newest thousand rows of each table and kind are kept, and a running payment succeeds", async () => {
	const { id, created } = await create();
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
	expect(await rowsOf()).toEqual(kept);
	const charges = await shop.emulatorSql("SELECT id FROM objects WHERE kind = 'charge' ORDER BY position");
	expect([charges[0], charges.at(-1)]).toEqual([{ id: "ch_501" }, { id: "ch_1500" }]);
	expect(await confirm(id)).toMatchObject({ status: "succeeded" });
});

test("old rows are deleted a minute after a call, although further calls follow", async () => {
	await create();
	await shop.advance(58);
	await shop.emulatorSql(`INSERT INTO journal (entry) VALUES ('{"created":0}')`);
	await create();
	await shop.advance(2);
	expect(await rowsOf()).toMatchObject({ journal: 2, due: 0 });
});
