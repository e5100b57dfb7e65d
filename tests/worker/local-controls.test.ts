import { fillings } from "stripe-emulator/tests/support/fillings.ts";
import { afterEach, expect, test } from "vitest";
import { sessionCookieName } from "#app/auth/sessions.server.ts";
import { currency } from "#app/brand.ts";
import { openFileShop } from "./setup.ts";

const shop = await openFileShop();
afterEach(() => shop.control({ control: "calm" }));

const page = async () => (await shop.fetch("/stripe-emulator/")).text();

const submit = (fields: Record<string, string>) =>
	shop.fetch("/stripe-emulator/controls", { method: "POST", body: new URLSearchParams(fields) });

test("clock advances the clocks of the account and of the shop, and reset resets both", async () => {
	const create = async () => {
		await shop.control({ control: "webhooks", mode: "before_response" });
		const { created } = await shop.stripe.paymentIntents.create({ amount: 1499, currency });
		// a shop with a different clock would reject the signature as too old
		expect((await shop.emulator()).events[0]?.delivery).toMatchObject({ state: "succeeded", answer: "200" });
		return created;
	};
	const before = await create();
	await shop.control({ control: "clock", advance: 86_400 });
	expect((await create()) - before).toBeGreaterThanOrEqual(86_400);
	await shop.control({ control: "reset" });
	expect((await create()) - before).toBeLessThan(86_400);
});

test.each(["calm", "reset"] as const)("%s removes the shop's faults, timeouts and D1 latency", async (control) => {
	await shop.control({ control: "shop_fault", service: "stripe", call: 1, fault: "before" });
	await shop.control({ control: "timeouts", timeouts: { feed: 1500 } });
	await shop.control({ control: "d1_latency", milliseconds: 30_000 });
	expect(await shop.emulator()).toMatchObject({
		shopFaults: [{ service: "stripe", times: 1 }],
		timeouts: { feed: 1500 },
		d1Latency: 30_000,
	});
	await shop.control({ control });
	expect(await shop.emulator()).toMatchObject({ shopFaults: [], timeouts: null, d1Latency: 0 });
});

test("d1_latency delays each D1 call of the shop", async () => {
	await shop.control({ control: "d1_latency", milliseconds: 100 });
	const { headers } = await shop.fetch("/orders", { headers: { Cookie: `${sessionCookieName}=${"a".repeat(32)}` } });
	const [, duration] = /total;dur=(\d+)/.exec(headers.get("Server-Timing") ?? "") ?? [];
	// a timer may fire a millisecond early
	expect(Number(duration)).toBeGreaterThanOrEqual(99);
});

test("the console shows the shop's faults and timeouts", async () => {
	const fault = { path: "/payments/fulfill", service: "d1", call: "1", fault: "after", times: "" };
	await submit({ control: "shop_fault", ...fault });
	await shop.control({ control: "timeouts", timeouts: { feed: 1500 } });
	const shown = await page();
	expect(shown).toContain("/payments/fulfill: D1 call 1 is made, its response lost");
	expect(shown).toContain("feed: 1500 ms");
	await submit({ control: "calm" });
	expect(await page()).not.toContain('class="changed"');
});

test("submitting any of the shop's forms on the console, with any of its options, returns 303", async () => {
	const own = ["shop_fault", "reconcile", "d1_latency"];
	const forms = [...(await page()).matchAll(/<form method="post"[^>]*>(.*?)<\/form>/gs)];
	const filled = forms.flatMap(([, form = ""]) => fillings(form)).filter(({ control = "" }) => own.includes(control));
	expect(new Set(filled.map(({ control }) => control))).toEqual(new Set(own));
	for (const fields of filled) {
		const response = await submit(fields);
		expect([fields, response.status, await response.text()]).toEqual([fields, 303, ""]);
		await shop.control({ control: "calm" });
	}
});
