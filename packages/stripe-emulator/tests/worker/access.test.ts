import Stripe from "stripe";
import { expect, test } from "vitest";
import { PUBLISHABLE_KEY } from "../../keys.ts";
import { confirmInBrowser, create, host, refusal, stripe, stripeWith } from "../support/emulator.ts";

const visa = { number: "4242424242424242" };
const browser = () => stripeWith(PUBLISHABLE_KEY);
const { StripeAuthenticationError, StripeInvalidRequestError } = Stripe.errors;

test("a browser receives only the public fields of an intent", async () => {
	const intent = await stripe.paymentIntents.create({ amount: 500, currency: "usd", metadata: { owner: "ada" } });
	const client_secret = intent.client_secret ?? "";
	const { body } = await confirmInBrowser(intent, visa);
	const fields = `amount canceled_at cancellation_reason capture_method client_secret confirmation_method created
		currency description id last_payment_error livemode next_action object payment_method payment_method_types
		receipt_email setup_future_usage shipping status`;
	expect(Object.keys(body).sort()).toEqual(fields.split(/\s+/));
	expect(await browser().paymentIntents.retrieve(intent.id, { client_secret })).toEqual(body);
	expect((await confirmInBrowser(intent, visa)).body.error?.payment_intent).toEqual(body);
	const expanded = browser().paymentIntents.retrieve(intent.id, { client_secret, expand: ["latest_charge"] });
	expect(await refusal(expanded)).toMatchObject({ statusCode: 400 });
});

test("a browser's call without the intent's own client secret returns 400, and a cancellation 401", async () => {
	const [intent, other] = [await create(), await create()];
	expect(await refusal(browser().paymentIntents.retrieve(intent.id))).toMatchObject({ statusCode: 400 });
	for (const client_secret of [other.client_secret ?? "", `${intent.client_secret}x`]) {
		const retrieval = browser().paymentIntents.retrieve(intent.id, { client_secret });
		expect(await refusal(retrieval)).toMatchObject({ statusCode: 400, param: "client_secret" });
		const confirmation = await confirmInBrowser({ ...intent, client_secret }, visa);
		expect(confirmation).toMatchObject({ status: 400, body: { error: { param: "client_secret" } } });
	}
	const refused = { statusCode: 401, code: "secret_key_required" };
	expect(await refusal(browser().paymentIntents.cancel(intent.id))).toMatchObject(refused);
	expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent);
});

test("an unsupported URL returns 401 without a valid API key, and otherwise 400 with a list of the endpoints", async () => {
	const error = await refusal(stripeWith("sk_test_notmine").customers.list());
	expect(error).toBeInstanceOf(StripeAuthenticationError);
	expect(error.statusCode).toBe(401);
	const message =
		/^Unrecognized request URL \(GET: \/v1\/customers\). The Stripe emulator supports payment_intents.create, .*, webhook_endpoints.update\.$/;
	const refused = { statusCode: 400, rawType: "invalid_request_error", message: expect.stringMatching(message) };
	expect(await refusal(stripe.customers.list())).toMatchObject(refused);
});

const payment_method = "pm_card_visa";
const confirmWith = async (id: string) => stripe.paymentIntents.confirm((await create()).id, { payment_method: id });
test.each<[string, string, string, (id: string) => Promise<unknown>]>([
	["pi_unknown", "payment_intent", "intent", (id) => stripe.paymentIntents.confirm(id, { payment_method })],
	["ch_unknown", "charge", "id", (id) => stripe.charges.retrieve(id)],
	["re_unknown", "refund", "id", (id) => stripe.refunds.retrieve(id)],
	["evt_unknown", "event", "id", (id) => stripe.events.retrieve(id)],
	["pi_unknown", "payment_intent", "payment_intent", (id) => stripe.refunds.create({ payment_intent: id })],
	["ch_unknown", "charge", "charge", (id) => stripe.refunds.create({ charge: id })],
	["pm_nobody", "PaymentMethod", "payment_method", confirmWith],
	["4242424242424242", "PaymentMethod", "payment_method", confirmWith],
])("the unknown id %s of a %s in %s returns 404 resource_missing", async (id, object, param, call) => {
	const error = await refusal(call(id));
	expect(error).toBeInstanceOf(StripeInvalidRequestError);
	const message = `No such ${object}: '${id}'`;
	expect(error).toMatchObject({ statusCode: 404, code: "resource_missing", param, message });
});

test.each(["card-frame", "three-d-secure"])("%s is sandboxed", async (frame) => {
	const { headers } = await host.fetch(`/stripe-emulator/${frame}`);
	const policy = headers.get("Content-Security-Policy");
	expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/);
	expect(policy).toContain(`connect-src ${host.url.origin}/stripe-emulator/v1/;`);
	expect(policy).toContain("frame-ancestors 'self'");
});

test("CORS allows the frame's opaque origin but no Authorization header", async () => {
	const { headers } = await confirmInBrowser(await create(), visa);
	expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
	const preflight = await host.fetch("/stripe-emulator/v1/payment_intents/pi_1/confirm", { method: "OPTIONS" });
	expect(preflight.status).toBe(204);
	expect(preflight.headers.get("Access-Control-Allow-Origin")).toBe("*");
	expect(preflight.headers.get("Access-Control-Allow-Headers")).toBe("Content-Type");
});
