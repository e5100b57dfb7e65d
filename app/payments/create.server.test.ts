import { beforeEach, describe, expect, test } from "vitest";
import { currency } from "#app/brand.ts";
import { minAmount } from "#drizzle/limits.ts";
import { failure, openShop, type Shop, succeeded, success, unpaid } from "../../tests/support/payments.ts";
import { stripe } from "../../tests/support/unit-request.ts";
import { createPayment, parseTotal } from "./create.server.ts";
import { sign } from "./shop-signature.server.ts";

/** Parses the total in a query string. */
function total(query: string): number | null {
	return parseTotal(new URL(`http://shop.test/payments/create?${query}`));
}

test.each([minAmount, 1196, 99999999])("parseTotal accepts %i cents", (cents) => {
	expect(total(`total=${cents}`)).toBe(cents);
});

const notDecimal = ["total=10.5", "total=1e3", "total=%2B500", "total=500%0A", "total=0500", "total=%D9%A5%D9%A0"];
test.each(["", "TOTAL=1196", "total=1196&total=1196", `total=${minAmount - 1}`, "total=100000000", ...notDecimal])(
	"parseTotal rejects %j",
	(query) => {
		expect(total(query)).toBeNull();
	},
);

describe("createPayment", () => {
	const clientSecret = unpaid.client_secret;
	const created = { clientSecret: "pi_2_secret_2", signature: sign(stripe, "pi_2_secret_2", unpaid) };
	const create = `create amount=1196&currency=${currency}&allowed_payment_method_types[0]=card&metadata[shop]=${stripe.shopId}`;
	const cancel = "cancel cancellation_reason=abandoned";
	let shop: Shop;

	beforeEach(() => {
		shop = openShop();
		shop.storeOrder();
		shop.responses.create = success({ ...unpaid, id: "pi_2", client_secret: "pi_2_secret_2" });
		shop.responses.cancel = success({ ...unpaid, status: "canceled" });
	});

	const statusOf = () => shop.orders()[0]?.["status"];

	test("only creates a card payment if the previous intent has another client secret", async () => {
		shop.responses.retrieve = success({ ...succeeded, client_secret: "pi_1_secret_2" });
		expect(await createPayment(shop.payments, 1196, clientSecret)).toEqual(created);
		expect(shop.calls).toEqual(["retrieve", create]);
	});

	test("cancels a previous intent in another currency before it creates one", async () => {
		shop.responses.retrieve = success({ ...unpaid, currency: "xts" });
		expect(await createPayment(shop.payments, 1196, clientSecret)).toEqual(created);
		expect(shop.calls).toEqual(["retrieve", cancel, create]);
	});

	test("cancels a previous intent that may not be reused, also at the same amount", async () => {
		shop.responses.retrieve = success(unpaid);
		expect(await createPayment(shop.payments, 1196, clientSecret)).toMatchObject({ clientSecret });
		expect(shop.calls).toEqual(["retrieve"]);
		expect(await createPayment(shop.payments, 1196, clientSecret, false)).toEqual(created);
		expect(shop.calls).toEqual(["retrieve", "retrieve", cancel, create]);
	});

	test("creates no second intent while the previous one cannot be retrieved, because both might be charged", async () => {
		shop.responses.retrieve = failure(500, {});
		await expect(createPayment(shop.payments, 1196, clientSecret)).rejects.toThrow();
		expect(new Set(shop.calls)).toEqual(new Set(["retrieve"]));
	});

	test.each([
		["succeeded", "paid"],
		["processing", "placed"],
	])("fulfills a previous intent with status %s and creates none", async (status, orderStatus) => {
		shop.responses.retrieve = success({ ...succeeded, status });
		expect(await createPayment(shop.payments, 1196, clientSecret)).toBe("payment_in_progress");
		expect(shop.calls).toEqual(["retrieve"]);
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
