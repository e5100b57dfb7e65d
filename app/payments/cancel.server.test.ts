import { beforeEach, describe, expect, test, vi } from "vitest";
import { failure, now, openShop, type Shop, succeeded, success, unpaid } from "../../tests/support/payments.ts";
import { abandonOrder, cancelPayment } from "./cancel.server.ts";

const [unexpected, missing] = ["payment_intent_unexpected_state", "resource_missing"];
let shop: Shop;

beforeEach(() => {
	shop = openShop();
});

describe("cancelPayment", () => {
	beforeEach(() => void shop.storeOrder());
	const statusOf = () => shop.orders()[0]?.["status"];

	test("cancels the payment as abandoned, and then abandons its order", async () => {
		shop.responses.cancel = () => {
			expect(statusOf()).toBe("placed");
			return success(unpaid)();
		};
		expect(await cancelPayment(shop.payments, "pi_1")).toBe("canceled");
		expect(shop.calls).toEqual(["cancel cancellation_reason=abandoned"]);
		expect(statusOf()).toBe("abandoned");
	});

	test.each([
		["is already canceled", "canceled", "abandoned", unexpected, success({ ...unpaid, status: "canceled" })],
		["has been paid", "paid", "paid", unexpected, success(succeeded)],
		["is being processed", "processing", "placed", unexpected, success({ ...unpaid, status: "processing" })],
		["Stripe does not know", "unknown", "placed", missing, failure(404, { code: missing })],
	])("for a payment that %s, returns %s and leaves the order %s", async (_, outcome, status, code, retrieve) => {
		shop.responses.cancel = failure(400, { code });
		shop.responses.retrieve = retrieve;
		expect(await cancelPayment(shop.payments, "pi_1")).toBe(outcome);
		expect(statusOf()).toBe(status);
	});

	test("throws another error of Stripe and keeps the order", async () => {
		shop.responses.cancel = failure(400, { code: "lock_timeout", payment_intent: { status: "canceled" } });
		await expect(cancelPayment(shop.payments, "pi_1")).rejects.toMatchObject({ code: "lock_timeout" });
		expect(statusOf()).toBe("placed");
	});

	test("throws an error that is not Stripe's, whatever its code", async () => {
		const error = Object.assign(new Error("Broken."), { code: "resource_missing" });
		vi.spyOn(shop.payments.stripe.paymentIntents, "cancel").mockRejectedValue(error);
		await expect(cancelPayment(shop.payments, "pi_1")).rejects.toBe(error);
		expect(statusOf()).toBe("placed");
	});
});

describe("abandonOrder", () => {
	test.each([
		["a customer", { user_id: "ada" }],
		["a guest", { user_id: null, guest_token_hash: "hash" }],
	])("keeps a placed order of %s for 30 days, without its items, address and guest token", async (_, owner) => {
		const row = shop.storeOrder(owner);
		await abandonOrder(shop.payments, "pi_1");
		const abandoned = { status: "abandoned", due_at: now + 2_592_000, guest_token_hash: null };
		expect(shop.orders()).toEqual([{ ...row, ...abandoned }]);
		expect(shop.items()).toEqual([]);
	});

	test.each(["paid", "refunded"])("changes nothing of a %s order", async (status) => {
		shop.storeOrder({ status, user_id: null, guest_token_hash: "hash" });
		const before = [shop.orders(), shop.items()];
		await abandonOrder(shop.payments, "pi_1");
		expect([shop.orders(), shop.items()]).toEqual(before);
	});

	test("only deletes the items of an order that is already abandoned", async () => {
		const row = shop.storeOrder({ status: "abandoned" });
		await abandonOrder(shop.payments, "pi_1");
		expect([shop.orders(), shop.items()]).toEqual([[row], []]);
	});

	test("changes no other order", async () => {
		shop.storeOrder({ payment_intent_id: "pi_2" });
		shop.storeOrder({ payment_intent_id: "pi_3", status: "abandoned" });
		const before = [shop.orders(), shop.items()];
		shop.storeOrder();
		await abandonOrder(shop.payments, "pi_1");
		await abandonOrder(shop.payments, "pi_unknown");
		expect([shop.orders().slice(1), shop.items()]).toEqual(before);
	});
});
