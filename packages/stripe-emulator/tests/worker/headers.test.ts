import { afterAll, beforeAll, expect, test } from "vitest";
import { control, refusal, stripe } from "../support/emulator.ts";

beforeAll(() => control({ control: "webhooks", mode: "drop" }));
afterAll(() => control({ control: "calm" }));

const old = { amount: 500, currency: "usd", payment_method_types: ["card"] };
const create = (apiVersion: string, params: object = old) =>
	stripe.rawRequest("POST", "/v1/payment_intents", params, { apiVersion });

test.each(["2022-11-15", "2025-03-31.basil"])(
	"Stripe-Version %s accepts payment_method_types and returns the current objects",
	async (version) => {
		const created = await create(version);
		expect(created).toMatchObject({ allowed_payment_method_types: ["card"], automatic_payment_methods: null });
		expect(created.lastResponse.apiVersion).toBe("2026-10-28.endive");
		expect(await refusal(create(version, { ...old, payment_method_types: ["card", "klarna"] }))).toMatchObject({
			statusCode: 400,
			message: "The Stripe emulator supports only the payment method type card.",
		});
	},
);

test("Stripe-Version 2026-10-28.endive refuses payment_method_types", async () => {
	expect(await refusal(create("2026-10-28.endive"))).toMatchObject({
		code: "payment_method_types_no_longer_supported",
	});
});

test.each(["latest", "2022", "2022-11-15x"])("Stripe-Version %s returns 400", async (version) => {
	expect(await refusal(create(version))).toMatchObject({
		statusCode: 400,
		message: `Invalid Stripe API version: ${version}`,
	});
});

test.each([{ stripeAccount: "acct_1" }, { stripeContext: "acct_1" }])(
	"a request with %o returns 403",
	async (options) => {
		const error = await refusal(stripe.paymentIntents.list({}, options));
		expect(error).toMatchObject({
			statusCode: 403,
			code: "account_invalid",
			message: expect.stringContaining("acct_1"),
		});
	},
);

test.each([
	["GET", "products", "The Stripe emulator supports these resources: balance, balance_transactions, charges, "],
	["POST", "checkout/sessions", "The Stripe emulator supports these resources: "],
	[
		"POST",
		"payment_intents/pi_1/increment_authorization",
		"The Stripe emulator supports these methods of payment_intents: create, list, ",
	],
])("%s /v1/%s returns 404 with what is supported", async (method, path, supported) => {
	const error = await refusal(stripe.rawRequest(method, `/v1/${path}`));
	expect(error).toMatchObject({ statusCode: 404, message: expect.stringContaining(supported) });
	expect(error.message).toContain(`Unrecognized request URL (${method}: /v1/${path}).`);
});
