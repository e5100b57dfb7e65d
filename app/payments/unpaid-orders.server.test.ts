import { expect, test } from "vitest";
import { now, openShop, success, unpaid } from "../../tests/support/payments.ts";
import { pollInterval, pollUnpaidOrders } from "./unpaid-orders.server.ts";

test.each([
	["in the next run", 10, 240],
	["in the next run", 3000, 240],
	["when it is canceled, at the latest", 3500, 100],
	["in the run after a cancellation that failed at once", 3600, 240],
	["after the time since it should have been canceled", 3600 + 500, 500],
	["once a day at least", 30 * 24 * 3600, 24 * 3600],
])("a placed order is polled again %s, at the age of %i seconds", (_, age, interval) => {
	expect(pollInterval(age)).toBe(interval);
});

test("an order that is placed again just before its poll keeps its new times, and is not canceled for its age", async () => {
	const shop = openShop();
	shop.storeOrder();
	shop.storeOrder({ payment_intent_id: "pi_2", placed_at: now - 3600, due_at: now - 1 });
	shop.responses.retrieve = () => {
		shop.sqlite.exec(`update orders set placed_at = ${now}, due_at = ${now + 60} where payment_intent_id = 'pi_2'`);
		return success(unpaid)();
	};
	expect(await pollUnpaidOrders(shop.payments, now + 60)).toBe(1);
	expect(shop.orders()).toMatchObject([{ due_at: now + 240 }, { due_at: now + 60 }]);
	expect(shop.calls).toEqual(["retrieve"]);
});

test("an order is not polled after the end of the run", async () => {
	const shop = openShop();
	const order = shop.storeOrder();
	expect(await pollUnpaidOrders(shop.payments, now)).toBe(0);
	expect([shop.orders(), shop.calls]).toEqual([[order], []]);
});
