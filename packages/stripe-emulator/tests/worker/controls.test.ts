import Stripe from "stripe";
import { afterEach, expect, test } from "vitest";
import type { ApiFault } from "../../controls/api-faults.ts";
import { accountControlShape } from "../../controls/control.ts";
import { calm } from "../../controls/settings.ts";
import { PUBLISHABLE_KEY } from "../../keys.ts";
import {
	authenticate,
	control,
	create,
	host,
	isReplayed,
	refusal,
	state,
	stripe,
	stripeWith,
} from "../support/emulator.ts";
import { fillings } from "../support/fillings.ts";

afterEach(() => control({ control: "calm" }));

const endpoint = "payment_intents.confirm";
const retrieve = (id: string) => stripe.paymentIntents.retrieve(id);
const confirm = (id: string, payment_method = "pm_card_visa", options: Stripe.RequestOptions = {}) =>
	stripe.paymentIntents.confirm(id, { payment_method }, options);

const eventOf = async (id: string) =>
	(await state()).events.find(({ event }) => event.type === "payment_intent.succeeded" && event.data.object.id === id);

/** Confirms a new intent with a fault. Returns the error, and a function that sends the same call again. */
async function confirmWith(fault: ApiFault["fault"], when: ApiFault["when"], payment_method?: string) {
	const { id } = await create();
	const idempotencyKey = crypto.randomUUID();
	await control({ control: "fail", endpoint, fault, when });
	const call = (timeout: number) => confirm(id, payment_method, { idempotencyKey, timeout });
	const error = await refusal(call(fault === "timeout" ? 1000 : 10_000));
	return { id, error, retry: () => call(10_000) };
}

const serverError = { statusCode: 500, rawType: "api_error" };
const rateLimit = { statusCode: 429, rawType: "invalid_request_error", code: "rate_limit" };

test("a fault before the work leaves the call to its retry", async () => {
	const { id, error, retry } = await confirmWith("500", "before");
	expect(error).toBeInstanceOf(Stripe.errors.StripeAPIError);
	expect(error).toMatchObject(serverError);
	expect(await retrieve(id)).toMatchObject({ status: "requires_payment_method", last_payment_error: null });
	const paid = await retry();
	expect([paid.status, isReplayed(paid)]).toEqual(["succeeded", false]);
});

const { StripeConnectionError, StripeRateLimitError } = Stripe.errors;
test.each([
	["429", StripeRateLimitError, rateLimit],
	["timeout", StripeConnectionError, {}],
] as const)("a %s after the work loses only the response, which a retry replays", async (fault, Class, body) => {
	const { id, error, retry } = await confirmWith(fault, "after");
	expect(error).toBeInstanceOf(Class);
	expect(error).toMatchObject(body);
	expect(await retrieve(id)).toMatchObject({ status: "succeeded" });
	await expect.poll(() => eventOf(id), { timeout: 10_000 }).toMatchObject({ delivery: { state: "succeeded" } });
	const paid = await retry();
	expect([paid.status, isReplayed(paid)]).toEqual(["succeeded", true]);
});

test.each([
	["pm_card_visa", "succeeded"],
	["pm_card_visa_chargeDeclined", "requires_payment_method"],
])("a 500 after the work on %s replaces the response, and a retry replays the 500", async (payment_method, status) => {
	const { id, error, retry } = await confirmWith("500", "after", payment_method);
	expect(error).toMatchObject(serverError);
	expect(error.payment_intent).toBeUndefined();
	const again = await refusal(retry());
	expect(again).toMatchObject({ ...serverError, message: error.message });
	expect(again.headers).toMatchObject({ "idempotent-replayed": "true", "original-request": error.requestId });
	expect(await retrieve(id)).toMatchObject({ status });
	expect((await stripe.charges.list({ payment_intent: id })).data).toHaveLength(1);
});

/** A latency longer than any test, in milliseconds: the server closes before it responds. */
const ENDLESS = 60_000;

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

test("latency after the work delays only the response, until which stale_retrieve returns the intent as it was", async () => {
	const [intent, other] = [await create(), await create()];
	let responded = false;
	await control({ control: "latency", endpoint, milliseconds: ENDLESS, when: "after" });
	confirm(intent.id)
		.catch(() => undefined)
		.finally(() => {
			responded = true;
		});
	await expect.poll(() => eventOf(intent.id), { timeout: 10_000 }).toMatchObject({ delivery: { state: "succeeded" } });
	expect(await retrieve(intent.id)).toMatchObject({ status: "succeeded" });
	await control({ control: "stale_retrieve", stale: true });
	expect(await stripe.paymentIntents.retrieve(intent.id, { expand: ["latest_charge"] })).toEqual(intent);
	const inBrowser = stripeWith(PUBLISHABLE_KEY).paymentIntents;
	const client_secret = intent.client_secret ?? "";
	expect(await inBrowser.retrieve(intent.id, { client_secret })).toMatchObject({ status: intent.status });
	expect(responded).toBe(false);
	await control({ control: "latency", endpoint, milliseconds: 0 });
	await confirm(other.id);
	expect(await retrieve(other.id)).toMatchObject({ status: "succeeded" });
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
});

test("calm resets every setting except the clock, and reset also resets the clock and deletes all data", async () => {
	const idempotencyKey = crypto.randomUUID();
	const before = await create({ idempotencyKey });
	await confirm(before.id, "pm_card_pendingRefund");
	await stripe.refunds.create({ payment_intent: before.id });
	const webhooks = { mode: "drop", copies: 7, twins: true, tampering: "body" } as const;
	const fault = { fault: "500", when: "before", times: 9 } as const;
	const latency = { milliseconds: 5, when: "before" } as const;
	const changed = { webhooks, faults: [fault], latencies: [latency], processingTime: 5, staleRetrieve: true };
	await control({ control: "webhooks", ...webhooks });
	await control({ control: "fail", ...fault });
	await control({ control: "latency", ...latency });
	await control({ control: "processing", seconds: 5 });
	await control({ control: "stale_retrieve", stale: true });
	await control({ control: "clock", advance: 86_400 });
	expect((await state()).settings).toMatchObject({ ...changed, clockAdvance: 86_400 });
	await control({ control: "calm" });
	expect((await state()).settings).toEqual({ ...calm, clockAdvance: 86_400 });
	await control({ control: "reset" });
	const empty = { paymentIntents: [], refunds: [], events: [], journal: [] };
	expect(await state()).toMatchObject({ ...empty, settings: { ...calm, clockAdvance: 0 } });
	const after = await create({ idempotencyKey });
	expect(after.id).not.toBe(before.id);
	expect(after.created - before.created).toBeLessThan(86_400);
});

const post = (body: string | URLSearchParams, headers: Record<string, string> = {}) =>
	host.fetch("/stripe-emulator/controls", { method: "POST", body, headers });

test("refund refunds an amount or the rest of a payment, and returns 400 if nothing is left", async () => {
	const { id } = await confirm((await create()).id);
	const refund = { control: "refund", payment_intent: id } as const;
	expect(await control({ ...refund, amount: 499 })).toMatchObject({ amount: 499, reason: "requested_by_customer" });
	expect(await control(refund)).toMatchObject({ amount: 1000, payment_intent: id, status: "succeeded" });
	const { data } = await stripe.events.list({ type: "charge.refunded", limit: 1 });
	expect(data).toMatchObject([{ request: null, data: { object: { amount_refunded: 1499, refunded: true } } }]);
	const response = await post(JSON.stringify(refund));
	const error = expect.stringMatching(/^Charge ch_\w+ has already been refunded\.$/);
	expect([response.status, await response.json()]).toEqual([400, { error }]);
});

test("a control sent as JSON returns its result, and a form redirects to the console", async () => {
	const json = await post(JSON.stringify({ control: "release" }));
	expect([json.status, json.headers.get("Content-Type"), await json.json()]).toEqual([200, "application/json", []]);
	const form = await post(new URLSearchParams({ control: "webhooks", mode: "hold", twins: "true", copies: "" }));
	expect([form.status, form.headers.get("Location")]).toEqual([303, "/stripe-emulator/"]);
	expect((await state()).settings.webhooks).toMatchObject({ mode: "hold", twins: true, copies: 1 });
});

test("every form of the console, with any of its options, is a valid control", async () => {
	await confirm((await create()).id);
	const page = await (await host.fetch("/stripe-emulator/")).text();
	const forms = [...page.matchAll(/<form [^>]*>(.*?)<\/form>/gs)].flatMap(([, form = ""]) => fillings(form));
	// Discard is a second button of the form whose first button sends the event
	const names = accountControlShape.options
		.map(({ shape }) => shape.control.value)
		.filter((name) => name !== "discard");
	expect(new Set(forms.map((fields) => fields["control"]))).toEqual(new Set(names));
	for (const filling of forms) {
		// an empty field counts as absent
		const fields = Object.fromEntries(Object.entries(filling).filter(([, value]) => value !== ""));
		expect([fields, accountControlShape.safeParse(fields).error]).toEqual([fields, undefined]);
	}
});

test.each([
	"{",
	"[]",
	'{"control":"explode"}',
	'{"control":"clock","advance":-1}',
	'{"control":"webhooks","mod":"hold"}',
	'{"control":"fail","fault":"500","when":"before","endpoint":"payment_intent.confirm"}',
	'{"control":"fail_webhooks"}',
	new URLSearchParams({ control: "webhooks", mode: "never" }),
])("the invalid control %s returns 400 and changes nothing", async (sent) => {
	const { settings } = await state();
	const response = await post(sent);
	expect([response.status, await response.json()]).toEqual([400, { error: expect.stringMatching(/./) }]);
	expect((await state()).settings).toEqual(settings);
});

test.each<[number, Record<string, string>]>([
	[403, { "Sec-Fetch-Site": "cross-site" }],
	[403, { Origin: "https://attacker.example" }],
	[403, { Origin: "null" }],
	[200, { "Sec-Fetch-Site": "same-origin", Origin: "OWN" }],
])("a control returns %i, and runs only with 200, if its headers are %o", async (status, { Origin, ...others }) => {
	const headers = { ...others, ...(Origin && { Origin: Origin.replace("OWN", host.url.origin) }) };
	const response = await post(JSON.stringify({ control: "latency", milliseconds: 1 }), headers);
	expect([response.status, await response.text()]).toEqual([status, status === 200 ? "null" : "Forbidden"]);
	expect((await state()).settings.latencies).toHaveLength(status === 200 ? 1 : 0);
});
