import { fillings } from "stripe-emulator/tests/support/fillings.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openShop, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop?.close());
afterEach(() => shop.control({ control: "calm" }));

const create = () => shop.stripe.paymentIntents.create({ amount: 1499, currency: "usd" });
const page = async () => (await shop.fetch("/stripe-emulator/")).text();

function post(body: BodyInit): Promise<Response> {
	return shop.fetch("/stripe-emulator/controls", { method: "POST", body });
}

const submit = (fields: Record<string, string>) => post(new URLSearchParams(fields));

test("the reconcile control runs the shop's cron", async () => {
	expect(await shop.control({ control: "reconcile" })).toBeNull();
});

test("the clock control advances the account's and the shop's clocks, and calm does not reset them", async () => {
	const before = await create();
	await shop.control({ control: "clock", advance: 5 * 86_400 });
	await shop.control({ control: "calm" });
	const after = await create();
	expect(after.created - before.created).toBeGreaterThanOrEqual(5 * 86_400);
	expect((await shop.emulator()).now).toBeGreaterThanOrEqual(after.created);
	// a shop with a different clock would reject the signature as too old
	await shop.control({ control: "webhooks", mode: "hold" });
	await create();
	expect(await shop.control({ control: "release" })).toHaveLength(1);
	expect((await shop.emulator()).events[0]?.delivery).toMatchObject({ state: "succeeded", answer: "200" });
});

test("calm resets the settings of the account and of the shop", async () => {
	const { settings: usual } = await shop.emulator();
	await shop.control({ control: "webhooks", mode: "drop", copies: 7, twins: true, tampering: "body" });
	await shop.control({ control: "fail", fault: "500", when: "before", times: 9 });
	await shop.control({ control: "latency", milliseconds: 5 });
	await shop.control({ control: "latency", endpoint: "events.list", milliseconds: 5, when: "after" });
	await shop.control({ control: "processing", seconds: 5 });
	await shop.control({ control: "stale_retrieve", stale: true });
	await shop.control({ control: "shop_fault", service: "stripe", call: 1, fault: "before" });
	expect(await shop.emulator()).toMatchObject({
		settings: {
			webhooks: { mode: "drop", copies: 7, twins: true, tampering: "body" },
			faults: [{ fault: "500", times: 9 }],
			latencies: [
				{ milliseconds: 5, when: "before" },
				{ endpoint: "events.list", milliseconds: 5, when: "after" },
			],
			processingTime: 5,
			staleRetrieve: true,
		},
		shopFaults: [{ service: "stripe", times: 1 }],
	});
	await shop.control({ control: "calm" });
	expect(await shop.emulator()).toMatchObject({ settings: usual, shopFaults: [] });
});

test("reset deletes all data, and resets the clock and the settings of the account and of the shop", async () => {
	const before = await create();
	await shop.control({ control: "clock", advance: 86_400 });
	await shop.control({ control: "shop_fault", service: "stripe", call: 1, fault: "before" });
	await shop.control({ control: "reset" });
	expect(await shop.emulator()).toMatchObject({ paymentIntents: [], events: [], journal: [], shopFaults: [] });
	expect((await create()).created - before.created).toBeLessThan(86_400);
	// a shop with a different clock would reject the signature as too old
	await shop.control({ control: "webhooks", mode: "before_response" });
	await create();
	expect((await shop.emulator()).events[0]?.delivery).toMatchObject({ state: "succeeded", answer: "200" });
});

test("calm resets the shop's timeouts", async () => {
	await shop.control({ control: "timeouts", timeouts: { feed: 1500 } });
	expect((await shop.emulator()).timeouts).toEqual({ feed: 1500 });
	await shop.control({ control: "calm" });
	expect((await shop.emulator()).timeouts).toBeNull();
});

test("d1_latency delays each D1 call of the shop, until calm removes it", async () => {
	const d1Time = async () => {
		const { headers } = await shop.fetch("/orders", { headers: { Cookie: `__Host-session=${"a".repeat(32)}` } });
		return Number(/d1;dur=(\d+)/.exec(headers.get("Server-Timing") ?? "")?.[1]);
	};
	await shop.control({ control: "d1_latency", milliseconds: 30_000 });
	expect(await shop.emulator()).toMatchObject({ d1Latency: 30_000 });
	await shop.control({ control: "d1_latency", milliseconds: 100 });
	// a timer may fire a millisecond early
	expect(await d1Time()).toBeGreaterThanOrEqual(99);
	await shop.control({ control: "calm" });
	expect(await shop.emulator()).toMatchObject({ d1Latency: 0 });
});

test.each([
	[
		"a shop_fault control with an unknown key",
		'{"control":"shop_fault","service":"d1","call":1,"fault":"before","foo":1}',
	],
	["a shop_fault control for call 0", '{"control":"shop_fault","service":"d1","call":0,"fault":"before"}'],
	["a timeouts control with a timeout of 0", '{"control":"timeouts","timeouts":{"feed":0}}'],
])("%s returns 400 and changes nothing", async (_, body) => {
	const before = await shop.emulator();
	const response = await post(body);
	expect([response.status, await response.json()]).toEqual([400, { error: expect.stringMatching(/./) }]);
	const { shopFaults, timeouts, settings } = await shop.emulator();
	expect({ shopFaults, timeouts, settings }).toEqual({
		shopFaults: before.shopFaults,
		timeouts: before.timeouts,
		settings: before.settings,
	});
});

test("the console shows the shop's faults and timeouts", async () => {
	await submit({
		control: "shop_fault",
		path: "/payments/fulfill",
		service: "d1",
		call: "1",
		fault: "after",
		times: "",
	});
	await shop.control({ control: "timeouts", timeouts: { feed: 1500 } });
	const shown = await page();
	expect(shown).toContain("/payments/fulfill: D1 call 1 is made, its response lost");
	expect(shown).toContain("feed: 1500 ms");
	await submit({ control: "calm" });
	expect(await page()).not.toContain('class="changed"');
});

test("submitting any form on the console, with any of its buttons and options, returns 303", async () => {
	const forms = [...(await page()).matchAll(/<form method="post"[^>]*>(.*?)<\/form>/gs)].map(([, form = ""]) => form);
	expect(forms.length).toBeGreaterThan(30);
	for (const form of forms) {
		for (const fields of fillings(form)) {
			const response = await submit(fields);
			expect([fields, response.status, await response.text()]).toEqual([fields, 303, ""]);
		}
		await submit({ control: "calm" });
	}
});
