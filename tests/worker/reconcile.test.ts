import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { openShop, type Shop } from "../support/shop.ts";
import { idOf, itemsOf, orderOf, Shopper } from "../support/shopper.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
	await nobodyTells();
});
afterEach(async () => {
	await shop.control({ control: "calm" });
	await nobodyTells();
});
afterAll(() => shop?.close());

const speaker = "23445930";
const book = "12321341";
const nobodyTells = () => shop.control({ control: "webhooks", mode: "drop" });
const reconcile = () => shop.control({ control: "reconcile" });
const advance = (seconds: number) => shop.control({ control: "clock", advance: seconds });
const statusOf = async (clientSecret: string) => (await orderOf(shop, clientSecret))?.["status"];
const refundOf = (clientSecret: string) =>
	shop.d1.prepare("select * from refunds where payment_intent_id = ?").bind(idOf(clientSecret)).first();
const refundsAt = async (clientSecret: string) =>
	(await shop.stripe.refunds.list({ payment_intent: idOf(clientSecret) })).data;

/** Loses an order, as a crash or a restored database would. */
async function lose(clientSecret: string): Promise<void> {
	const id = idOf(clientSecret);
	await shop.d1.batch(
		["order_items", "orders"].map((table) =>
			shop.d1.prepare(`delete from ${table} where payment_intent_id = ?`).bind(id),
		),
	);
}

/** A payment of ours that no order was ever placed for. */
async function payForNothing(cents = 500): Promise<string> {
	const shopper = new Shopper(shop);
	const clientSecret = await shopper.create(cents);
	await shopper.confirm(clientSecret);
	return clientSecret;
}

test("a payment that nobody told of is found by its event", async () => {
	const clientSecret = await new Shopper(shop).pay([speaker]);
	await reconcile();
	expect(await statusOf(clientSecret)).toBe("paid");
});

test("where the event is missing too, a placed order is asked about after a minute", async () => {
	const shopper = new Shopper(shop);
	const clientSecret = await shopper.pay([speaker]);
	// beyond the 30 days for which Stripe lists events
	await advance(31 * 86_400);
	await reconcile();
	expect(await statusOf(clientSecret)).toBe("paid");
});

test("an order lost after it was paid is rebuilt from its payment, item by item, at the prices of then", async () => {
	const shopper = new Shopper(shop);
	await shopper.createAccount();
	const clientSecret = await shopper.pay([speaker, book, speaker]);
	await lose(clientSecret);
	await shop.d1.prepare("update products set price_cents = price_cents + 100").run();
	try {
		await advance(181);
		await reconcile();
	} finally {
		await shop.d1.prepare("update products set price_cents = price_cents - 100").run();
	}
	expect(await orderOf(shop, clientSecret)).toMatchObject({
		status: "paid",
		amount: 9899 + 1196 + 9899,
		user_id: await shopper.customer(),
	});
	expect(await itemsOf(shop, clientSecret)).toEqual([
		{ product_id: speaker, price_cents: 9899 },
		{ product_id: speaker, price_cents: 9899 },
		{ product_id: book, price_cents: 1196 },
	]);
	expect(await shopper.page("/orders")).toContain("Smart speaker");
	expect(await refundsAt(clientSecret)).toEqual([]);
});

test("a guest's order is rebuilt for the guest, who can still claim it", async () => {
	const shopper = new Shopper(shop);
	const clientSecret = await shopper.pay([book]);
	await lose(clientSecret);
	await advance(181);
	await reconcile();
	expect(await orderOf(shop, clientSecret)).toMatchObject({ status: "paid", user_id: null });
	await shopper.createAccount();
	expect(await shopper.page("/orders")).toContain("The Steady Business");
});

test("an order whose account is lost as well is rebuilt without an owner, and logged", async () => {
	const shopper = new Shopper(shop);
	await shopper.createAccount();
	const clientSecret = await shopper.pay([book]);
	await lose(clientSecret);
	await shop.d1
		.prepare("delete from sessions where user_id = ?")
		.bind(await shopper.customer())
		.run();
	await shop.d1.prepare("delete from users where email = ?").bind(shopper.email).run();
	await advance(181);
	await reconcile();
	expect(await orderOf(shop, clientSecret)).toMatchObject({ status: "paid", user_id: null, guest_token_hash: null });
	expect(shop.logs()).toContain(`"event":"order_without_owner","payment_intent":"${idOf(clientSecret)}"`);
});

test("money without an order is given back, once, after three minutes and not before", async () => {
	const clientSecret = await payForNothing();
	await advance(170);
	await reconcile();
	expect(await refundOf(clientSecret)).toBeNull();
	await advance(20);
	await Promise.all([reconcile(), reconcile(), reconcile()]);
	expect(await refundOf(clientSecret)).toMatchObject({ reason: "orphan", status: "succeeded" });
	expect(await refundsAt(clientSecret)).toMatchObject([{ amount: 500, status: "succeeded" }]);
	await reconcile();
	expect(await refundsAt(clientSecret)).toHaveLength(1);
	expect(await (await new Shopper(shop).settle(clientSecret)).json()).toEqual({ status: "refunded" });
});

test("money whose place is merely late becomes an order and is not given back", async () => {
	const shopper = new Shopper(shop);
	const clientSecret = await shopper.pay([speaker]);
	const saved = await orderOf(shop, clientSecret);
	const items = await shop.d1
		.prepare("select * from order_items where payment_intent_id = ?")
		.bind(idOf(clientSecret))
		.all();
	await lose(clientSecret);
	await advance(120);
	await reconcile();
	expect(await refundOf(clientSecret)).toBeNull();
	for (const [table, row] of [
		["orders", saved],
		["order_items", items.results[0]],
	] as const) {
		const columns = Object.entries(row ?? {});
		const names = columns.map(([name]) => name).join(", ");
		const marks = columns.map(() => "?").join(", ");
		const values = columns.map(([, value]) => value);
		await shop.d1
			.prepare(`insert into ${table} (${names}) values (${marks})`)
			.bind(...values)
			.run();
	}
	await advance(120);
	await reconcile();
	expect(await statusOf(clientSecret)).toBe("paid");
	expect(await refundsAt(clientSecret)).toEqual([]);
});

test("money at another amount than its order is given back, and the order never paid", async () => {
	const clientSecret = await new Shopper(shop).pay([book]);
	await shop.d1.prepare("update orders set amount = 109498 where payment_intent_id = ?").bind(idOf(clientSecret)).run();
	await advance(181);
	await reconcile();
	expect(await statusOf(clientSecret)).toBe("refunded");
	expect(await refundsAt(clientSecret)).toMatchObject([{ amount: 1196 }]);
});

test("five payments without an order at once are suspicious: none is given back, every run says so", async () => {
	const secrets = await Promise.all(Array.from({ length: 5 }, () => payForNothing()));
	await advance(3600);
	await reconcile();
	await reconcile();
	for (const clientSecret of secrets) expect(await refundsAt(clientSecret)).toEqual([]);
	expect(shop.logs().match(/"event":"orphans_suspicious"/g)).toHaveLength(2);
	// somebody has looked at it, and given two back by hand
	for (const clientSecret of secrets.slice(0, 2)) {
		await shop.stripe.refunds.create({ payment_intent: idOf(clientSecret) });
	}
	await reconcile();
	await reconcile();
	for (const clientSecret of secrets) expect(await refundsAt(clientSecret)).toHaveLength(1);
});

test("after a database restored to an hour ago every order is rebuilt and nothing given back", async () => {
	await advance(3600);
	await reconcile();
	const cursor = await shop.d1.prepare("select event_id from reconcile_cursor").first("event_id");
	const shoppers = Array.from({ length: 6 }, () => new Shopper(shop));
	const secrets = await Promise.all(shoppers.map((shopper) => shopper.pay([book])));
	await advance(3600);
	await reconcile();
	for (const clientSecret of secrets) await lose(clientSecret);
	await shop.d1.prepare("update reconcile_cursor set event_id = ?").bind(cursor).run();
	await reconcile();
	for (const clientSecret of secrets) {
		expect(await statusOf(clientSecret)).toBe("paid");
		expect(await refundsAt(clientSecret)).toEqual([]);
	}
});

test("an order unpaid for a day is cancelled at Stripe and then abandoned", async () => {
	const shopper = new Shopper(shop);
	const clientSecret = await shopper.placeOrder([speaker]);
	await advance(86_401);
	await shop.control({ control: "fail", endpoint: "payment_intents.cancel", fault: "500", when: "before", times: 2 });
	await expect(reconcile()).rejects.toThrow();
	expect(await statusOf(clientSecret)).toBe("placed");
	await advance(61);
	await reconcile();
	expect(await statusOf(clientSecret)).toBe("abandoned");
	expect(await shop.stripe.paymentIntents.retrieve(idOf(clientSecret))).toMatchObject({ status: "canceled" });
	expect((await shopper.place(clientSecret, [speaker])).status).toBe(409);
});

test("a day-old order whose shopper pays at that very moment is paid", async () => {
	const shopper = new Shopper(shop);
	const clientSecret = await shopper.placeOrder([speaker]);
	await advance(86_401);
	await shopper.confirm(clientSecret);
	await reconcile();
	expect(await statusOf(clientSecret)).toBe("paid");
});

test("an order whose payment Stripe has never heard of is abandoned after a day", async () => {
	const clientSecret = await new Shopper(shop).placeOrder([speaker]);
	await shop.d1.batch([
		shop.d1.prepare("pragma defer_foreign_keys = on"),
		shop.d1
			.prepare("update orders set payment_intent_id = 'pi_gone' where payment_intent_id = ?")
			.bind(idOf(clientSecret)),
		shop.d1
			.prepare("update order_items set payment_intent_id = 'pi_gone' where payment_intent_id = ?")
			.bind(idOf(clientSecret)),
	]);
	await advance(86_401);
	await reconcile();
	expect(await shop.d1.prepare("select status from orders where payment_intent_id = 'pi_gone'").first("status")).toBe(
		"abandoned",
	);
});

test("a payment that is processing for a day is neither cancelled nor given up", async () => {
	await shop.control({ control: "processing", seconds: 200_000 });
	const clientSecret = await new Shopper(shop).pay([speaker]);
	await advance(86_401);
	await reconcile();
	expect(await statusOf(clientSecret)).toBe("placed");
	await advance(200_000);
	await reconcile();
	expect(await statusOf(clientSecret)).toBe("paid");
});

test.each(["webhook", "reconcile"])("a refund made at Stripe makes the order refunded, heard of by %s", async (by) => {
	const shopper = new Shopper(shop);
	const clientSecret = await shopper.pay([speaker]);
	await shopper.settle(clientSecret);
	if (by === "webhook") await shop.control({ control: "webhooks", mode: "before_response" });
	await shop.stripe.refunds.create({ payment_intent: idOf(clientSecret) });
	if (by === "reconcile") await reconcile();
	expect(await statusOf(clientSecret)).toBe("refunded");
	expect(await refundOf(clientSecret)).toMatchObject({ reason: "requested", status: "succeeded" });
	expect(await (await shopper.settle(clientSecret)).json()).toEqual({ status: "refunded" });
});

test("a refund of a part leaves the order paid, and is logged", async () => {
	const shopper = new Shopper(shop);
	const clientSecret = await shopper.pay([speaker]);
	await shopper.settle(clientSecret);
	await shop.stripe.refunds.create({ payment_intent: idOf(clientSecret), amount: 100 });
	await reconcile();
	expect(await statusOf(clientSecret)).toBe("paid");
	expect(shop.logs()).toContain(`"event":"partial_refund","payment_intent":"${idOf(clientSecret)}"`);
	await shop.stripe.refunds.create({ payment_intent: idOf(clientSecret) });
	await reconcile();
	expect(await statusOf(clientSecret)).toBe("refunded");
});

test("a refund that comes back is logged and marked as failed; one that is pending arrives", async () => {
	const shopper = new Shopper(shop);
	const fails = await shopper.pay([speaker], "pm_card_refundFail");
	const pending = await shopper.pay([speaker], "pm_card_pendingRefund");
	for (const clientSecret of [fails, pending]) {
		await shopper.settle(clientSecret);
		await shop.stripe.refunds.create({ payment_intent: idOf(clientSecret) });
	}
	await reconcile();
	expect(await refundOf(fails)).toMatchObject({ status: "succeeded" });
	expect(await refundOf(pending)).toMatchObject({ status: "pending" });
	await advance(61);
	await reconcile();
	expect(await refundOf(fails)).toMatchObject({ status: "failed" });
	expect(await refundOf(pending)).toMatchObject({ status: "succeeded" });
	expect(await statusOf(fails)).toBe("refunded");
	expect(shop.logs()).toContain(`"event":"refund_failed","payment_intent":"${idOf(fails)}"`);
});

test("a refund whose answer is lost is not made twice", async () => {
	const clientSecret = await payForNothing();
	await advance(181);
	await shop.control({ control: "fail", endpoint: "refunds.create", fault: "500", when: "after", times: 1 });
	await reconcile();
	await reconcile();
	expect(await refundOf(clientSecret)).toMatchObject({ status: "succeeded" });
	expect(await refundsAt(clientSecret)).toHaveLength(1);
});

test("a refund that Stripe does not make is tried again by the next run, under another key", async () => {
	const clientSecret = await payForNothing();
	await advance(181);
	await shop.control({ control: "fail", endpoint: "refunds.create", fault: "500", when: "before", times: 2 });
	await reconcile();
	expect(await refundOf(clientSecret)).toMatchObject({ status: "pending", refund_id: null, attempts: 1 });
	expect(shop.logs()).toContain(`"event":"refund_not_made","payment_intent":"${idOf(clientSecret)}"`);
	await reconcile();
	expect(await refundOf(clientSecret)).toMatchObject({ status: "succeeded", attempts: 2 });
});

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
	"a run killed after its outside call %i leaves nothing that the next one cannot finish",
	async (call) => {
		const shopper = new Shopper(shop);
		const unheard = await shopper.pay([speaker]);
		const lost = await shopper.pay([book]);
		await lose(lost);
		const orphan = await payForNothing();
		await advance(181);
		await shop.control({ control: "shop_fault", path: "cron", outside: "any", call, fault: "crash" });
		await expect(reconcile()).rejects.toThrow();
		await reconcile();
		expect(await statusOf(unheard)).toBe("paid");
		expect(await statusOf(lost)).toBe("paid");
		expect(await refundsAt(orphan)).toHaveLength(1);
		expect(await refundOf(orphan)).toMatchObject({ status: "succeeded" });
	},
);

test("the cursor stands at the last event that is too old for a late one to come in before it", async () => {
	await new Shopper(shop).pay([speaker]);
	await reconcile();
	const before = await shop.d1.prepare("select event_id from reconcile_cursor").first("event_id");
	await advance(601);
	await reconcile();
	const after = await shop.d1.prepare("select event_id from reconcile_cursor").first("event_id");
	expect(after).not.toBe(before);
	expect(await shop.stripe.events.retrieve(String(after))).toMatchObject({ type: "payment_intent.succeeded" });
});
