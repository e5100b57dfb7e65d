import type { Entry } from "stripe-emulator/controls/journal.ts";
import { browserCalls } from "stripe-emulator/tests/support/browser-calls.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { book, speaker } from "../support/catalogue.ts";
import { Customer } from "../support/customer.ts";
import { openShop, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop?.close());
afterEach(() => shop.control({ control: "calm" }));

/** Returns the journal entries that `work` adds, oldest first. */
async function journalOf(work: () => Promise<unknown>): Promise<Entry[]> {
	const before = (await shop.emulator()).journal.map(({ request_id }) => request_id);
	await work();
	return (await shop.emulator()).journal.filter(({ request_id }) => !before.includes(request_id)).toReversed();
}

async function createPayment(visitor: Customer, total: number, previous?: string): Promise<string> {
	const headers = new Headers(previous === undefined ? [] : [["previous-client-secret", previous]]);
	const response = await visitor.fetch(`/payments/create?total=${total}`, { method: "POST", headers });
	expect(response.status).toBe(200);
	return (await response.json<{ clientSecret: string }>()).clientSecret;
}

const place = (visitor: Customer, clientSecret: string, productIds: string[]) =>
	visitor.postJson("/payments/place", { clientSecret, productIds, customer: null });

test("every POST to Stripe for a purchase has its own idempotency key", async () => {
	const entries = await journalOf(async () => {
		await shop.control({ control: "webhooks", mode: "before_response" });
		const visitor = new Customer(shop);
		const first = await createPayment(visitor, book.priceCents);
		await place(visitor, first, [book.id]);
		const second = await createPayment(visitor, speaker.priceCents, first);
		expect((await place(visitor, second, [speaker.id])).status).toBe(200);
		const intent = { id: second.replace(/_secret_.*/, ""), client_secret: second };
		await browserCalls(shop).confirmInBrowser(intent, { number: "4000000000000002" });
		await browserCalls(shop).confirmInBrowser(intent, { number: "4242424242424242" });
		const settled = await visitor.postJson("/payments/fulfill", { clientSecret: second });
		expect(await settled.json()).toEqual({ status: "paid" });
		await shop.control({ control: "reconcile" });
	});
	const posts = entries.filter(({ caller, method }) => caller === "server" && method === "POST");
	expect(posts.map(({ endpoint, status }) => [endpoint, status])).toEqual([
		["payment_intents.create", 200],
		["payment_intents.update", 200],
		["payment_intents.cancel", 200],
		["payment_intents.create", 200],
		["payment_intents.update", 200],
	]);
	const keys = posts.map(({ idempotency_key }) => idempotency_key);
	for (const key of keys) expect(key).toMatch(/./);
	expect(new Set(keys).size).toBe(keys.length);
	expect(entries.map(({ caller }) => caller)).not.toContain("nobody");
});

test("a retried call reuses its idempotency key", async () => {
	const entries = await journalOf(async () => {
		await shop.control({ control: "shop_fault", path: "/payments/create", service: "stripe", call: 1, fault: "after" });
		await createPayment(new Customer(shop), book.priceCents);
	});
	expect(entries).toMatchObject([
		{ endpoint: "payment_intents.create", replayed: false },
		{ endpoint: "payment_intents.create", replayed: true, idempotency_key: entries[0]?.idempotency_key },
	]);
	expect(entries[0]?.idempotency_key).toMatch(/./);
});
