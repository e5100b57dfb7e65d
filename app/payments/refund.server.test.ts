import { beforeEach, describe, expect, test, vi } from "vitest";
import { failure, now, openShop, type Shop, succeeded, success } from "../../tests/support/payments.ts";
import { stripe } from "../../tests/support/unit-request.ts";
import { recordRefunds, refundPayment } from "./refund.server.ts";

const orphan = { payment_intent_id: "pi_1", reason: "orphan", refund_id: null, status: "pending" };
const pending = { ...orphan, attempts: 1, created: now };
let shop: Shop;

beforeEach(() => {
	shop = openShop();
	shop.listRefunds();
});

function storeRefund(refund: Partial<Record<keyof typeof pending, string | number | null>>): void {
	shop.sqlite.insert("refunds", { ...pending, ...refund });
}

describe("refundPayment", () => {
	const request = `refund payment_intent=pi_1&metadata[shop]=${stripe.shopId}`;
	const budget = { left: 2 };
	const refund = async () => refundPayment(shop.payments, await shop.intent(succeeded), budget);
	const keys = () => shop.headers.flatMap((sent) => sent.get("Idempotency-Key") ?? []);

	beforeEach(() => {
		budget.left = 2;
		shop.responses.refund = () => {
			shop.listRefunds({ status: "pending" });
			return success({ id: "re_1", object: "refund" })();
		};
	});

	test("requests one refund of a payment without an order, and records it", async () => {
		shop.storeOrder({ payment_intent_id: "pi_2" });
		for (const calls of [[request, "list refunds"], ["list refunds"]]) {
			await refund();
			expect(shop.calls).toEqual(calls);
			expect(shop.refunds()).toEqual([{ ...pending, refund_id: "re_1" }]);
			expect(budget.left).toBe(1);
		}
		expect(keys()).toEqual(["refund-pi_1-1"]);
	});

	test("adds the row before its request, and uses another idempotency key for each attempt", async () => {
		shop.responses.refund = failure(400, { code: "lock_timeout" });
		const other = { ...pending, payment_intent_id: "pi_2" };
		storeRefund(other);
		for (const attempts of [1, 2]) {
			await expect(refund()).rejects.toMatchObject({ code: "lock_timeout" });
			expect(shop.refunds()).toEqual([{ ...pending, attempts }, other]);
		}
		expect(keys()).toEqual(["refund-pi_1-1", "refund-pi_1-2"]);
		expect(budget.left).toBe(2);
	});

	test("records a refund that was already made, and keeps the budget", async () => {
		shop.responses.refund = failure(400, { code: "charge_already_refunded" });
		shop.listRefunds({});
		await refund();
		expect(shop.refunds()).toEqual([{ ...pending, refund_id: "re_1", status: "succeeded" }]);
		expect(budget.left).toBe(2);
	});

	test("throws an error that is not Stripe's, whatever its code", async () => {
		const error = Object.assign(new Error("Broken."), { code: "charge_already_refunded" });
		vi.spyOn(shop.payments.stripe.refunds, "create").mockRejectedValue(error);
		await expect(refund()).rejects.toBe(error);
	});

	test("requests nothing if an order exists", async () => {
		shop.storeOrder({ status: "abandoned" });
		await refund();
		expect(shop.calls).toEqual(["list refunds"]);
		expect([shop.refunds(), budget.left]).toEqual([[], 2]);
	});

	test.each([{ refund_id: "re_1" }, { status: "succeeded" }, { status: "failed" }])(
		"requests nothing if the row has %o",
		async (row) => {
			storeRefund(row);
			await refund();
			expect(shop.calls).toEqual(["list refunds"]);
			expect([shop.refunds(), budget.left]).toEqual([[{ ...pending, ...row }], 2]);
		},
	);
});

describe("recordRefunds", () => {
	const record = async () => recordRefunds(shop.payments, await shop.intent(succeeded));

	test.each([
		["without a refund", []],
		["with a partial refund", [{ amount: 1195 }]],
	])("returns null and changes nothing for a payment %s", async (_, refunds) => {
		const order = shop.storeOrder();
		storeRefund({});
		shop.listRefunds(...refunds);
		expect(await record()).toBeNull();
		expect(shop.calls).toEqual(["list refunds"]);
		expect([shop.orders(), shop.refunds()]).toEqual([[order], [pending]]);
		expect([shop.logged, shop.notified]).toEqual([[], []]);
	});

	const older = { id: "re_0", amount: 1195 };
	test.each([
		["refunded", "succeeded", "one refund", [{}]],
		["refunded", "succeeded", "a refund in two parts", [{ amount: 1 }, older]],
		["refunded", "succeeded", "a refund after a failed one", [{}, { ...older, status: "failed" }]],
		["refunded", "succeeded", "a refund after a canceled one", [{}, { ...older, status: "canceled" }]],
		["refunding", "pending", "a refund that requires action", [{ status: "requires_action" }]],
		["refunding", "pending", "a pending older part", [{ amount: 1 }, { ...older, status: "pending" }]],
	])(
		"returns %s, and records and logs once a %s refund for %s of the full amount",
		async (result, status, _, refunds) => {
			const order = shop.storeOrder({ status: "paid" });
			const other = shop.storeOrder({ payment_intent_id: "pi_2" });
			shop.listRefunds(...refunds);
			for (const _ of [1, 2]) expect(await record()).toBe(result);
			expect(shop.refunds()).toEqual([{ ...pending, reason: "requested", refund_id: "re_1", attempts: 0, status }]);
			expect(shop.orders()).toEqual([{ ...order, status: "refunded" }, other]);
			expect(shop.logged).toEqual([
				{ level: "info", event: "refunded", payment_intent: "pi_1", refund: "re_1", status },
			]);
			expect(shop.notified).toEqual(["ada", "ada"]);
		},
	);

	const failedRow = { ...pending, refund_id: "re_1", status: "failed" };
	const logged = { level: "error", event: "refund_failed", payment_intent: "pi_1", refund: "re_1" };

	describe.each(["failed", "canceled"])("a refund that is %s", (status) => {
		test.each([
			{ refund_id: "re_0", status: "succeeded" },
			{ refund_id: "re_1", status: "succeeded" },
			{ status: "pending" },
		])("is recorded and logged once if the row has %o, and its order is placed again", async (row) => {
			const order = shop.storeOrder({ status: "refunded" });
			const other = [
				{ ...pending, payment_intent_id: "pi_2" },
				shop.storeOrder({ payment_intent_id: "pi_2", status: "refunded" }),
			];
			for (const stored of [row, { payment_intent_id: "pi_2" }]) storeRefund(stored);
			shop.listRefunds({ status }, older);
			for (const _ of [1, 2]) expect(await record()).toBeNull();
			expect(shop.refunds()).toEqual([failedRow, other[0]]);
			expect(shop.orders()).toEqual([{ ...order, status: "placed" }, other[1]]);
			expect(shop.logged).toEqual([{ ...logged, status }]);
		});

		test("is recorded and logged once if there is no row, and keeps a paid order", async () => {
			const order = shop.storeOrder({ status: "paid" });
			shop.listRefunds({ id: "re_2", amount: 1 }, { status });
			for (const _ of [1, 2]) expect(await record()).toBeNull();
			expect(shop.refunds()).toEqual([{ ...failedRow, reason: "requested", attempts: 0 }]);
			expect([shop.orders(), shop.logged]).toEqual([[order], [{ ...logged, status }]]);
		});

		test("changes nothing after the money was returned in another way", async () => {
			const order = shop.storeOrder({ status: "refunded" });
			storeRefund({ status: "succeeded" });
			shop.listRefunds({ status });
			expect(await record()).toBeNull();
			expect(shop.refunds()).toEqual([{ ...pending, status: "succeeded" }]);
			expect([shop.orders(), shop.logged]).toEqual([[order], []]);
		});
	});

	test("adds up the refunds of all pages", async () => {
		shop.listRefunds(older);
		shop.responses["list more refunds"] = shop.responses["list refunds"];
		shop.responses["list refunds"] = success({
			object: "list",
			data: [{ id: "re_1", amount: 1, status: "succeeded" }],
			has_more: true,
		});
		expect(await record()).toBe("refunded");
	});

	test("updates only the id and the status of an existing row", async () => {
		storeRefund({ refund_id: "re_0", status: "failed", attempts: 7, created: 1 });
		shop.listRefunds({});
		expect(await record()).toBe("refunded");
		const updated = { refund_id: "re_1", status: "succeeded", attempts: 7, created: 1 };
		expect(shop.refunds()).toEqual([{ ...pending, ...updated }]);
	});

	test.each([
		["placed", "refunded"],
		["abandoned", "abandoned"],
	])("changes the status of a %s order to %s", async (before, status) => {
		const order = shop.storeOrder({ status: before });
		shop.listRefunds({});
		await record();
		expect(shop.orders()).toEqual([{ ...order, status }]);
	});

	test("notifies no feed if no order exists or a guest owns it", async () => {
		shop.listRefunds({});
		shop.storeOrder({ payment_intent_id: "pi_0" });
		expect(await record()).toBe("refunded");
		shop.storeOrder({ user_id: null, guest_token_hash: "hash" });
		expect(await record()).toBe("refunded");
		expect(shop.notified).toEqual([]);
	});
});
