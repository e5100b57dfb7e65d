import { beforeEach, describe, expect, test } from "vitest";
import { now, openShop, type Shop, succeeded, success } from "../../tests/support/payments.ts";
import { recordRefunds } from "./refund.server.ts";

const pending = { payment_intent_id: "pi_1", refund_id: null, status: "pending", created: now };
let shop: Shop;

beforeEach(() => {
	shop = openShop();
	shop.listRefunds();
});

function storeRefund(refund: Partial<Record<keyof typeof pending, string | number | null>>): void {
	shop.sqlite.insert("refunds", { ...pending, ...refund });
}

describe("recordRefunds", () => {
	const record = async () => recordRefunds(shop.payments, await shop.intent(succeeded));

	test.each([
		["without a refund", []],
		["with a partial refund", [{ amount: 1195 }]],
	])("returns false and changes nothing for a payment %s", async (_, refunds) => {
		const order = shop.storeOrder();
		storeRefund({});
		shop.listRefunds(...refunds);
		expect(await record()).toBe(false);
		expect(shop.calls).toEqual(["list refunds"]);
		expect([shop.orders(), shop.refunds()]).toEqual([[order], [pending]]);
		expect([shop.logged, shop.notified]).toEqual([[], []]);
	});

	const older = { id: "re_0", amount: 1195 };
	test.each([
		["succeeded", "one refund", [{}]],
		["succeeded", "a refund in two parts", [{ amount: 1 }, older]],
		["succeeded", "a refund after a failed one", [{}, { ...older, status: "failed" }]],
		["succeeded", "a refund after a canceled one", [{}, { ...older, status: "canceled" }]],
		["pending", "a refund that requires action", [{ status: "requires_action" }]],
		["pending", "a pending older part", [{ amount: 1 }, { ...older, status: "pending" }]],
	])("returns true, and records and logs once a %s refund for %s of the full amount", async (status, _, refunds) => {
		const order = shop.storeOrder({ status: "paid" });
		const other = shop.storeOrder({ payment_intent_id: "pi_2" });
		shop.listRefunds(...refunds);
		for (const _ of [1, 2]) expect(await record()).toBe(true);
		expect(shop.refunds()).toEqual([{ ...pending, refund_id: "re_1", status }]);
		expect(shop.orders()).toEqual([{ ...order, status: "refunded" }, other]);
		expect(shop.logged).toEqual([{ level: "info", event: "refunded", payment_intent: "pi_1", refund: "re_1", status }]);
		expect(shop.notified).toEqual(["ada", "ada"]);
	});

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
			for (const _ of [1, 2]) expect(await record()).toBe(false);
			expect(shop.refunds()).toEqual([failedRow, other[0]]);
			expect(shop.orders()).toEqual([{ ...order, status: "placed" }, other[1]]);
			expect(shop.logged).toEqual([{ ...logged, status }]);
		});

		test("is recorded and logged once if there is no row, and keeps a paid order", async () => {
			const order = shop.storeOrder({ status: "paid" });
			shop.listRefunds({ id: "re_2", amount: 1 }, { status });
			for (const _ of [1, 2]) expect(await record()).toBe(false);
			expect(shop.refunds()).toEqual([failedRow]);
			expect([shop.orders(), shop.logged]).toEqual([[order], [{ ...logged, status }]]);
		});

		test("changes nothing after the money was returned in another way", async () => {
			const order = shop.storeOrder({ status: "refunded" });
			storeRefund({ status: "succeeded" });
			shop.listRefunds({ status });
			expect(await record()).toBe(false);
			expect(shop.refunds()).toEqual([{ ...pending, status: "succeeded" }]);
			expect([shop.orders(), shop.logged]).toEqual([[order], []]);
		});
	});

	test("replaces an older state that was written after a newer one", async () => {
		const order = shop.storeOrder({ status: "paid" });
		shop.listRefunds({});
		const first = shop.responses["list refunds"];
		shop.responses["list refunds"] = () => {
			// Stripe's next response is of a moment later
			shop.listRefunds({ status: "canceled" });
			return first?.() ?? Response.error();
		};
		expect(await record()).toBe(false);
		expect(shop.refunds()).toEqual([failedRow]);
		expect(shop.orders()).toEqual([{ ...order, status: "placed" }]);
	});

	test("adds up the refunds of all pages", async () => {
		shop.listRefunds(older);
		shop.responses["list more refunds"] = shop.responses["list refunds"];
		shop.responses["list refunds"] = success({
			object: "list",
			data: [{ id: "re_1", amount: 1, status: "succeeded" }],
			has_more: true,
		});
		expect(await record()).toBe(true);
	});

	test("updates only the id and the status of an existing row", async () => {
		storeRefund({ refund_id: "re_0", status: "failed", created: 1 });
		shop.listRefunds({});
		expect(await record()).toBe(true);
		const updated = { refund_id: "re_1", status: "succeeded", created: 1 };
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
		expect(await record()).toBe(true);
		shop.storeOrder({ user_id: null, guest_token_hash: "hash" });
		expect(await record()).toBe(true);
		expect(shop.notified).toEqual([]);
	});
});
