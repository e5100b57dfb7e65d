import { beforeEach, describe, expect, test } from "vitest";
import { now, openShop, type Shop, succeeded, success } from "../../tests/support/payments.ts";
import { recordRefunds } from "./refund.server.ts";

const row = { id: "re_1", payment_intent_id: "pi_1", amount: 1196, status: "succeeded", created: now };
let shop: Shop;

beforeEach(() => {
	shop = openShop();
	shop.listRefunds();
});

const storeRefund = (refund: Partial<typeof row>) => shop.sqlite.insert("refunds", { ...row, ...refund });

describe("recordRefunds", () => {
	const record = async () => recordRefunds(shop.payments, await shop.intent(succeeded));
	const logged = { level: "info", event: "refunded", payment_intent: "pi_1", refund: "re_1" };

	test("returns false and changes nothing for a payment without a refund", async () => {
		const order = shop.storeOrder();
		expect(await record()).toBe(false);
		expect(shop.calls).toEqual(["list refunds"]);
		expect([shop.orders(), shop.refunds(), shop.logged, shop.notified]).toEqual([[order], [], [], []]);
	});

	test("returns false, and records and logs a partial refund once, for a paid order", async () => {
		const order = shop.storeOrder({ status: "paid" });
		shop.listRefunds({ amount: 1195 });
		for (const _ of [1, 2]) expect(await record()).toBe(false);
		expect([shop.orders(), shop.refunds()]).toEqual([[order], [{ ...row, amount: 1195 }]]);
		expect(shop.logged).toEqual([{ ...logged, amount: 1195, status: "succeeded" }]);
	});

	const older = { id: "re_0", amount: 1195 };
	test.each([
		["one refund", [{}], ["succeeded"]],
		["a refund in two parts", [{ amount: 1 }, older], ["succeeded", "succeeded"]],
		["a refund after a failed one", [{}, { ...older, status: "failed" }], ["failed", "succeeded"]],
		["a refund after a canceled one", [{}, { ...older, status: "canceled" }], ["failed", "succeeded"]],
		["a refund that requires action", [{ status: "requires_action" }], ["pending"]],
		["a pending older part", [{ amount: 1 }, { ...older, status: "pending" }], ["pending", "succeeded"]],
	])("returns true, and records and logs each refund once, for %s of the full amount", async (_, refunds, statuses) => {
		const order = shop.storeOrder({ status: "paid" });
		const other = shop.storeOrder({ payment_intent_id: "pi_2" });
		shop.listRefunds(...refunds);
		for (const _ of [1, 2]) expect(await record()).toBe(true);
		expect(shop.refunds().map(({ status }) => status)).toEqual(statuses);
		expect(shop.orders()).toEqual([{ ...order, status: "refunded" }, other]);
		expect(shop.logged).toHaveLength(refunds.length);
		expect(shop.notified).toEqual(["ada", "ada"]);
	});

	describe.each(["failed", "canceled"])("a refund that is %s", (status) => {
		const failed = { ...logged, level: "error", event: "refund_failed", amount: 1196, status };

		test.each(["succeeded", "pending"])(
			"is recorded and logged once if it was %s, and its order is placed again",
			async (before) => {
				const order = shop.storeOrder({ status: "refunded" });
				const other = [
					storeRefund({ id: "re_2", payment_intent_id: "pi_2" }),
					shop.storeOrder({ payment_intent_id: "pi_2", status: "refunded" }),
				];
				storeRefund({ status: before });
				shop.listRefunds({ status }, older);
				for (const _ of [1, 2]) expect(await record()).toBe(false);
				expect(shop.refunds()).toEqual([{ ...row, ...older }, { ...row, status: "failed" }, other[0]]);
				expect(shop.orders()).toEqual([{ ...order, status: "placed" }, other[1]]);
				expect(shop.logged).toContainEqual(failed);
				expect(shop.logged).toHaveLength(2);
			},
		);

		test("is recorded and logged once if it is new, and keeps a paid order", async () => {
			const order = shop.storeOrder({ status: "paid" });
			shop.listRefunds({ status });
			for (const _ of [1, 2]) expect(await record()).toBe(false);
			expect(shop.refunds()).toEqual([{ ...row, status: "failed" }]);
			expect([shop.orders(), shop.logged]).toEqual([[order], [failed]]);
		});

		test("keeps the order refunded after the operator has returned the money without Stripe", async () => {
			const order = shop.storeOrder({ status: "refunded" });
			storeRefund({ id: "manual-pi_1" });
			shop.listRefunds({ status });
			expect(await record()).toBe(true);
			expect(shop.orders()).toEqual([order]);
		});
	});

	test.each([
		["failed", "succeeded"],
		["failed", "pending"],
		["succeeded", "pending"],
	])("keeps a refund %s if its older state, %s, is written last", async (stored, status) => {
		storeRefund({ status: stored });
		shop.listRefunds({ status });
		await record();
		expect([shop.refunds(), shop.logged]).toEqual([[{ ...row, status: stored }], []]);
	});

	test("adds up the refunds of all pages", async () => {
		shop.listRefunds(older);
		shop.responses["list more refunds"] = shop.responses["list refunds"];
		shop.responses["list refunds"] = success({
			object: "list",
			data: [{ id: "re_1", amount: 1, status: "succeeded", created: now }],
			has_more: true,
		});
		expect(await record()).toBe(true);
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
		expect(await record()).toBe(true);
		shop.storeOrder({ user_id: null, guest_token_hash: "hash" });
		expect(await record()).toBe(true);
		expect(shop.notified).toEqual([]);
	});
});
