import Stripe from "stripe";
import { expect, test } from "vitest";
import { PUBLISHABLE_KEY, SECRET_KEY } from "../../keys.ts";
import { confirmInBrowser, create, get, host, refusal, stripe, stripeWith } from "../support/emulator.ts";

const visa = { number: "4242424242424242" };

test("a browser receives only the public fields of an intent", async () => {
	const intent = await stripe.paymentIntents.create({ amount: 500, currency: "usd", metadata: { owner: "ada" } });
	const client_secret = intent.client_secret ?? "";
	const { body } = await confirmInBrowser(intent, visa);
	const fields = `amount canceled_at cancellation_reason capture_method client_secret confirmation_method created
		currency description id last_payment_error livemode next_action object payment_method payment_method_types
		receipt_email setup_future_usage shipping status`;
	expect(Object.keys(body).sort()).toEqual(fields.split(/\s+/));
	expect(await (await get(intent.id, { key: PUBLISHABLE_KEY, client_secret })).json()).toEqual(body);
	expect(await stripeWith(PUBLISHABLE_KEY).paymentIntents.retrieve(intent.id, { client_secret })).toEqual(body);
	expect((await confirmInBrowser(intent, visa)).body.error?.payment_intent).toEqual(body);
});

test("a browser's call without the intent's own client secret returns 400", async () => {
	const [intent, other] = [await create(), await create()];
	const key = PUBLISHABLE_KEY;
	expect((await get(intent.id, { key })).status).toBe(400);
	for (const client_secret of [other.client_secret ?? "", `${intent.client_secret}x`]) {
		expect((await get(intent.id, { key, client_secret })).status).toBe(400);
		expect(await confirmInBrowser({ ...intent, client_secret }, visa)).toMatchObject({
			status: 400,
			body: { error: { param: "client_secret" } },
		});
	}
	expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent);
});

test.each<[string, (browser: Stripe, id: string) => Promise<unknown>]>([
	["create an intent", (browser) => browser.paymentIntents.create({ amount: 50, currency: "usd" })],
	["list intents", (browser) => browser.paymentIntents.list()],
	["update an intent", (browser, id) => browser.paymentIntents.update(id, { amount: 50 })],
	["cancel an intent", (browser, id) => browser.paymentIntents.cancel(id)],
	["retrieve a charge", (browser) => browser.charges.retrieve("ch_1")],
	["list charges", (browser) => browser.charges.list()],
	["refund an intent", (browser, id) => browser.refunds.create({ payment_intent: id })],
	["retrieve a refund", (browser) => browser.refunds.retrieve("re_1")],
	["list refunds", (browser) => browser.refunds.list()],
	["retrieve an event", (browser) => browser.events.retrieve("evt_1")],
	["list events", (browser) => browser.events.list()],
])("a publishable key cannot %s", async (_, call) => {
	const intent = await create();
	const error = await refusal(call(stripeWith(PUBLISHABLE_KEY), intent.id));
	expect(error).toMatchObject({ statusCode: 401, code: "secret_key_required" });
	expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent);
});

/** Sends a request with this Authorization header and returns the response's status and error. */
async function call(Authorization: string, path: string, method = "GET") {
	const response = await host.fetch(`/stripe-emulator/v1/${path}`, { method, headers: { Authorization } });
	const { error } = await response.json<{ error?: { type: string; message: string } }>();
	return { status: response.status, ...error };
}

test.each([
	`Bearer ${SECRET_KEY}`,
	`bearer ${SECRET_KEY}`,
	`Basic ${btoa(`${SECRET_KEY}:`)}`,
	`basic ${btoa(SECRET_KEY)}`,
])("the Authorization header %o is accepted", async (credentials) => {
	expect(await call(credentials, "payment_intents")).toEqual({ status: 200 });
});

test.each([
	...["", "Bearer", "Bearer ", "Bearer constructor", SECRET_KEY],
	...[`Bearer ${SECRET_KEY}x`, `Basic ${SECRET_KEY}`, `Basic ${btoa(`:${SECRET_KEY}`)}`, `Basic ${btoa("sk_test:")}`],
])("the Authorization header %o returns 401 for any path", async (credentials) => {
	for (const path of ["customers", "payment_intents", "payment_intents/pi_unknown"]) {
		expect(await call(credentials, path)).toMatchObject({ status: 401, type: "invalid_request_error" });
	}
});

test("a missing key, the secret key in the query and an invalid key return 401, the latter with a masked key", async () => {
	const { id } = await create();
	expect((await call("", "payment_intents")).message).toMatch(/^You did not provide an API key/);
	expect((await get(id, { key: SECRET_KEY })).status).toBe(401);
	const error = await refusal(stripeWith("sk_live_notmine_0123456789").paymentIntents.retrieve(id));
	expect(error).toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
	expect(error).toMatchObject({ statusCode: 401, message: "Invalid API Key provided: sk_live_********6789" });
	expect(error.code).toBeUndefined();
});

test.each([
	...["customers", "events", "charges", "payment_intents/pi_1/update"].map((path) => ["POST", path]),
	...["PUT", "PATCH", "DELETE"].map((method) => [method, "payment_intents/pi_1"]),
	...["customers", "constructor", "__proto__/x", "payment_intents/pi_1/confirm"].map((path) => ["GET", path]),
	...["", "/payment_intents", "payment_intents/", "payment_intents/..%2f..%2fstate"].map((path) => ["GET", path]),
])("%s /v1/%s returns 400 and lists the supported endpoints", async (method, path) => {
	const message = `Unrecognized request URL (${method}: /v1/${path}). The Stripe emulator supports payment_intents.create, `;
	const refused = { status: 400, type: "invalid_request_error", message: expect.stringContaining(message) };
	expect(await call(`Bearer ${SECRET_KEY}`, path, method)).toEqual(refused);
});

test("a HEAD request returns 400 without a body", async () => {
	const headers = { Authorization: `Bearer ${SECRET_KEY}` };
	const response = await host.fetch("/stripe-emulator/v1/payment_intents", { method: "HEAD", headers });
	expect([response.status, await response.text()]).toEqual([400, ""]);
});

test.each(["card-frame", "three-d-secure"])("%s is sandboxed", async (frame) => {
	const response = await host.fetch(`/stripe-emulator/${frame}`);
	const policy = response.headers.get("Content-Security-Policy");
	expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/);
	expect(policy).toContain(`connect-src ${host.url.origin}/stripe-emulator/v1/;`);
	expect(policy).toContain("frame-ancestors 'self'");
	expect(response.headers.get("Cache-Control")).toBe("no-store");
});

test("CORS allows the frame's opaque origin but no Authorization header", async () => {
	const { headers } = await confirmInBrowser(await create(), { number: "4242424242424242" });
	expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
	const preflight = await host.fetch("/stripe-emulator/v1/payment_intents/pi_1/confirm", { method: "OPTIONS" });
	expect(preflight.status).toBe(204);
	expect(preflight.headers.get("Access-Control-Allow-Origin")).toBe("*");
	expect(preflight.headers.get("Access-Control-Allow-Headers")).toBe("Content-Type");
});

test.each([
	["GET", "nothing"],
	["GET", "v2/core/events"],
	["POST", "stripe.js"],
	...["GET", "PUT", "DELETE", "OPTIONS"].map((method) => [method, "controls"]),
])("%s /stripe-emulator/%s returns 404", async (method, path) => {
	const response = await host.fetch(`/stripe-emulator/${path}`, { method });
	expect([response.status, await response.text()]).toEqual([404, "Not found"]);
});
