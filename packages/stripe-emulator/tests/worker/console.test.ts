import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import type { Control } from "../../controls/control.ts";
import { PUBLISHABLE_KEY, SECRET_KEY } from "../../keys.ts";
import { confirmInBrowser, control, create, host, refusal, state, stripe } from "../support/emulator.ts";
import { fillings } from "../support/fillings.ts";

const controls = "/stripe-emulator/controls";
const page = async (query: Record<string, string> = {}) =>
	(await host.fetch(`/stripe-emulator/?${new URLSearchParams(query)}`)).text();

/** Returns the markup of the element with this id, up to its end tag. Throws if the element does not exist. */
function part(markup: string, tag: string, id: string): string {
	const [, inner] = new RegExp(`<${tag} id="${id}"(.*?)</${tag}>`, "s").exec(markup) ?? [];
	if (inner === undefined) throw new Error(`The page has no ${tag} "${id}".`);
	return inner;
}

const section = async (id: string) => part(await page(), "section", id);

/** Returns the text of each row of the timeline: kind, time, summary, status, id of the object, duration and note. */
async function timeline(query: Record<string, string>): Promise<string[]> {
	const list = part(await page(query), "ol", "timeline");
	return list.split("</li>").slice(0, -1).map(textOf);
}

const textOf = (markup: string) =>
	markup
		.replaceAll(/<\/?(?:a|b|code|span|time)\b[^>]*>/g, "")
		.replaceAll(/<[^>]*>|^[^>]*>/g, " ")
		.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
		.replaceAll(/\s+/g, " ")
		.trim();

/** Returns the text of the pane that shows an object, event or request. */
async function opened(id: string): Promise<string> {
	const markup = await page({ open: id });
	return textOf(markup.slice(markup.indexOf('<section id="pane"'), markup.indexOf("</main>")));
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

test("the page of a new account shows no faults and no activity", async () => {
	expect(await page()).toContain("No real money moves");
	expect(await section("now")).toContain("Calm: everything works as at Stripe.");
	expect(await section("now")).not.toContain('class="changed"');
	expect(await section("activity")).toContain("Nothing yet.");
});

test("the test cards are listed by outcome and can be searched", async () => {
	expect(textOf(await page({ open: "cards" }))).toMatch(/Declines .*4000 0000 0000 9995/);
	const found = part(await page({ open: "cards", card: "insufficient" }), "section", "pane");
	expect(found).toContain('data-copy="4000000000009995"');
	expect(found).not.toContain('data-copy="4242424242424242"');
	expect(textOf(await page({ open: "cards", card: "4000 0000 0000 9995" }))).toContain("insufficient_funds");
	expect(textOf(await page({ open: "cards", card: "no such card" }))).toContain("No test card matches.");
});

/** Pays $1,094.98 with a webhook, refunds a dollar of it, and has another payment of $25.00 declined. */
async function payments() {
	const paid = await stripe.paymentIntents.create(
		{
			...{ amount: 109_498, currency: "usd", allowed_payment_method_types: ["card"], metadata: { order: "12" } },
			shipping: { name: "Ada Lovelace", address: { line1: "12 Main St" } },
		},
		{ idempotencyKey: `create:${crypto.randomUUID()}` },
	);
	await control({ control: "webhooks", mode: "before_response" });
	expect((await confirmInBrowser(paid, { number: "4242424242424242" })).status).toBe(200);
	await control({ control: "webhooks" });
	const refund = await stripe.refunds.create({ payment_intent: paid.id, amount: 100 });
	const declined = await stripe.paymentIntents.create({ amount: 2500, currency: "usd" });
	expect((await confirmInBrowser(declined, { number: "4000000000009995" })).status).toBe(402);
	return { paid, refund, declined };
}

test("the timeline joins a payment's requests, events, webhook attempts and objects, newest first", async () => {
	const { paid, refund } = await payments();
	const rows = await timeline({ q: paid.id, kind: "" });
	const short = `pi_…${paid.id.slice(-6)}`;
	const summaries = rows.map((row) => row.replace(/\d+ \w+, [\d:]+ /, ""));
	for (const expected of [
		`Payment intent $1,094.98 succeeded ${paid.id}`,
		new RegExp(`^Request POST /v1/payment_intents 200 ${paid.id} \\d+ ms server$`),
		new RegExp(`^Request POST /v1/payment_intents/${short}/confirm 200 ${paid.id} \\d+ ms browser$`),
		`Event payment_intent.succeeded succeeded ${paid.id}`,
		new RegExp(`^Webhook payment_intent.succeeded 200 ${paid.id} \\d+ ms Received · http://localhost/webhook$`),
		new RegExp(`^Request POST /v1/refunds 200 ${paid.id} \\d+ ms server$`),
		`Refund $1.00 succeeded ${paid.id}`,
	]) {
		expect(summaries).toContainEqual(typeof expected === "string" ? expected : expect.stringMatching(expected));
	}
	const position = (text: string) => summaries.findIndex((row) => row.includes(text));
	expect(position("Request POST /v1/refunds")).toBeLessThan(position("/confirm"));
	expect(position("Webhook payment_intent.succeeded")).toBeLessThan(position("Event payment_intent.succeeded"));
	expect(position("Event payment_intent.succeeded")).toBeLessThan(position("/confirm"));
	expect(await page({ q: refund.id })).toContain(`href="./?q=${refund.id}&#38;open=${refund.id}"`);
});

test("the timeline can be searched and filtered by kind, outcome and endpoint", async () => {
	const { paid, refund, declined } = await payments();
	const cases: [query: Record<string, string>, kind: RegExp, text: RegExp][] = [
		[{ q: "$1,094.98" }, /./, /./],
		[{ q: "1094.98", kind: "payment_intent" }, /^Payment intent /, /\$1,094.98 succeeded/],
		[{ q: "ADA lovelace", kind: "request" }, /^Request /, /./],
		[{ q: `${declined.id} insufficient_funds`, kind: "event" }, /^Event /, /payment_failed|charge.failed/],
		[{ q: refund.id, kind: "refund" }, /^Refund /, /\$1.00/],
		[{ q: paid.id, kind: "webhook" }, /^Webhook /, /Received/],
		[{ q: paid.id, kind: "charge" }, /^Charge /, /\$1,094.98/],
		[{ q: declined.id, outcome: "bad", kind: "request" }, /^Request /, /402 .*Your card has insufficient funds/],
		[
			{ q: declined.id, outcome: "bad", kind: "payment_intent" },
			/^Payment intent /,
			/card_declined, insufficient_funds/,
		],
		[{ endpoint: "refunds.create", q: refund.id }, /^Request /, /POST \/v1\/refunds/],
	];
	for (const [query, kind, text] of cases) {
		const rows = await timeline(query);
		expect(rows, JSON.stringify(query)).not.toEqual([]);
		for (const row of rows) expect(row, JSON.stringify(query)).toMatch(kind);
		for (const row of rows) expect(row, JSON.stringify(query)).toMatch(text);
	}
	const none = { q: "no-such-text" };
	expect(await timeline(none)).toEqual([]);
	expect(await page(none)).toContain("Nothing matches.");
	expect((await timeline({ limit: "2" })).length).toBe(2);
	expect(await page({ limit: "2", q: paid.id })).toContain(`?q=${paid.id}&#38;limit=102"`);
	const shown = await page({ q: '"><b>', kind: "event", outcome: "bad", endpoint: "events.list" });
	expect(shown).toContain('name="q" value="&#34;&#62;&#60;b&#62;"');
	for (const chosen of ["event", "bad", "events.list"]) expect(shown).toContain(`value="${chosen}" selected`);
});

test("a request opens with its parameters, response and curl command, without secrets and card data", async () => {
	const { paid } = await payments();
	const entries = (await state()).journal.filter(({ response }) => response.includes(paid.id));
	const create = entries.find(({ endpoint }) => endpoint === "payment_intents.create");
	const shown = await opened(create?.request_id ?? "");
	for (const text of [
		...["Status 200", "Caller server", "Endpoint payment_intents.create", `Idempotency key ${create?.idempotency_key}`],
		...["POST /v1/payment_intents", "amount 109498", "shipping[name] Ada Lovelace", "metadata[order] 12"],
		...[`"id": "${paid.id}"`, '"amount": 109498', `"client_secret": "${paid.id}_secret_[hidden]"`],
	]) {
		expect(shown).toContain(text);
	}
	expect(shown).toMatch(/Duration \d+ ms/);
	const curl = /data-copy="(curl[^"]*)"/.exec(await page({ open: create?.request_id ?? "" }))?.[1] ?? "";
	const command = curl.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
	expect(command).toContain(`curl ${host.url.href}stripe-emulator/v1/payment_intents`);
	expect(command).toContain(`-u ${SECRET_KEY}:`);
	expect(command).toContain("--data-urlencode 'shipping[name]=Ada Lovelace'");
	expect(command).toContain(`Idempotency-Key: ${create?.idempotency_key}`);

	const confirm = entries.find(({ endpoint }) => endpoint === "payment_intents.confirm")?.request_id ?? "";
	const browser = await page({ open: confirm });
	expect(textOf(browser)).toContain("payment_method_data[billing_details][email] ada@example.com");
	expect(browser).toContain(`-u ${PUBLISHABLE_KEY}:`);
	expect(browser).not.toMatch(/4242424242|payment_method_data\[card\]|exp_year=/);
	expect(browser).not.toContain(paid.client_secret ?? "none");
});

test("an event opens with its data and its webhook attempts", async () => {
	const { paid } = await payments();
	const { events } = await state();
	const event = events.find(
		({ event: { type, data } }) => type === "payment_intent.succeeded" && data.object.id === paid.id,
	)?.event;
	const shown = await opened(event?.id ?? "");
	for (const text of [
		...["Type payment_intent.succeeded", `Caused by ${event?.request?.id}`, "succeeded 1 attempt, response 200"],
		...["Attempt 1 200", "POST http://localhost/webhook", "Response Received", `"id": "${paid.id}"`],
		...["Send again", "Discard", "Send tampered", "/confirm 200"],
	]) {
		expect(shown).toContain(text);
	}
	expect(shown).toMatch(/stripe-signature t=\d+,v1=[0-9a-f]{64}/);
});

test("every stored object opens with its JSON and the entries that concern it", async () => {
	const { paid, refund } = await payments();
	const intent = await stripe.paymentIntents.retrieve(paid.id);
	const customer = await stripe.customers.create({ name: "Ada Lovelace" });
	const setup = await stripe.setupIntents.create({ customer: customer.id, allowed_payment_method_types: ["card"] });
	await stripe.setupIntents.confirm(setup.id, { payment_method: "pm_card_visa" });
	await control({ control: "dispute", payment_intent: paid.id });
	const { data: disputes } = await stripe.disputes.list({ limit: 1 });
	for (const id of [
		...[intent.id, intent.latest_charge, intent.payment_method, refund.id],
		...[customer.id, setup.id, disputes[0]?.id],
	]) {
		const shown = await opened(String(id));
		expect(shown).toContain(`"id": "${id}"`);
		expect(shown).toMatch(/Related activity .*(POST|Event) /);
	}
	expect(await opened("pi_unknown")).toContain("No object, event or request has the id pi_unknown");
	expect(await page({ open: intent.id })).toContain(`"latest_charge"`.replaceAll('"', "&#34;"));
	expect(await page({ open: intent.id })).toContain(`<a href="./?open=${intent.latest_charge}">`);
});

test("a succeeded payment has forms that refund and dispute it", async () => {
	const { paid, declined } = await payments();
	const shown = await page({ open: paid.id });
	for (const name of ["refund", "dispute"]) expect(shown).toContain(`name="control" value="${name}"`);
	expect(await page({ open: declined.id })).not.toContain('name="control" value="refund"');
	await submit({ control: "refund", payment_intent: paid.id, amount: "1500" });
	await submit({ control: "dispute", payment_intent: paid.id, reason: "duplicate" });
	const rows = await timeline({ q: paid.id });
	expect(rows).toContainEqual(expect.stringMatching(/^Refund .* \$15.00 succeeded/));
	expect(rows).toContainEqual(expect.stringMatching(/^Dispute .* needs response .* duplicate$/));
});

test("a card number that was sent as text is masked on the page", async () => {
	const { id } = await stripe.paymentIntents.create({
		...{ amount: 500, currency: "usd", description: "Paid with 4242 4242 4242 4242" },
		metadata: { "5555555555554444": "5105-1051-0510-5100" },
	});
	for (const name of ["open", "q"]) {
		const shown = textOf(await page({ [name]: id }));
		expect(shown).toContain("Paid with [number]");
		expect(shown).not.toMatch(/4242 4242|55555555|5105-1051/);
	}
});

test("reset deletes all data, and resets the settings and the clock", async () => {
	const { paid } = await payments();
	await control({ control: "clock", advance: 86_400 });
	await control({ control: "processing", seconds: 9 });
	const idempotencyKey = "before-reset";
	const first = await create({ idempotencyKey });
	expect((await submit({ control: "reset" })).status).toBe(303);
	const after = await state();
	expect(after).toMatchObject({ paymentIntents: [], refunds: [], events: [], journal: [] });
	expect(after.settings).toMatchObject({ clockAdvance: 0, processingTime: 0 });
	expect(after.now).toBeLessThan(first.created);
	expect(await section("activity")).toContain("Nothing yet.");
	expect((await refusal(stripe.paymentIntents.retrieve(paid.id))).code).toBe("resource_missing");
	expect((await create({ idempotencyKey })).id).not.toBe(first.id);
	await control({ control: "webhooks", mode: "hold" });
	await create();
	expect(await control({ control: "release" })).toHaveLength(1);
	expect((await state()).events[0]?.delivery).toMatchObject({ state: "succeeded" });
});

test("markup in metadata, keys and URLs is escaped", async () => {
	const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`;
	const metadata = { "</dd><script>x": hostile };
	await stripe.paymentIntents.create({ amount: 500, currency: "usd", metadata }, { idempotencyKey: "<script>k" });
	await host.fetch("/stripe-emulator/v1/<script>path</script>");
	const [entry] = (await state()).journal.filter(({ params }) => JSON.stringify(params).includes("alert(1)"));
	const intent = /"id":"(pi_\w+)"/.exec(entry?.response ?? "")?.[1] ?? "";
	for (const open of ["", entry?.request_id ?? "", intent, hostile]) {
		const shown = await page({ open, q: open === "" ? hostile : "", card: hostile });
		expect(shown).toContain("&#60;script&#62;alert(1)&#60;/script&#62;&#60;img src=x");
		expect(shown.match(/<script/g)).toHaveLength(1);
		expect(shown).not.toContain("<img");
	}
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
	expect(await opened(id)).toContain("held 0 attempts");
	const sent = await submit({ control: "send", event: id, tampering: "body" }, { Referer: `${host.url}?open=${id}` });
	expect(sent.headers.get("Location")).toBe(`/stripe-emulator/?open=${id}`);
	expect(await opened(id)).toMatch(/pending 1 attempt, response 400 Next attempt in \d+ s/);
	await submit({ control: "send", event: id });
	expect(await opened(id)).toMatch(/succeeded 2 attempts, response 200/);
	expect(await page({ open: id })).toContain("disabled>Discard");
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
	const forms = [...(await page()).matchAll(/<form method="post"[^>]*>(.*?)<\/form>/gs)].map(([, form = ""]) => form);
	expect(forms.length).toBeGreaterThan(25);
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
