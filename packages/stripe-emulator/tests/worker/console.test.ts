import { afterEach, expect, test } from "vitest";
import { confirmInBrowser, control, host, stripe } from "../support/emulator.ts";

const page = async () => (await host.fetch("/stripe-emulator/")).text();

/** Returns the markup of the section with this id. Throws if the section does not exist. */
async function section(id: string): Promise<string> {
	const [, markup] = new RegExp(`<section id="${id}"(.*?)</section>`, "s").exec(await page()) ?? [];
	if (markup === undefined) throw new Error(`The page has no section "${id}".`);
	return markup;
}

async function row(table: string, id: string): Promise<string> {
	const [, markup] = new RegExp(`<tr id="${id}">(.*?)</tr>`, "s").exec(await section(table)) ?? [];
	return markup ?? "";
}

const pressed = async () => (await section("buttons")).match(/(?<=aria-pressed="true">)[^<]*/g);

afterEach(() => control({ control: "calm" }));

test("the page blocks external scripts and framing, and is not cached", async () => {
	const { status, headers } = await host.fetch("/stripe-emulator/");
	expect(status).toBe(200);
	expect(headers.get("Content-Type")).toBe("text/html; charset=utf-8");
	expect(headers.get("Cache-Control")).toBe("no-store");
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
	expect(await section("settings")).toContain("No faults are set.");
	expect(await section("settings")).not.toContain('class="changed"');
	expect(await section("payments")).toContain("No payments yet.");
	const card = await row("cards", "card-4000000000009995");
	expect(card).toContain("is declined: card_declined, insufficient_funds");
	expect(card).toContain("pm_card_visa_chargeDeclinedInsufficientFunds");
});

test("a payment is listed with its refunds, events and requests", async () => {
	const metadata = { order: "12" };
	const intent = await stripe.paymentIntents.create(
		{ amount: 109_498, currency: "usd", allowed_payment_method_types: ["card"], metadata },
		{ idempotencyKey: "create:12" },
	);
	expect(await row("payments", intent.id)).not.toContain(">Refund<");
	await confirmInBrowser(intent, { number: "4000000000009995" });
	const declined = await row("payments", intent.id);
	const reason = ["card_declined, insufficient_funds", "Your card has insufficient funds."];
	for (const part of ["requires_payment_method", ...reason]) expect(declined).toContain(part);
	await confirmInBrowser(intent, { number: "4000000000005126" });
	await stripe.refunds.create({ payment_intent: intent.id, amount: 100 });
	const paid = await row("payments", intent.id);
	const refund = ["Refund of $1.00: succeeded", ">Refund<"];
	for (const part of ["$1,094.98", "<dt>order</dt><dd>12</dd>", ...refund]) expect(paid).toContain(part);
	await control({ control: "refund", payment_intent: intent.id });
	const refunded = await row("payments", intent.id);
	expect(refunded).toContain("Refund of $1,093.98: succeeded");
	expect(refunded).not.toContain(">Refund<");
	// the refunds of this card fail after a minute
	await control({ control: "clock", advance: 61 });
	expect(await row("payments", intent.id)).toMatch(/Refund of \$1\.00: failed.*>Refund</s);

	const [event] = (await stripe.events.list({ type: "payment_intent.succeeded" })).data;
	const shown = await row("events", event?.id ?? "");
	const buttons = ["Send again", "Send tampered", "Discard"];
	for (const part of ["payment_intent.succeeded", intent.id, ...buttons]) expect(shown).toContain(part);
	const requests = await section("requests");
	const caller = ["server", "browser"];
	for (const part of [...caller, "payment_intents.confirm", "create:12", ">402<"]) expect(requests).toContain(part);
	expect(requests).not.toContain("4000000000005126");
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
	const settings = await section("settings");
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
