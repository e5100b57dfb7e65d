import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import Stripe from "stripe";
import { afterEach, expect, test } from "vitest";
import { PUBLISHABLE_KEY } from "../../keys.ts";
import {
	authenticate,
	confirmInBrowser,
	control,
	create,
	get,
	host,
	refusal,
	state,
	stripe,
} from "../support/emulator.ts";

afterEach(() => control({ control: "calm" }));

const confirm = (id: string, payment_method = "pm_card_visa", options: Stripe.RequestOptions = {}) =>
	stripe.paymentIntents.confirm(id, { payment_method }, options);

const faults = [
	["500", Stripe.errors.StripeAPIError, 500],
	["409", Stripe.errors.StripeAPIError, 409],
	["429", Stripe.errors.StripeRateLimitError, 429],
	["lock_timeout", Stripe.errors.StripeRateLimitError, 429],
	["timeout", Stripe.errors.StripeConnectionError, undefined],
] as const;

const patience = (fault: string) => ({ timeout: fault === "timeout" ? 1000 : 10_000 });

test.each(faults)(
	"a %s injected before processing leaves the intent unchanged",
	async (fault, ErrorClass, statusCode) => {
		const { id } = await create();
		await control({ control: "fail", endpoint: "payment_intents.confirm", fault, when: "before" });
		const error = await refusal(confirm(id, "pm_card_visa", patience(fault)));
		expect(error).toBeInstanceOf(ErrorClass);
		expect(error.statusCode).toBe(statusCode);
		expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: "requires_payment_method" });
		expect(await confirm(id)).toMatchObject({ status: "succeeded" });
	},
);

test.each(faults)(
	"a %s injected after processing keeps the payment and delivers its event",
	async (fault, ErrorClass, statusCode) => {
		const { id } = await create();
		await control({ control: "fail", endpoint: "payment_intents.confirm", fault, when: "after" });
		const error = await refusal(confirm(id, "pm_card_visa", patience(fault)));
		expect(error).toBeInstanceOf(ErrorClass);
		expect(error.statusCode).toBe(statusCode);
		expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: "succeeded" });
		const paid = async () => {
			const { events } = await state();
			return events.find(({ event }) => event.type === "payment_intent.succeeded" && event.data.object.id === id);
		};
		await expect.poll(paid, { timeout: 10_000 }).toMatchObject({ delivery: { state: "succeeded" } });
	},
);

test.each(faults)(
	"a %s injected after a decline replaces the decline in the response",
	async (fault, _, statusCode) => {
		const { id } = await create();
		await control({ control: "fail", endpoint: "payment_intents.confirm", fault, when: "after" });
		const error = await refusal(confirm(id, "pm_card_visa_chargeDeclined", patience(fault)));
		expect([error.statusCode, error.payment_intent]).toEqual([statusCode, undefined]);
		expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ last_payment_error: { code: "card_declined" } });
	},
);

test("a fault can be injected into a browser's call", async () => {
	const intent = await create();
	await control({ control: "fail", endpoint: "payment_intents.confirm", fault: "500", when: "after" });
	expect((await confirmInBrowser(intent, { number: "4242424242424242" })).status).toBe(500);
	expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: "succeeded" });
});

test("a fault affects only its endpoint, and only the given number of times", async () => {
	await control({ control: "fail", endpoint: "payment_intents.cancel", fault: "429", when: "before", times: 2 });
	await control({ control: "fail", fault: "500", when: "before" });
	const { settings } = await state();
	expect(settings.faults).toMatchObject([
		{ endpoint: "payment_intents.cancel", fault: "429", times: 2 },
		{ fault: "500", times: 1 },
	]);
	expect(await refusal(create())).toMatchObject({ statusCode: 500 });
	const { id } = await create();
	const cancel = () => stripe.paymentIntents.cancel(id);
	expect(await refusal(cancel())).toMatchObject({ statusCode: 429 });
	expect(await refusal(cancel())).toMatchObject({ statusCode: 429 });
	expect(await cancel()).toMatchObject({ status: "canceled" });
});

test("a later call completes before a delayed one", async () => {
	await control({ control: "latency", milliseconds: 1500 });
	// the call consumes the fault on arrival, so an empty list shows that the call is waiting
	await control({ control: "fail", endpoint: "payment_intents.create", fault: "429", when: "before" });
	const slow = refusal(create());
	await expect.poll(async () => (await state()).settings.faults, { timeout: 10_000, interval: 20 }).toEqual([]);
	await control({ control: "latency", milliseconds: 0 });
	await stripe.paymentIntents.list();
	const [overtaker] = (await state()).journal;
	expect(overtaker).toMatchObject({ endpoint: "payment_intents.list" });
	await slow;
	const [late] = (await state()).journal;
	expect(late).toMatchObject({ endpoint: "payment_intents.create", fault: "429 before" });
});

/** A latency longer than any test, in milliseconds: the server closes before it responds. */
const ENDLESS = 60_000;
const endpoint = "payment_intents.confirm";

const eventOf = async (id: string, type: Stripe.Event["type"]) =>
	(await state()).events.find(
		({ event }) => event.type === type && "id" in event.data.object && event.data.object.id === id,
	);

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
	await expect.poll(() => eventOf(id, "payment_intent.succeeded"), { timeout: 10_000 }).toBeDefined();
	return () => responded;
}

test("latency before processing delays only the endpoint for which it is set", async () => {
	const { id } = await create();
	await control({ control: "latency", endpoint, milliseconds: ENDLESS });
	// the call consumes the fault on arrival
	await control({ control: "fail", endpoint, fault: "500", when: "after" });
	confirm(id).catch(() => undefined);
	await expect.poll(async () => (await state()).settings.faults, { timeout: 10_000, interval: 20 }).toEqual([]);
	expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: "requires_payment_method" });
	const [latest] = (await state()).journal;
	expect(latest).toMatchObject({ endpoint: "payment_intents.retrieve" });
});

test("latency after processing delays only the response, not the payment or its webhook", async () => {
	const { id } = await create();
	const responded = await confirmLate(id);
	expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: "succeeded" });
	const delivery = async () => (await eventOf(id, "payment_intent.succeeded"))?.delivery;
	await expect.poll(delivery, { timeout: 10_000 }).toMatchObject({ state: "succeeded" });
	expect(responded()).toBe(false);
});

test.each(["before", "after"] as const)("latency %s processing does not change the response", async (when) => {
	await control({ control: "latency", endpoint, milliseconds: 50, when });
	expect(await confirm((await create()).id)).toMatchObject({ status: "succeeded" });
	expect(await refusal(confirm((await create()).id, "pm_card_visa_chargeDeclined"))).toMatchObject({
		statusCode: 402,
	});
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
	const inBrowser = async () => {
		const query = { client_secret: intent.client_secret ?? "", key: PUBLISHABLE_KEY };
		return (await get(intent.id, query)).json();
	};
	await confirmLate(intent.id);
	await control({ control: "stale_retrieve", stale: true });
	expect(await stripe.paymentIntents.retrieve(intent.id, { expand: ["latest_charge"] })).toEqual(intent);
	expect(await inBrowser()).toMatchObject({ status: "requires_payment_method", last_payment_error: null });
	await control({ control: "stale_retrieve", stale: false });
	const paid = { status: "succeeded" };
	expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject(paid);
	expect(await inBrowser()).toMatchObject(paid);
});

test("stale_retrieve ends when the confirmation's response is sent, and affects no other intent", async () => {
	await control({ control: "stale_retrieve", stale: true });
	await confirmLate((await create()).id);
	await control({ control: "latency", endpoint, milliseconds: 50, when: "after" });
	const { id } = await create();
	expect(await refusal(confirm(id, "pm_card_visa_chargeDeclined"))).toMatchObject({ statusCode: 402 });
	expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ last_payment_error: { code: "card_declined" } });
	expect(await confirm(id)).toMatchObject({ status: "succeeded" });
	expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: "succeeded" });
});

test("stale_retrieve affects a 3-D Secure payment only while its authentication is being completed", async () => {
	await control({ control: "stale_retrieve", stale: true });
	const intent = await create();
	await confirm(intent.id, "pm_card_authenticationRequired");
	const waiting = await stripe.paymentIntents.retrieve(intent.id);
	expect(waiting).toMatchObject({ status: "requires_action" });
	await control({ control: "latency", endpoint: "three_d_secure.answer", milliseconds: ENDLESS, when: "after" });
	authenticate(intent, "complete").catch(() => undefined);
	await expect.poll(() => eventOf(intent.id, "payment_intent.succeeded"), { timeout: 10_000 }).toBeDefined();
	expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(waiting);
	await control({ control: "calm" });
	expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: "succeeded" });
});

test("an approved charge succeeds after its processing time has elapsed", async () => {
	await control({ control: "processing", seconds: 600 });
	const { id } = await create();
	expect(await confirm(id)).toMatchObject({ status: "processing", amount_received: 0 });
	expect(await refusal(confirm(id))).toMatchObject({ code: "payment_intent_unexpected_state" });
	expect(await refusal(stripe.refunds.create({ payment_intent: id }))).toMatchObject({ code: "charge_not_refundable" });
	await control({ control: "clock", advance: 300 });
	expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: "processing" });
	await control({ control: "clock", advance: 301 });
	expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: "succeeded", amount_received: 1499 });
});

test("a declined charge returns 402 without a processing state", async () => {
	await control({ control: "processing", seconds: 600 });
	expect(await refusal(confirm((await create()).id, "pm_card_visa_chargeDeclined"))).toMatchObject({ statusCode: 402 });
});

test("advancing the clock affects both the account and the server, and calm does not reset the clock", async () => {
	const before = await create();
	await control({ control: "clock", advance: 5 * 86_400 });
	await control({ control: "calm" });
	const after = await create();
	expect(after.created - before.created).toBeGreaterThanOrEqual(5 * 86_400);
	expect((await state()).now).toBeGreaterThanOrEqual(after.created);
	// a server with a different clock would reject the signature as too old
	await control({ control: "webhooks", mode: "hold" });
	await create();
	expect(await control({ control: "release" })).toHaveLength(1);
	expect((await state()).events[0]?.delivery).toMatchObject({ state: "succeeded", answer: "200" });
});

test("calm resets every setting", async () => {
	const { settings: usual } = await state();
	await control({ control: "webhooks", mode: "drop", copies: 7, twins: true, tampering: "body" });
	await control({ control: "fail", fault: "500", when: "before", times: 9 });
	await control({ control: "latency", milliseconds: 5 });
	await control({ control: "latency", endpoint: "events.list", milliseconds: 5, when: "after" });
	await control({ control: "processing", seconds: 5 });
	await control({ control: "stale_retrieve", stale: true });
	expect(await state()).toMatchObject({
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
	});
	await control({ control: "calm" });
	expect(await state()).toMatchObject({ settings: usual });
});

test("a form post takes effect and redirects to the console", async () => {
	const body = new URLSearchParams({ control: "webhooks", mode: "hold", twins: "true", copies: "" });
	const response = await host.fetch("/stripe-emulator/controls", { method: "POST", body });
	expect([response.status, response.headers.get("Location")]).toEqual([303, "/stripe-emulator/"]);
	expect((await state()).settings.webhooks).toMatchObject({ mode: "hold", twins: true, copies: 1 });
});

/** Sends a control with browser headers, which fetch cannot set. */
async function controlWith(headers: Record<string, string>) {
	const { hostname, port } = host.url;
	const body = JSON.stringify({ control: "latency", milliseconds: 1 });
	const options = { hostname, port, path: "/stripe-emulator/controls", method: "POST" };
	const sent = httpRequest({ ...options, headers: { ...headers, "Content-Length": body.length } }).end(body);
	const [response] = await once(sent, "response");
	return [response.statusCode, await text(response)];
}

test.each<Record<string, string>>([
	{ "Sec-Fetch-Site": "cross-site" },
	{ "Sec-Fetch-Site": "same-site" },
	{ "Sec-Fetch-Site": "none" },
	{ Origin: "https://attacker.example" },
	{ Origin: "http://localhost:1" },
	{ Origin: "null" },
	{ "Sec-Fetch-Site": "same-origin", Origin: "https://attacker.example" },
])("a control with the headers of another site (%o) returns 403", async (headers) => {
	expect(await controlWith(headers)).toEqual([403, "Forbidden"]);
	expect((await state()).settings.latencies).toEqual([]);
});

test("a control from the emulator's own page is accepted with or without Sec-Fetch-Site", async () => {
	const Origin = host.url.origin;
	expect(await controlWith({ Origin })).toEqual([200, "null"]);
	expect(await controlWith({ Origin, "Sec-Fetch-Site": "same-origin" })).toEqual([200, "null"]);
});

test("a control over 64 KiB returns 413", async () => {
	const body = JSON.stringify({ control: "calm", long: "x".repeat(65_536) });
	const response = await host.fetch("/stripe-emulator/controls", { method: "POST", body });
	expect([response.status, await response.json()]).toEqual([413, { error: expect.stringContaining("65536 bytes") }]);
});
