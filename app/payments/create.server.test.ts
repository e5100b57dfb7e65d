import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { failure, openShop, type Shop, succeeded, success, unpaid } from "../../tests/support/payments.ts";
import { stripe } from "../../tests/support/unit-request.ts";
import { createPayment, parseTotal } from "./create.server.ts";
import { sign } from "./shop-signature.server.ts";

/** Parses the total in a query string. */
function total(query: string): number | null {
	return parseTotal(new URL(`http://shop.test/payments/create?${query}`));
}

test.each([50, 51, 1196, 23900, 109498, 21899600, 99999999])("parseTotal accepts %i cents", (cents) => {
	expect(total(`total=${cents}`)).toBe(cents);
});

test("parseTotal accepts every integer from 50 to 99999999 and no other number", () => {
	fc.assert(
		fc.property(fc.oneof(fc.integer({ min: -100, max: 200 }), fc.maxSafeInteger(), fc.double()), (cents) => {
			const valid = Number.isInteger(cents) && cents >= 50 && cents <= 99999999;
			expect(total(`total=${cents}`)).toBe(valid ? cents : null);
		}),
		{ numRuns: 2000 },
	);
});

test("parseTotal accepts a total only in canonical decimal form", () => {
	const numberLike = fc.string({ unit: fc.constantFrom(..."0123456789exE+-_. ") });
	fc.assert(
		fc.property(fc.oneof(fc.string({ unit: "grapheme" }), numberLike), (text) => {
			const read = total(`total=${encodeURIComponent(text)}`);
			if (read !== null) expect(String(read)).toBe(text);
		}),
		{ numRuns: 2000 },
	);
});

test.each([
	["a missing total", ""],
	["an empty total", "total="],
	["an upper-case parameter name", "TOTAL=1196"],
	["letters", "total=abc"],
	["NaN", "total=NaN"],
	["Infinity", "total=Infinity"],
	["zero", "total=0"],
	["a negative amount", "total=-1"],
	["49 cents", "total=49"],
	["a fraction", "total=10.5"],
	["a zero fraction", "total=1196.0"],
	["an exponent", "total=1e3"],
	["hexadecimal digits", "total=0x10"],
	["a percent-encoded plus", "total=%2B500"],
	["a plus, which decodes to a space", "total=+500"],
	["a leading space", "total=%20500"],
	["a trailing space", "total=500%20"],
	["a trailing line feed", "total=500%0A"],
	["a leading zero", "total=0500"],
	["Arabic digits", "total=%D9%A5%D9%A0%D9%A0"],
	["full-width digits", "total=%EF%BC%95%EF%BC%90"],
	["a trailing NUL", "total=500%00"],
	["400 digits", `total=${"9".repeat(400)}`],
	["100000000 cents", "total=100000000"],
	["two totals", "total=1196&total=50"],
	["the same total twice", "total=1196&total=1196"],
	["a list", "total[]=1196"],
])("parseTotal rejects %s", (_, query) => {
	expect(total(query)).toBeNull();
});

describe("createPayment", () => {
	const clientSecret = unpaid.client_secret;
	const created = { clientSecret: "pi_2_secret_2", signature: sign(stripe, "pi_2_secret_2", unpaid) };
	const create = "create amount=1196&currency=usd&allowed_payment_method_types[0]=card&metadata[shop]=half-dozen";
	const cancel = "cancel cancellation_reason=abandoned";
	let shop: Shop;

	beforeEach(() => {
		shop = openShop();
		shop.storeOrder();
		shop.responses.create = success({ ...unpaid, id: "pi_2", client_secret: "pi_2_secret_2" });
		shop.responses.cancel = success({ ...unpaid, status: "canceled" });
	});

	const statusOf = () => shop.orders()[0]?.["status"];

	test("creates a card payment of this shop in dollars, and returns its signed client secret", async () => {
		expect(await createPayment(shop.payments, 1196, null)).toEqual(created);
		expect(shop.calls).toEqual([create]);
	});

	test("reuses a previous intent of the same amount that can still be paid", async () => {
		shop.responses.retrieve = success(unpaid);
		const signature = sign(stripe, clientSecret, unpaid);
		expect(await createPayment(shop.payments, 1196, clientSecret)).toEqual({ clientSecret, signature });
		expect(shop.calls).toEqual(["retrieve"]);
	});

	test("cancels a previous intent of another amount before it creates one", async () => {
		shop.responses.retrieve = success({ ...unpaid, amount: 1197 });
		expect(await createPayment(shop.payments, 1196, clientSecret)).toEqual(created);
		expect(shop.calls).toEqual(["retrieve", cancel, create]);
		expect(statusOf()).toBe("abandoned");
	});

	test.each([
		["is canceled", success({ ...unpaid, status: "canceled" })],
		["is unknown", failure(404, { code: "resource_missing" })],
		["has another client secret", success({ ...succeeded, client_secret: "pi_1_secret_2" })],
	])("only creates an intent if the previous one %s", async (_, response) => {
		shop.responses.retrieve = response;
		expect(await createPayment(shop.payments, 1196, clientSecret)).toEqual(created);
		expect(shop.calls).toEqual(["retrieve", create]);
	});

	test.each([
		["succeeded", "paid"],
		["processing", "placed"],
	])("fulfills a previous intent with status %s and creates none", async (status, orderStatus) => {
		shop.responses.retrieve = success({ ...succeeded, status });
		expect(await createPayment(shop.payments, 1196, clientSecret)).toBe("payment_in_progress");
		expect(shop.calls).toEqual(["retrieve", "retrieve"]);
		expect(statusOf()).toBe(orderStatus);
	});

	test("fulfills a previous intent that is paid before it can be canceled", async () => {
		shop.responses.retrieve = success({ ...unpaid, amount: 1197 });
		shop.responses.cancel = () => {
			shop.responses.retrieve = success(succeeded);
			return failure(400, { code: "payment_intent_unexpected_state", payment_intent: succeeded })();
		};
		expect(await createPayment(shop.payments, 1196, clientSecret)).toBe("payment_in_progress");
		expect(shop.calls).toEqual(["retrieve", cancel, "retrieve"]);
		expect(statusOf()).toBe("paid");
	});

	test("throws if Stripe returns no client secret", async () => {
		shop.responses.create = success({ ...unpaid, client_secret: null });
		const message = "Stripe returned a PaymentIntent without a client_secret; is the key a secret key?";
		await expect(createPayment(shop.payments, 1196, null)).rejects.toThrow(message);
	});
});
