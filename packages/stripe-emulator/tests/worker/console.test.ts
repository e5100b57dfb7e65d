import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import type { Control } from "../../controls/control.ts";
import { confirmInBrowser, create, host, stripe } from "../support/emulator.ts";
import { fillings } from "../support/fillings.ts";

const controls = "/stripe-emulator/controls";
const page = async () => (await host.fetch("/stripe-emulator/")).text();

/** Returns the markup of the section with this id. Throws if the section does not exist. */
async function section(id: string): Promise<string> {
	const [, markup] = new RegExp(`<section id="${id}"(.*?)</section>`, "s").exec(await page()) ?? [];
	if (markup === undefined) throw new Error(`The page has no section "${id}".`);
	return markup;
}

async function row(list: string, id: string): Promise<string> {
	const [, markup] = new RegExp(`<tr id="${id}">(.*?)</tr>`, "s").exec(await section(list)) ?? [];
	return markup ?? "";
}

function submit(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
	return host.fetch(controls, { method: "POST", body: new URLSearchParams(fields), headers });
}

function post(body: unknown): Promise<Response> {
	return host.fetch(controls, { method: "POST", body: JSON.stringify(body) });
}

afterEach(async () => {
	expect((await post({ control: "calm" } satisfies Control)).status).toBe(200);
});

test("the page blocks external scripts and framing, and is not cached", async () => {
	const response = await host.fetch("/stripe-emulator/");
	expect(response.status).toBe(200);
	expect(Object.fromEntries(response.headers)).toMatchObject({
		"content-type": "text/html; charset=utf-8",
		"cache-control": "no-store",
	});
	const policy = response.headers.get("Content-Security-Policy")?.split("; ");
	expect(policy).toEqual([
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
	expect(await page()).toContain("No real money moves");
	expect(await section("now")).toContain("Calm: everything works as at Stripe.");
	expect(await section("now")).not.toContain('class="changed"');
	expect(await section("payments")).toContain("None yet.");
	expect(await row("cards", "card-4000000000009995")).toContain("declines: card_declined, insufficient_funds");
});

test("a payment is listed with its amount, events and API requests", async () => {
	const metadata = { order: "12" };
	const intent = await stripe.paymentIntents.create(
		{ amount: 109_498, currency: "usd", allowed_payment_method_types: ["card"], metadata },
		{ idempotencyKey: "create:12" },
	);
	expect((await confirmInBrowser(intent, { number: "4242424242424242" })).status).toBe(200);
	const refund = await stripe.refunds.create({ payment_intent: intent.id, amount: 100 });

	const shown = await row("payments", intent.id);
	for (const part of ["$1,094.98", "succeeded", "<dt>order</dt><dd>12</dd>"]) expect(shown).toContain(part);
	for (const part of ["$1.00", "succeeded", intent.id]) expect(await row("refunds", refund.id)).toContain(part);

	const { data: events } = await stripe.events.list({ type: "payment_intent.succeeded" });
	const event = await row("events", events[0]?.id ?? "");
	for (const part of ["payment_intent.succeeded", intent.id, "Send again", "Send tampered", "Discard"]) {
		expect(event).toContain(part);
	}

	const journal = await section("journal");
	for (const part of ["server", "browser", "payment_intents.confirm", "create:12"]) expect(journal).toContain(part);
	expect(journal).not.toContain("4242");
});

test("a declined payment shows the reason", async () => {
	const intent = await create();
	expect((await confirmInBrowser(intent, { number: "4000000000009995" })).status).toBe(402);
	const shown = await row("payments", intent.id);
	for (const part of [
		"requires_payment_method",
		"card_declined, insufficient_funds",
		"Your card has insufficient funds.",
	])
		expect(shown).toContain(part);
	expect(await section("journal")).toContain(">402<");
});

test("markup in metadata, keys and URLs is escaped", async () => {
	const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`;
	const metadata = { "</dd><script>x": hostile };
	await stripe.paymentIntents.create({ amount: 500, currency: "usd", metadata }, { idempotencyKey: "<script>k" });
	await host.fetch("/stripe-emulator/v1/<script>path</script>");
	const shown = await page();
	expect(shown).toContain("&#60;script&#62;alert(1)&#60;/script&#62;&#60;img src=x");
	expect(shown.match(/<script/g)).toHaveLength(1);
	expect(shown).not.toContain("<img");
});

test("a form submission takes effect and redirects to the page, which highlights the changed setting", async () => {
	const answer = await submit({ control: "webhooks", mode: "hold" });
	expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/stripe-emulator/"]);
	expect(await section("now")).toMatch(/class="changed"><dt>Webhooks<\/dt><dd>held<\/dd>/);
	expect(await section("buttons")).toMatch(/aria-pressed="true">Hold webhooks</);

	const intent = await create();
	expect(await section("now")).toContain("1 to release");
	const { data: events } = await stripe.events.list({ type: "payment_intent.created" });
	const id = events.find(({ data }) => "id" in data.object && data.object.id === intent.id)?.id ?? "";
	expect(await row("events", id)).toMatch(/held.*0 attempts/s);
	await submit({ control: "send", event: id, tampering: "body" });
	expect(await row("events", id)).toMatch(/pending.*1 attempt<br>response 400<br>next attempt in \d+ s/s);
	await submit({ control: "send", event: id });
	expect(await row("events", id)).toMatch(/succeeded.*2 attempts<br>response 200/s);
	expect(await row("events", id)).toContain("disabled>Discard");
});

test("the page lists every active setting", async () => {
	await submit({ control: "fail", endpoint: "", fault: "429", when: "before", times: "2" });
	await submit({ control: "fail_webhooks", times: "3" });
	await submit({ control: "latency", endpoint: "", milliseconds: "5" });
	await submit({ control: "latency", endpoint: "events.list", milliseconds: "7", when: "after" });
	await submit({ control: "stale_retrieve", stale: "true" });
	await submit({ control: "processing", seconds: "90" });
	await submit({ control: "webhooks", copies: "3", twins: "true", tampering: "timestamp" });
	const now = await section("now");
	for (const part of [
		"any endpoint: 429 with nothing done, 2 times",
		"fails 3 times",
		"any endpoint: 5 ms before the work",
		"events.list: 7 ms after the work",
		"as they were before a confirmation that is running",
		"take 1 min 30 s",
		"delivered, 3 copies of each, two events for each thing that happens, tampered with: timestamp",
	])
		expect(now).toContain(part);
	await submit({ control: "calm" });
	expect(await section("now")).not.toContain('class="changed"');
});

test("submitting any form on the page, with any of its buttons and options, returns 303", async () => {
	const forms = [...(await page()).matchAll(/<form [^>]*>(.*?)<\/form>/gs)].map(([, form = ""]) => form);
	expect(forms.length).toBeGreaterThan(30);
	for (const form of forms) {
		for (const fields of fillings(form)) {
			const answer = await submit(fields);
			expect([fields, answer.status, await answer.text()]).toEqual([fields, 303, ""]);
		}
		await post({ control: "calm" });
	}
});

test("the buttons for latency and stale retrieves appear pressed while their settings are active", async () => {
	await submit({ control: "latency", endpoint: "payment_intents.confirm", milliseconds: "10000", when: "after" });
	await submit({ control: "stale_retrieve", stale: "true" });
	const pressed = async () => (await section("buttons")).match(/(?<=aria-pressed="true">)[^<]*/g);
	const labels = ["Deliver webhooks", "Confirm responds ten seconds late", "Retrieve is stale while a confirm runs"];
	expect(await pressed()).toEqual(labels);
	await submit({ control: "latency", endpoint: "payment_intents.confirm", milliseconds: "0" });
	await submit({ control: "stale_retrieve", stale: "false" });
	expect(await pressed()).toEqual(["Deliver webhooks"]);
});

test("the page shows how far ahead the clock is", async () => {
	const before = await section("now");
	await submit({ control: "clock", advance: "86401" });
	expect(before).not.toBe(await section("now"));
	expect(await section("now")).toMatch(/<dd>\d+ days? .*ahead<\/dd>/);
});

test("a JSON control returns its result as JSON", async () => {
	await post({ control: "webhooks", mode: "hold" });
	await create();
	const answer = await post({ control: "release", order: "newest_first" });
	expect(answer.status).toBe(200);
	expect(answer.headers.get("Content-Type")).toBe("application/json");
	expect(await answer.json()).toEqual([expect.stringMatching(/^evt_\w+$/)]);
});

const noControls: Record<string, string>[] = [
	{},
	{ control: "everything" },
	{ control: "webhooks", mode: "lose" },
	{ control: "send", event: "pi_1" },
	{ control: "clock", advance: "-1" },
	{ control: "latency", milliseconds: "1", when: "never" },
	{ control: "stale_retrieve" },
	{ control: "fail", fault: "418", when: "before" },
];

test.each(noControls)("an invalid control returns 400 and a reason: %j", async (fields) => {
	for (const answer of [await submit(fields), await post(fields)]) {
		expect(answer.status).toBe(400);
		expect(await answer.json()).toEqual({ error: expect.any(String) });
	}
});

test.each(["cross-site", "same-site", "none"])(
	"a form submission with Sec-Fetch-Site: %s returns 403",
	async (site) => {
		const answer = await submit({ control: "webhooks", mode: "drop" }, { "Sec-Fetch-Site": site });
		expect(answer.status).toBe(403);
		expect(await section("now")).not.toContain('class="changed"');
	},
);

test("a same-origin form submission is accepted", async () => {
	const headers = { "Sec-Fetch-Site": "same-origin", Origin: host.url.origin };
	expect((await submit({ control: "webhooks", mode: "drop" }, headers)).status).toBe(303);
	expect(await section("now")).toContain("<dd>dropped</dd>");
});

test.each(["", "controls", "state"])("/stripe-emulator/%s returns 404 except on a loopback host", async (path) => {
	const { hostname, port } = host.url;
	const headers = { Host: "shop.example.com" };
	const method = path === "controls" ? "POST" : "GET";
	const [response] = await once(
		httpRequest({ hostname, port, path: `/stripe-emulator/${path}`, method, headers }).end(),
		"response",
	);
	expect([response.statusCode, await text(response)]).toEqual([404, "Not found"]);
});
