import Stripe from "stripe";
import { beforeEach, expect, test } from "vitest";
import { failure, openShop, type Shop, succeeded, success, unpaid } from "../../tests/support/payments.ts";
import { findPaymentIntent, isPayable, retrievePaymentIntent } from "./payment-intents.server.ts";

let shop: Shop;

beforeEach(() => {
	shop = openShop();
});

const retrieve = () => retrievePaymentIntent(shop.payments.stripe, "pi_1");
const find = () => findPaymentIntent(shop.payments, unpaid.client_secret);

test("retrievePaymentIntent and findPaymentIntent return the intent with its latest charge", async () => {
	const intent = { ...succeeded, latest_charge: { id: "ch_1", object: "charge", refunded: true } };
	shop.responses.retrieve = success(intent);
	expect([await retrieve(), await find()]).toEqual([intent, intent]);
	expect(shop.calls).toEqual(["retrieve", "retrieve"]);
});

test("retrievePaymentIntent and findPaymentIntent return null for an unknown id", async () => {
	shop.responses.retrieve = failure(404, { code: "resource_missing" });
	expect([await retrieve(), await find()]).toEqual([null, null]);
});

test.each([
	["another code", 400, "parameter_invalid_empty", Stripe.errors.StripeInvalidRequestError],
	["another type", 403, "resource_missing", Stripe.errors.StripePermissionError],
])("retrievePaymentIntent throws an error with %s, without a retry", async (_, status, code, type) => {
	shop.responses.retrieve = failure(status, { code });
	await expect(retrieve()).rejects.toBeInstanceOf(type);
	expect(shop.calls).toEqual(["retrieve"]);
});

test("findPaymentIntent returns null for an intent without a client secret", async () => {
	shop.responses.retrieve = success({ ...unpaid, client_secret: null });
	expect(await find()).toBeNull();
});

const payable = ["requires_payment_method", "requires_confirmation", "requires_action"];
test.each([...payable, "requires_capture", "processing", "succeeded", "canceled"])(
	"a payment in %s is payable only before it is charged or canceled",
	async (status) => {
		expect(isPayable(await shop.intent({ status }))).toBe(payable.includes(status));
	},
);
