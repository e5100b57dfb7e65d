import { afterEach, expect, test } from "vitest";
import { confirmInBrowser, control, host, stripe } from "../support/emulator.ts";

const page = async () => (await host.fetch("/stripe-emulator/")).text();

/** Returns the text of the page's section or table row with this id, with spaces in place of the markup. Throws if the
 *  page has no such element. */
async function textOf(id: string): Promise<string> {
	const [, , markup] = new RegExp(`<(section|tr) id="${id}"[^>]*>(.*?)</\\1>`, "s").exec(await page()) ?? [];
	if (markup === undefined) throw new Error(`The page has no section or row "${id}".`);
	return markup.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}

const pressed = async () => (await page()).match(/(?<=aria-pressed="true">)[^<]*/g);

afterEach(() => control({ control: "calm" }));

test("the page blocks external scripts and framing", async () => {
	const { headers } = await host.fetch("/stripe-emulator/");
	expect(headers.get("Content-Type")).toBe("text/html; charset=utf-8");
	expect(headers.get("Content-Security-Policy")?.split("; ")).toEqual([
		"default-src 'none'",
		expect.stringMatching(/^script-src 'sha256-[\w+/]{43}='$/),
		expect.stringMatching(/^style-src 'sha256-[\w+/]{43}='$/),
		"img-src data:",
		"connect-src 'self'",
		"form-action 'self'",
		"frame-ancestors 'none'",
		"base-uri 'none'",
	]);
});

test("the page of a new account shows no faults and lists the test cards", async () => {
	expect(await page()).toContain("No real card is charged.");
	expect(await textOf("settings")).toContain("No faults are set.");
	expect(await page()).not.toContain('class="changed"');
	expect(await textOf("payments")).toContain("No payments yet.");
	const card = await textOf("card-4000000000009995");
	expect(card).toContain("is declined: card_declined, insufficient_funds");
	expect(card).toContain("pm_card_visa_chargeDeclinedInsufficientFunds");
});

test("a payment is listed with its refunds and receipt, and its requests without card numbers", async () => {
	const { id, client_secret } = await stripe.paymentIntents.create(
		{ amount: 109_498, currency: "usd", metadata: { order: "12" } },
		{ idempotencyKey: "create:12" },
	);
	await confirmInBrowser({ id, client_secret }, { number: "4000000000009995" });
	expect(await textOf(id)).toMatch(/\$1,094.98 requires_payment_method card_declined, insufficient_funds .*order 12/);
	await confirmInBrowser({ id, client_secret }, { number: "4000000000005126" });
	await stripe.refunds.create({ payment_intent: id, amount: 100 });
	expect(await textOf(id)).toMatch(/\$1,094.98 succeeded Refund of \$1.00: succeeded Refund order/);
	expect(await page()).toContain(`max="109398" value="109398" required aria-label="Cents to refund of ${id}"`);
	await control({ control: "refund", payment_intent: id });
	expect(await textOf(id)).toMatch(/succeeded Refund of \$1,093.98: succeeded Refund of \$1.00: succeeded order/);
	// the refunds of this card fail after a minute
	await control({ control: "clock", advance: 61 });
	expect(await textOf(id)).toMatch(/succeeded Refund of \$1,093.98: failed Refund of \$1.00: failed Refund order/);
	await stripe.paymentIntents.update(id, { receipt_email: "ada@example.com" });
	expect(await textOf(id)).toContain("failed Receipt (not sent): ada@example.com Refund order");
	const requests = await textOf("requests");
	expect(requests).toMatch(/browser payment_intents.confirm 402.*server payment_intents.create 200 create:12/);
	expect(requests).not.toContain("4000000000005126");
});

test("an event is listed with its webhook's attempts, and can be discarded until it has arrived", async () => {
	await control({ control: "webhooks", mode: "hold" });
	const intent = await stripe.paymentIntents.create({ amount: 500, currency: "usd" });
	const [event] = (await stripe.events.list({ limit: 1 })).data;
	const id = event?.id ?? "";
	const isDiscardable = async () => !new RegExp(`${id}" disabled>Discard<`).test(await page());
	expect(await textOf(id)).toContain(
		`payment_intent.created ${id} held 0 attempts Send again Discard Send tampered ${intent.id}`,
	);
	expect(await textOf("settings")).toContain("held 1 to release");
	await control({ control: "send", event: id, tampering: "body" });
	expect(await textOf(id)).toMatch(/pending 1 attempt response 400 next attempt in \d+ s/);
	expect(await isDiscardable()).toBe(true);
	await control({ control: "send", event: id });
	expect(await textOf(id)).toContain("succeeded 2 attempts response 200");
	expect(await isDiscardable()).toBe(false);
});

test("the page lists every active setting, and its button is pressed", async () => {
	await control({ control: "fail", fault: "429", when: "before", times: 2 });
	await control({ control: "latency", milliseconds: 5 });
	await control({ control: "latency", endpoint: "payment_intents.confirm", milliseconds: 10_000, when: "after" });
	await control({ control: "stale_retrieve", stale: true });
	await control({ control: "processing", seconds: 60 });
	await control({ control: "clock", advance: 86_401 });
	expect(await pressed()).toEqual([
		"Deliver webhooks",
		"Confirm responds after ten seconds",
		"Retrieve is stale during a confirm",
		"Charges are processing for a minute",
	]);
	await control({ control: "webhooks", copies: 3, twins: true, tampering: "timestamp" });
	const settings = await textOf("settings");
	for (const part of [
		"any endpoint: 429 before the work, 2 times",
		"1 day ",
		"ahead of the system clock",
		"any endpoint: 5 ms before the work",
		"payment_intents.confirm: 10000 ms after the work",
		"as before a running confirmation",
		"are processing for 1 min",
		"delivered, 3 copies of each, two events for each change, invalid timestamp",
	]) {
		expect(settings).toContain(part);
	}
	await control({ control: "calm" });
	expect(await pressed()).toEqual(["Deliver webhooks"]);
});
