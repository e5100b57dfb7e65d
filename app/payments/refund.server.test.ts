import { beforeEach, describe, expect, test } from "vitest";
import { now, openShop, type Shop, succeeded, success } from "../../tests/support/payments.ts";
import { fulfillIntent } from "./fulfill.server.ts";
import { recordRefunds } from "./refund.server.ts";

const row = { id: "re_1", payment_intent_id: "pi_1", amount: 1196, status: "succeeded", created: now };
let shop: Shop;

beforeEach(() => {
	shop = openShop();
	shop.listRefunds();
});

const storeRefund = (refund: Partial<typeof row>) => shop.sqlite.insert("refunds", { ...row, ...refund });

describe("recordRefunds", () => {
	const record = () => recordRefunds(shop.payments, "pi_1");
	const logged = { level: "info", event: "refunded", payment_intent: "pi_1", refund: "re_1" };

	test.each(["placed", "refunded"])("changes nothing for a %s order of a payment without a refund", async (status) => {
		const order = shop.storeOrder({ status });
		await record();
		expect(shop.calls).toEqual(["list refunds"]);
		expect([shop.orders(), shop.refunds(), shop.logged]).toEqual([[order], [], []]);
	});

	test("records and logs a partial refund once, and keeps a paid order", async () => {
		const order = shop.storeOrder({ status: "paid" });
		shop.listRefunds({ amount: 1195 });
		for (const _ of [1, 2]) await record();
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
	])("records and logs each refund once, for %s of the full amount", async (_, refunds, statuses) => {
		const order = shop.storeOrder({ status: "paid" });
		const other = shop.storeOrder({ payment_intent_id: "pi_2" });
		shop.listRefunds(...refunds);
		for (const _ of [1, 2]) await record();
		expect(shop.refunds().map(({ status }) => status)).toEqual(statuses);
		expect(shop.orders()).toEqual([{ ...order, status: "refunded" }, other]);
		expect(shop.logged).toHaveLength(refunds.length);
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
				for (const _ of [1, 2]) await record();
				expect(shop.refunds()).toEqual([{ ...row, ...older }, { ...row, status: "failed" }, other[0]]);
				expect(shop.orders()).toEqual([{ ...order, status: "placed" }, other[1]]);
				expect(shop.logged).toContainEqual(failed);
				expect(shop.logged).toHaveLength(2);
			},
		);

		test("is recorded and logged once if it is new, and keeps a paid order", async () => {
			const order = shop.storeOrder({ status: "paid" });
			shop.listRefunds({ status });
			for (const _ of [1, 2]) await record();
			expect(shop.refunds()).toEqual([{ ...row, status: "failed" }]);
			expect([shop.orders(), shop.logged]).toEqual([[order], [failed]]);
		});

		test("keeps the order refunded after the operator has returned the money without Stripe", async () => {
			const order = shop.storeOrder({ status: "refunded" });
			storeRefund({ id: "manual-pi_1" });
			shop.listRefunds({ status });
			await record();
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
		shop.storeOrder();
		shop.listRefunds(older);
		shop.responses["list more refunds"] = shop.responses["list refunds"];
		shop.responses["list refunds"] = success({
			object: "list",
			data: [{ id: "re_1", amount: 1, status: "succeeded", created: now }],
			has_more: true,
		});
		await record();
		expect(shop.orders()).toMatchObject([{ status: "refunded" }]);
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
});

describe("fulfillIntent", () => {
	const charge = { id: "ch_1", object: "charge", refunded: true };
	const fulfill = async (refunds: boolean, latest_charge: object | null = null) =>
		fulfillIntent(shop.payments, await shop.intent({ ...succeeded, latest_charge }), refunds);

	test.each<[string, boolean, object | null]>([
		["is refunded in full", false, charge],
		["may be refunded", true, null],
	])("records the refunds of a payment that %s, and notifies its feed each time", async (_, refunds, latestCharge) => {
		shop.storeOrder({ status: "paid" });
		shop.listRefunds({});
		for (const _ of [1, 2]) expect(await fulfill(refunds, latestCharge)).toBe("refunded");
		expect([shop.refunds(), shop.notified]).toEqual([[row], ["ada", "ada"]]);
	});

	test("lists no refunds of another payment", async () => {
		shop.storeOrder();
		expect(await fulfill(false, { ...charge, refunded: false })).toBe("paid");
		expect(shop.calls).toEqual([]);
	});

	test("marks an order as paid again after its refund has failed", async () => {
		shop.storeOrder({ status: "refunded" });
		storeRefund({});
		shop.listRefunds({ status: "failed" });
		expect(await fulfill(true)).toBe("paid");
		expect(shop.notified).toEqual(["ada"]);
	});

	test.each<[string, object | null]>([
		["refunded", charge],
		["unmatched", null],
	])("returns %s for a payment without an order, as Stripe's charge is", async (outcome, latestCharge) => {
		shop.storeOrder({ payment_intent_id: "pi_0" });
		if (latestCharge) shop.listRefunds({});
		expect(await fulfill(false, latestCharge)).toBe(outcome);
		expect(shop.notified).toEqual([]);
	});

	test("notifies no feed of a refunded order of a guest", async () => {
		shop.storeOrder({ user_id: null, guest_token_hash: "hash" });
		shop.listRefunds({});
		expect(await fulfill(true)).toBe("refunded");
		expect(shop.notified).toEqual([]);
	});
});
