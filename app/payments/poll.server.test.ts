import { beforeEach, expect, test } from "vitest";
import { hashToken } from "#app/auth/sessions.server.ts";
import { readOrderPage } from "#app/orders/order-page.server.ts";
import { failure, now, openShop, type Shop, succeeded, success, unpaid } from "../../tests/support/payments.ts";
import { rateLimits, stripe } from "../../tests/support/unit-request.ts";
import { fulfill } from "./fulfill.server.ts";
import { completePage, pollPayment } from "./poll.server.ts";
import { sign } from "./shop-signature.server.ts";

const clientSecret = unpaid.client_secret;
const signed = { clientSecret, signature: sign(stripe, clientSecret, unpaid) };
let shop: Shop;
/** The keys that were counted by the rate limiter, and those that have exceeded the limit. */
let [counted, limited]: [string[], string[]] = [[], []];

beforeEach(() => {
	[counted, limited] = [[], []];
	shop = openShop({ rateLimits: rateLimits((key) => counted.push(key) > 0 && !limited.includes(key)) });
	shop.sqlite.insert("sessions", { id: hashToken("session"), user_id: "ada", expires_at: 4_000_000_000 });
});

/** Lists the orders. The order "pi_later", which is stored after the page was read, is listed only if the page is read
 *  again. */
async function list(services = shop.services) {
	const query = { sessionToken: "session", guestTokenHashes: ["hash"], before: null, now };
	const listed = await readOrderPage(shop.primary, query);
	shop.storeOrder({ payment_intent_id: "pi_later", status: "paid", created: now - 9999 });
	const { databases, waitUntil } = shop;
	return completePage({ services, databases, waitUntil }, listed, query, "192.0.2.1");
}

test("fulfill notifies the feed of an order that another request has marked as paid, which may have been interrupted", async () => {
	shop.storeOrder({ status: "paid" });
	shop.responses.retrieve = success(succeeded);
	expect(await fulfill(shop.payments, "pi_1")).toBe("paid");
	expect(shop.notified).toEqual(["ada"]);
});

test.each(["paid", "refunded"])(
	"a poll of an order that is %s notifies its feed and does not wait for Stripe",
	async (status) => {
		shop.storeOrder({ status });
		// it is sent at the same time as D1's query
		const retrieved = Promise.withResolvers<Response>();
		shop.responses.retrieve = () => retrieved.promise;
		expect(await pollPayment(shop.payments, signed)).toMatchObject({ result: status, order: { status } });
		expect([shop.notified, shop.calls]).toEqual([["ada"], ["retrieve"]]);
	},
);

test("a poll that may cancel the payment does not ask Stripe to cancel one that is paid", async () => {
	shop.storeOrder();
	shop.responses.retrieve = success(succeeded);
	expect(await pollPayment(shop.payments, { ...signed, signature: "", cancel: true })).toMatchObject({
		result: "paid",
	});
	expect(shop.calls).toEqual(["retrieve"]);
});

test("a poll of an order that D1 does not return rejects, whatever Stripe responds later", async () => {
	shop.failures.push("D1_ERROR: database is locked");
	await expect(pollPayment(shop.payments, signed)).rejects.toThrow("Failed query");
});

test("fulfill does not change the order of a payment that Stripe does not know", async () => {
	const order = shop.storeOrder();
	shop.responses.retrieve = failure(404, { code: "resource_missing" });
	expect(await fulfill(shop.payments, "pi_1")).toBe("unknown");
	expect(shop.orders()).toEqual([order]);
});

test("a poll of a payment that Stripe does not know returns null, and /orders reports it as being checked", async () => {
	shop.storeOrder();
	shop.responses.retrieve = failure(404, { code: "resource_missing" });
	expect(await pollPayment(shop.payments, signed)).toBeNull();
	expect(await list()).toMatchObject({ orders: [], waiting: "pi_1", checking: true });
});

test("a page without an unpaid order is returned without polling Stripe or notifying the feed", async () => {
	shop.storeOrder({ status: "paid" });
	expect(await list()).toMatchObject({ orders: [{ id: "pi_1" }], checking: false });
	expect([counted, shop.calls, shop.notified]).toEqual([[], [], []]);
});

test.each([
	["order", ["pi_1"]],
	["address", ["pi_1", "from 192.0.2.1"]],
])("a page is checking its unpaid order if the %s is rate limited", async (_, keys) => {
	shop.storeOrder();
	limited = keys.slice(-1);
	expect(await list()).toMatchObject({ orders: [], checking: true });
	expect([counted, shop.calls]).toEqual([keys, []]);
});

test("a page is read again after its unpaid order was fulfilled", async () => {
	shop.storeOrder();
	shop.responses.retrieve = success(succeeded);
	const orders = [{ id: "pi_1", status: "paid" }, { id: "pi_later" }];
	expect(await list()).toMatchObject({ orders, waiting: null, checking: false });
	expect(counted).toEqual(["pi_1", "from 192.0.2.1"]);
});

test.each(["succeeded", "pending"])("a page is read again after a refund that is %s", async (status) => {
	shop.storeOrder();
	shop.responses.retrieve = success({ ...succeeded, latest_charge: { object: "charge", refunded: true } });
	shop.listRefunds({ status });
	const orders = [{ id: "pi_1", status: "refunded" }, { id: "pi_later" }];
	expect(await list()).toMatchObject({ orders, checking: false });
});

test.each([
	["is being processed", true, { ...succeeded, status: "processing" }],
	["has another amount", true, { ...succeeded, amount_received: 1195 }],
	["is not paid yet", false, unpaid],
	["is canceled", false, { ...unpaid, status: "canceled" }],
])("a page whose payment %s is not read again, and checking is %s", async (_, checking, intent) => {
	shop.storeOrder();
	shop.responses.retrieve = success(intent);
	expect(await list()).toMatchObject({ orders: [], waiting: "pi_1", checking });
});

test("a page is checking its unpaid order if Stripe is not configured, which is logged", async () => {
	shop.storeOrder();
	const services = { ...shop.services, stripe: { missing: ["STRIPE_SECRET_KEY"] } };
	expect(await list(services)).toMatchObject({ orders: [], checking: true });
	expect(shop.logged).toMatchObject([{ level: "error", event: "unavailable" }]);
});
