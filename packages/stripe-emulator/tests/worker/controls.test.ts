import Stripe from "stripe";
import { afterEach, expect, test } from "vitest";
import type { ApiFault } from "../../controls/api-faults.ts";
import { calm } from "../../controls/settings.ts";
import { PUBLISHABLE_KEY } from "../../keys.ts";
import { authenticate, confirmInBrowser, control, create, host, refusal, state, stripe } from "../support/emulator.ts";
import { fillings } from "../support/fillings.ts";

afterEach(() => control({ control: "calm" }));

const endpoint = "payment_intents.confirm";
const retrieve = (id: string) => stripe.paymentIntents.retrieve(id);
const confirm = (id: string, payment_method = "pm_card_visa", options: Stripe.RequestOptions = {}) =>
	stripe.paymentIntents.confirm(id, { payment_method }, options);

const eventOf = async (id: string, type: Stripe.Event["type"] = "payment_intent.succeeded") =>
	(await state()).events.find(
		({ event }) => event.type === type && "id" in event.data.object && event.data.object.id === id,
	);

const { StripeAPIError, StripeConnectionError, StripeRateLimitError } = Stripe.errors;
const limited = { statusCode: 429, rawType: "invalid_request_error", code: "rate_limit" };
const faults = [
	["500", StripeAPIError, { statusCode: 500, rawType: "api_error" }, /./],
	["429", StripeRateLimitError, limited, /^Request rate limit exceeded/],
	["timeout", StripeConnectionError, {}, /./],
] as const;

/** Confirms a new intent with a fault. Returns the intent's id and the error. */
async function confirmWith(fault: ApiFault["fault"], when: ApiFault["when"], payment_method = "pm_card_visa") {
	const { id } = await create();
	await control({ control: "fail", endpoint, fault, when });
	const error = await refusal(confirm(id, payment_method, { timeout: fault === "timeout" ? 1000 : 10_000 }));
	return { id, error };
}

test.each(faults)("a %s before processing leaves the intent unchanged", async (fault, Class, body, message) => {
	const { id, error } = await confirmWith(fault, "before");
	expect(error).toBeInstanceOf(Class);
	expect(error).toMatchObject({ ...body, message: expect.stringMatching(message) });
	expect(await retrieve(id)).toMatchObject({ status: "requires_payment_method", last_payment_error: null });
	expect(await confirm(id)).toMatchObject({ status: "succeeded" });
});

test.each(faults)("a %s after processing keeps the payment and delivers its event", async (fault, Class, body) => {
	const { id, error } = await confirmWith(fault, "after");
	expect(error).toBeInstanceOf(Class);
	expect(error).toMatchObject(body);
	expect(await retrieve(id)).toMatchObject({ status: "succeeded" });
	await expect.poll(() => eventOf(id), { timeout: 10_000 }).toMatchObject({ delivery: { state: "succeeded" } });
});

test.each(faults)("a %s after a decline replaces the decline in the response", async (fault, Class) => {
	const { id, error } = await confirmWith(fault, "after", "pm_card_visa_chargeDeclined");
	expect(error).toBeInstanceOf(Class);
	expect(error.payment_intent).toBeUndefined();
	expect(await retrieve(id)).toMatchObject({ last_payment_error: { code: "card_declined" } });
});

test("a fault can be injected into a browser's call", async () => {
	const intent = await create();
	await control({ control: "fail", endpoint, fault: "500", when: "after" });
	expect((await confirmInBrowser(intent, { number: "4242424242424242" })).status).toBe(500);
	expect(await retrieve(intent.id)).toMatchObject({ status: "succeeded" });
});

test("a fault affects only its endpoint, and only the given number of times", async () => {
	await control({ control: "fail", endpoint: "payment_intents.cancel", fault: "429", when: "before", times: 2 });
	await control({ control: "fail", fault: "500", when: "before" });
	expect((await state()).settings.faults).toMatchObject([
		{ endpoint: "payment_intents.cancel", fault: "429", times: 2 },
		{ fault: "500", times: 1 },
	]);
	expect(await refusal(create())).toMatchObject({ statusCode: 500 });
	const { id } = await create();
	const cancel = () => stripe.paymentIntents.cancel(id);
	for (let count = 0; count < 2; count++) expect(await refusal(cancel())).toMatchObject({ statusCode: 429 });
	expect(await cancel()).toMatchObject({ status: "canceled" });
});

/** A latency longer than any test, in milliseconds: the server closes before it responds. */
const ENDLESS = 60_000;

/** Sends a confirmation whose response is delayed beyond the end of the test. Resolves once the payment has succeeded,
 *  with a function that returns whether a response has arrived. */
async function confirmLate(id: string) {
	let responded = false;
	await control({ control: "latency", endpoint, milliseconds: ENDLESS, when: "after" });
	confirm(id)
		.catch(() => undefined)
		.finally(() => {
			responded = true;
		});
	await expect.poll(() => eventOf(id), { timeout: 10_000 }).toBeDefined();
	return () => responded;
}

test("latency before processing delays only the endpoint for which it is set", async () => {
	const { id } = await create();
	await control({ control: "latency", endpoint, milliseconds: ENDLESS });
	// the call consumes the fault on arrival
	await control({ control: "fail", endpoint, fault: "500", when: "after" });
	confirm(id).catch(() => undefined);
	await expect.poll(async () => (await state()).settings.faults, { timeout: 10_000, interval: 20 }).toEqual([]);
	expect(await retrieve(id)).toMatchObject({ status: "requires_payment_method" });
	const [latest] = (await state()).journal;
	expect(latest).toMatchObject({ endpoint: "payment_intents.retrieve" });
});

test("latency after processing delays only the response, not the payment or its webhook", async () => {
	const { id } = await create();
	const responded = await confirmLate(id);
	expect(await retrieve(id)).toMatchObject({ status: "succeeded" });
	await expect.poll(() => eventOf(id), { timeout: 10_000 }).toMatchObject({ delivery: { state: "succeeded" } });
	expect(responded()).toBe(false);
});

test.each(["before", "after"] as const)("latency %s processing does not change the response", async (when) => {
	await control({ control: "latency", endpoint, milliseconds: 50, when });
	const { id } = await create();
	expect(await refusal(confirm(id, "pm_card_visa_chargeDeclined"))).toMatchObject({ statusCode: 402 });
	expect(await confirm(id)).toMatchObject({ status: "succeeded" });
});

test("an endpoint's own latency overrides the global latency until it is set to 0", async () => {
	await control({ control: "latency", endpoint: "payment_intents.create", milliseconds: 1, when: "after" });
	await control({ control: "latency", milliseconds: ENDLESS });
	expect(await create()).toMatchObject({ status: "requires_payment_method" });
	await control({ control: "latency", endpoint: "payment_intents.create", milliseconds: 0 });
	expect((await state()).settings.latencies).toMatchObject([{ milliseconds: ENDLESS, when: "before" }]);
	await control({ control: "latency", milliseconds: 0 });
	expect((await state()).settings.latencies).toEqual([]);
});

test("stale_retrieve returns the intent as it was before a confirmation that is still in progress", async () => {
	const intent = await create();
	const query = new URLSearchParams({ client_secret: intent.client_secret ?? "", key: PUBLISHABLE_KEY });
	const path = `/stripe-emulator/v1/payment_intents/${intent.id}?${query}`;
	const inBrowser = async () => (await host.fetch(path)).json();
	await confirmLate(intent.id);
	await control({ control: "stale_retrieve", stale: true });
	expect(await stripe.paymentIntents.retrieve(intent.id, { expand: ["latest_charge"] })).toEqual(intent);
	expect(await inBrowser()).toMatchObject({ status: "requires_payment_method", last_payment_error: null });
	await control({ control: "stale_retrieve", stale: false });
	for (const current of [await retrieve(intent.id), await inBrowser()]) {
		expect(current).toMatchObject({ status: "succeeded" });
	}
});

test("stale_retrieve ends when the confirmation's response is sent, and affects no other intent", async () => {
	await control({ control: "stale_retrieve", stale: true });
	await confirmLate((await create()).id);
	await control({ control: "latency", endpoint, milliseconds: 50, when: "after" });
	const { id } = await create();
	expect(await refusal(confirm(id, "pm_card_visa_chargeDeclined"))).toMatchObject({ statusCode: 402 });
	expect(await retrieve(id)).toMatchObject({ last_payment_error: { code: "card_declined" } });
	expect(await confirm(id)).toMatchObject({ status: "succeeded" });
	expect(await retrieve(id)).toMatchObject({ status: "succeeded" });
});

test("stale_retrieve affects a 3-D Secure payment only while its authentication is being completed", async () => {
	await control({ control: "stale_retrieve", stale: true });
	const intent = await create();
	await confirm(intent.id, "pm_card_authenticationRequired");
	const waiting = await retrieve(intent.id);
	expect(waiting).toMatchObject({ status: "requires_action" });
	await control({ control: "latency", endpoint: "three_d_secure.answer", milliseconds: ENDLESS, when: "after" });
	authenticate(intent, "complete").catch(() => undefined);
	await expect.poll(() => eventOf(intent.id), { timeout: 10_000 }).toBeDefined();
	expect(await retrieve(intent.id)).toEqual(waiting);
	await control({ control: "calm" });
	expect(await retrieve(intent.id)).toMatchObject({ status: "succeeded" });
});

test("an approved charge succeeds after its processing time, and a declined one is never processing", async () => {
	await control({ control: "processing", seconds: 600 });
	const { id } = await create();
	expect(await refusal(confirm(id, "pm_card_visa_chargeDeclined"))).toMatchObject({ statusCode: 402 });
	expect(await confirm(id)).toMatchObject({ status: "processing", amount_received: 0 });
	expect(await refusal(confirm(id))).toMatchObject({ code: "payment_intent_unexpected_state" });
	expect(await refusal(stripe.refunds.create({ payment_intent: id }))).toMatchObject({ code: "charge_not_refundable" });
	await control({ control: "clock", advance: 300 });
	expect(await retrieve(id)).toMatchObject({ status: "processing" });
	await control({ control: "clock", advance: 301 });
	expect(await retrieve(id)).toMatchObject({ status: "succeeded", amount_received: 1499 });
});

/** Creates an intent whose event the endpoint accepts. An endpoint with another clock would reject the signature. */
async function createAndDeliver(): Promise<Stripe.PaymentIntent> {
	await control({ control: "webhooks", mode: "before_response" });
	const intent = await create();
	const delivery = { state: "succeeded", answer: "200" };
	expect(await eventOf(intent.id, "payment_intent.created")).toMatchObject({ delivery });
	return intent;
}

test("clock advances the clocks of the account and of the host, and calm does not reset them", async () => {
	const before = await create();
	await control({ control: "clock", advance: 5 * 86_400 });
	await control({ control: "calm" });
	const after = await createAndDeliver();
	expect(after.created - before.created).toBeGreaterThanOrEqual(5 * 86_400);
	expect((await state()).now).toBeGreaterThanOrEqual(after.created);
});

/** Changes every setting except the clock. */
async function changeSettings(): Promise<void> {
	const webhooks = { mode: "drop", copies: 7, twins: true, tampering: "body" } as const;
	const faults = [{ fault: "500", when: "before", times: 9 }] as const;
	const late = { endpoint: "events.list", milliseconds: 5, when: "after" } as const;
	const latencies = [{ milliseconds: 5, when: "before" }, late] as const;
	await control({ control: "webhooks", ...webhooks });
	for (const fault of faults) await control({ control: "fail", ...fault });
	for (const latency of latencies) await control({ control: "latency", ...latency });
	await control({ control: "processing", seconds: 5 });
	await control({ control: "stale_retrieve", stale: true });
	const { settings } = await state();
	expect(settings).toMatchObject({ webhooks, faults, latencies, processingTime: 5, staleRetrieve: true });
}

test("calm resets every setting", async () => {
	await changeSettings();
	await control({ control: "calm" });
	expect((await state()).settings).toMatchObject(calm);
});

test("reset deletes all data, and resets every setting and the clock", async () => {
	const idempotencyKey = crypto.randomUUID();
	const before = await create({ idempotencyKey });
	await confirm(before.id, "pm_card_pendingRefund");
	await stripe.refunds.create({ payment_intent: before.id });
	await control({ control: "clock", advance: 86_400 });
	await changeSettings();
	await control({ control: "reset" });
	const empty = { paymentIntents: [], refunds: [], events: [], journal: [] };
	expect(await state()).toMatchObject({ ...empty, settings: { ...calm, clockAdvance: 0 } });
	expect(await refusal(retrieve(before.id))).toMatchObject({ statusCode: 404 });
	expect((await create({ idempotencyKey })).id).not.toBe(before.id);
	expect((await createAndDeliver()).created - before.created).toBeLessThan(86_400);
});

const post = (body: string | URLSearchParams, headers: Record<string, string> = {}) =>
	host.fetch("/stripe-emulator/controls", { method: "POST", body, headers });

test("refund refunds an amount or the rest of a payment, and returns 400 if that is impossible", async () => {
	const { id } = await confirm((await create()).id);
	const refund = (payment_intent: string, amount?: number) =>
		control({ control: "refund", payment_intent, ...(amount !== undefined && { amount }) });
	expect(await refund(id, 499)).toMatchObject({ object: "refund", amount: 499, reason: "requested_by_customer" });
	expect(await refund(id)).toMatchObject({ amount: 1000, payment_intent: id, status: "succeeded" });
	const { data } = await stripe.events.list({ type: "charge.refunded", limit: 1 });
	expect(data).toMatchObject([{ request: null, data: { object: { amount_refunded: 1499, refunded: true } } }]);
	const [open, paid] = [await create(), await confirm((await create()).id)];
	for (const [payment_intent, amount, message] of [
		[id, undefined, /^Charge ch_\w+ has already been refunded\.$/],
		["pi_unknown", undefined, /^No such payment_intent: 'pi_unknown'$/],
		[open.id, undefined, /does not have a successful charge to refund\.$/],
		[paid.id, 1500, /^Refund amount \(\$15\.00\) is greater/],
	] as const) {
		const response = await post(JSON.stringify({ control: "refund", payment_intent, amount }));
		expect([response.status, await response.json()]).toEqual([400, { error: expect.stringMatching(message) }]);
	}
});

test("a control sent as JSON returns its result, and a form redirects to the console", async () => {
	const json = await post(JSON.stringify({ control: "release" }));
	expect([json.status, json.headers.get("Content-Type"), await json.json()]).toEqual([200, "application/json", []]);
	const form = await post(new URLSearchParams({ control: "webhooks", mode: "hold", twins: "true", copies: "" }));
	expect([form.status, form.headers.get("Location")]).toEqual([303, "/stripe-emulator/"]);
	expect((await state()).settings.webhooks).toMatchObject({ mode: "hold", twins: true, copies: 1 });
});

test("submitting any form of the console, with any of its options, returns 303", async () => {
	await confirm((await create()).id);
	const page = await (await host.fetch("/stripe-emulator/")).text();
	const forms = [...page.matchAll(/<form [^>]*>(.*?)<\/form>/gs)].flatMap(([, form = ""]) => fillings(form));
	for (const name of ["calm", "reset", "refund", "send", "fail", "fail_webhooks"]) {
		expect(forms.map((fields) => fields["control"])).toContain(name);
	}
	// after a reset, there is no payment to refund
	for (const fields of forms.toSorted((a, b) => Number(a["control"] === "reset") - Number(b["control"] === "reset"))) {
		const response = await post(new URLSearchParams(fields));
		expect([fields, response.status, await response.text()]).toEqual([fields, 303, ""]);
	}
});

test.each([
	...["", "{", "null", "[]", "{}", '{"__proto__":{"control":"calm"}}'],
	...["explode", "constructor", "clock", "stale_retrieve", "fail_webhooks"].map((control) => ({ control })),
	...[-1, 0.5, 1e308].map((advance) => ({ control: "clock", advance })),
	{ control: "webhooks", mode: "never" },
	new URLSearchParams({ control: "webhooks", mode: "never" }),
	{ control: "webhooks", copies: 101 },
	{ control: "webhooks", mod: "hold" },
	{ control: "fail", fault: "500", when: "before", endpoint: "payment_intent.confirm" },
	{ control: "fail", fault: "500" },
	{ control: "fail", fault: "418", when: "before" },
	{ control: "latency", milliseconds: 1, when: "never" },
	{ control: "send", event: "../evt_1" },
	{ control: "refund", payment_intent: "pi_1", amount: 0 },
])("the invalid control %o returns 400 and changes nothing", async (sent) => {
	const { settings } = await state();
	const isText = typeof sent === "string" || sent instanceof URLSearchParams;
	const response = await post(isText ? sent : JSON.stringify(sent));
	expect([response.status, await response.json()]).toEqual([400, { error: expect.stringMatching(/./) }]);
	expect((await state()).settings).toEqual(settings);
});

test("a control over 64 KiB returns 413", async () => {
	const response = await post(JSON.stringify({ control: "calm", long: "x".repeat(65_536) }));
	expect([response.status, await response.json()]).toEqual([413, { error: expect.stringContaining("65536 bytes") }]);
});

const site = "Sec-Fetch-Site";
test.each<[number, Record<string, string>]>([
	[403, { [site]: "cross-site" }],
	[403, { [site]: "same-site" }],
	[403, { [site]: "none" }],
	[403, { Origin: "https://attacker.example" }],
	[403, { Origin: "http://localhost:1" }],
	[403, { Origin: "null" }],
	[403, { [site]: "same-origin", Origin: "https://attacker.example" }],
	[200, { [site]: "same-origin" }],
	[200, { Origin: "OWN" }],
	[200, { [site]: "same-origin", Origin: "OWN" }],
])("a control returns %i, and runs only with 200, if its headers are %o", async (status, { Origin, ...others }) => {
	const headers = { ...others, ...(Origin && { Origin: Origin.replace("OWN", host.url.origin) }) };
	const response = await post(JSON.stringify({ control: "latency", milliseconds: 1 }), headers);
	expect([response.status, await response.text()]).toEqual([status, status === 200 ? "null" : "Forbidden"]);
	expect((await state()).settings.latencies).toHaveLength(status === 200 ? 1 : 0);
});
