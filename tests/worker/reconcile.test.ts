import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { book, speaker } from "../support/catalogue.ts";
import {
	Customer,
	idOf,
	loseOrder,
	orderOf,
	payWithoutOrder,
	refundOf,
	refundsAt,
	statusOf,
} from "../support/customer.ts";
import { openShop, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
	await shop.disableWebhooks();
});
afterEach(async () => {
	await shop.control({ control: "calm" });
	await shop.disableWebhooks();
});
afterAll(() => shop?.close());

const prepare = (query: string) => shop.d1.prepare(query);

/** Returns the endpoints of the shop's Stripe calls about a payment, oldest first. */
async function callsAbout(id: string): Promise<(string | null)[]> {
	const { journal } = await shop.emulator();
	const calls = journal.filter(
		({ path, caller, params }) => caller === "server" && JSON.stringify([path, params]).includes(id),
	);
	return calls.map(({ endpoint }) => endpoint).toReversed();
}

/** Creates a succeeded payment of another shop that uses the same Stripe account. */
function payForeign() {
	const metadata = { shop: "another-shop" };
	const card = { confirm: true, payment_method: "pm_card_visa", allowed_payment_method_types: ["card"] };
	return shop.stripe.paymentIntents.create({ amount: book.priceCents, currency: "usd", metadata, ...card });
}

test("a guest's lost order is rebuilt for the guest, who can still claim it", async () => {
	const shopper = new Customer(shop);
	const clientSecret = await shopper.pay([book.id]);
	await loseOrder(shop, clientSecret);
	await shop.advance(181);
	await shop.reconcile();
	expect(await orderOf(shop, clientSecret)).toMatchObject({ status: "paid", user_id: null });
	await shopper.createAccount();
	expect(await shopper.page("/orders")).toContain("The Steady Business");
});

test("a lost order of a deleted account is rebuilt without an owner and logged", async () => {
	const shopper = new Customer(shop);
	await shopper.createAccount();
	const clientSecret = await shopper.pay([book.id]);
	await loseOrder(shop, clientSecret);
	await shop.d1
		.prepare("delete from sessions where user_id = ?")
		.bind(await shopper.userId())
		.run();
	await shop.d1.prepare("delete from users where email = ?").bind(shopper.email).run();
	await shop.advance(181);
	await shop.reconcile();
	expect(await orderOf(shop, clientSecret)).toMatchObject({ status: "paid", user_id: null, guest_token_hash: null });
	expect(shop.logs()).toContain(`"event":"order_without_owner","payment_intent":"${idOf(clientSecret)}"`);
});

test("an order with a changed amount is rebuilt at the amount paid", async () => {
	const clientSecret = await new Customer(shop).pay([book.id]);
	await shop.d1.prepare("update orders set amount = 109498 where payment_intent_id = ?").bind(idOf(clientSecret)).run();
	await shop.reconcile();
	expect(await orderOf(shop, clientSecret)).toMatchObject({ status: "paid", amount: book.priceCents });
	expect(await refundsAt(shop, clientSecret)).toEqual([]);
});

test("an order with a changed amount and no items in its payment's metadata is logged, but not paid or refunded", async () => {
	const clientSecret = await new Customer(shop).pay([book.id]);
	await shop.d1.prepare("update orders set amount = 109498 where payment_intent_id = ?").bind(idOf(clientSecret)).run();
	await shop.stripe.paymentIntents.update(idOf(clientSecret), { metadata: { items: "" } });
	await shop.advance(181);
	await shop.reconcile();
	expect(await statusOf(shop, clientSecret)).toBe("placed");
	expect(await refundsAt(shop, clientSecret)).toEqual([]);
	expect(shop.logs()).toContain(`"event":"payment_undecided","payment_intent":"${idOf(clientSecret)}"`);
	// an operator corrects the amount
	await shop.advance(300);
	await shop.d1
		.prepare("update orders set amount = ? where payment_intent_id = ?")
		.bind(book.priceCents, idOf(clientSecret))
		.run();
	await shop.reconcile();
	expect(await statusOf(shop, clientSecret)).toBe("paid");
});

test("an order whose payment does not exist at Stripe is abandoned after an hour", async () => {
	const clientSecret = await new Customer(shop).placeOrder([speaker.id]);
	await shop.d1.batch([
		shop.d1.prepare("pragma defer_foreign_keys = on"),
		shop.d1
			.prepare("update orders set payment_intent_id = 'pi_gone' where payment_intent_id = ?")
			.bind(idOf(clientSecret)),
		shop.d1
			.prepare("update order_items set payment_intent_id = 'pi_gone' where payment_intent_id = ?")
			.bind(idOf(clientSecret)),
	]);
	await shop.advance(3601);
	await shop.reconcile();
	expect(await shop.d1.prepare("select status from orders where payment_intent_id = 'pi_gone'").first("status")).toBe(
		"abandoned",
	);
});

test("a payment in processing for more than a day is not canceled, and its order is marked as paid", async () => {
	await shop.control({ control: "processing", seconds: 200_000 });
	const clientSecret = await new Customer(shop).pay([speaker.id]);
	await shop.advance(86_401);
	await shop.reconcile();
	expect(await statusOf(shop, clientSecret)).toBe("placed");
	await shop.advance(200_000);
	await shop.reconcile();
	expect(await statusOf(shop, clientSecret)).toBe("paid");
});

test("a partial refund leaves the order paid, and a refund of the rest marks it as refunded", async () => {
	const shopper = new Customer(shop);
	const clientSecret = await shopper.pay([speaker.id]);
	await shopper.fulfill(clientSecret);
	await shop.stripe.refunds.create({ payment_intent: idOf(clientSecret), amount: 100 });
	await shop.reconcile();
	expect(await statusOf(shop, clientSecret)).toBe("paid");
	await shop.stripe.refunds.create({ payment_intent: idOf(clientSecret) });
	await shop.reconcile();
	expect(await statusOf(shop, clientSecret)).toBe("refunded");
});

test("a refund whose response is lost is not repeated", async () => {
	const clientSecret = await payWithoutOrder(shop);
	await shop.advance(181);
	await shop.control({ control: "fail", endpoint: "refunds.create", fault: "500", when: "after", times: 1 });
	await shop.reconcile();
	await shop.reconcile();
	expect(await refundOf(shop, clientSecret)).toMatchObject({ status: "succeeded" });
	expect(await refundsAt(shop, clientSecret)).toHaveLength(1);
});

test("the next run retries a refund that Stripe failed to create", async () => {
	const clientSecret = await payWithoutOrder(shop);
	await shop.advance(181);
	await shop.control({ control: "fail", endpoint: "refunds.create", fault: "500", when: "before", times: 2 });
	await shop.reconcile();
	expect(await refundOf(shop, clientSecret)).toMatchObject({ status: "pending", refund_id: null, attempts: 1 });
	expect(shop.logs()).toContain(`"event":"not_reconciled","payment_intent":"${idOf(clientSecret)}"`);
	await shop.reconcile();
	expect(await refundOf(shop, clientSecret)).toMatchObject({ status: "succeeded", attempts: 2 });
});

test("a payment is refunded exactly once even if a D1 call of the first run fails", async () => {
	for (let call = 1; call <= 11; call++) {
		const clientSecret = await payWithoutOrder(shop);
		// old enough for the cursor to advance past it
		await shop.advance(601);
		await shop.control({ control: "shop_fault", path: "cron", service: "d1", call, fault: "before" });
		await shop.reconcile().catch(() => undefined);
		await shop.control({ control: "calm" });
		await shop.reconcile();
		expect(await refundsAt(shop, clientSecret), `call ${call}`).toMatchObject([{ status: "succeeded" }]);
	}
});

test("if handling an event fails, other events are not delayed, and the next run handles the event", async () => {
	// moves the cursor past everything except the next two payments
	await shop.advance(601);
	await shop.reconcile();
	const [first, second] = [await payWithoutOrder(shop), await new Customer(shop).pay([book.id])];
	await shop.advance(601);
	await shop.control({ control: "fail", endpoint: "payment_intents.retrieve", fault: "500", when: "before", times: 2 });
	await shop.reconcile();
	expect(await refundsAt(shop, first)).toEqual([]);
	expect(await statusOf(shop, second)).toBe("paid");
	await shop.advance(300);
	await shop.reconcile();
	expect(await refundsAt(shop, first)).toMatchObject([{ status: "succeeded" }]);
});

test("the cursor advances to an event once the event is ten minutes old", async () => {
	await new Customer(shop).pay([speaker.id]);
	await shop.reconcile();
	const before = await shop.d1.prepare("select event_id from reconcile_cursor").first("event_id");
	await shop.advance(601);
	await shop.reconcile();
	const after = await shop.d1.prepare("select event_id from reconcile_cursor").first("event_id");
	expect(after).not.toBe(before);
	expect(await shop.stripe.events.retrieve(String(after))).toMatchObject({ type: "payment_intent.succeeded" });
});

test("every run that is interrupted resolves at least one more payment", async () => {
	const secrets: string[] = [];
	for (let count = 0; count < 14; count++) secrets.push(await new Customer(shop).pay([book.id]));
	for (const clientSecret of secrets) await loseOrder(shop, clientSecret);
	await shop.advance(601);
	const countPaid = async () =>
		(await Promise.all(secrets.map((secret) => statusOf(shop, secret)))).filter((status) => status === "paid").length;
	for (let run = 1; run <= secrets.length; run++) {
		await shop.control({ control: "shop_fault", path: "cron", service: "any", call: 25, fault: "crash" });
		await shop.reconcile().catch(() => undefined);
		expect(await countPaid()).toBeGreaterThanOrEqual(run);
		await shop.advance(300);
	}
});

test("a run whose D1 calls are refused from some call on logs that it is not finished, and the next run continues", async () => {
	await shop.advance(601);
	await shop.reconcile();
	const secrets: string[] = [];
	for (let count = 0; count < 3; count++) secrets.push(await new Customer(shop).pay([book.id]));
	const before = shop.logs().length;
	await shop.control({ control: "shop_fault", path: "cron", service: "d1", call: 9, fault: "crash" });
	await expect(shop.reconcile()).rejects.toThrow();
	expect(shop.logs().slice(before)).toMatch(/"event":"reconciled",.*"finished":false/);
	await shop.control({ control: "calm" });
	await shop.reconcile();
	for (const clientSecret of secrets) expect(await statusOf(shop, clientSecret)).toBe("paid");
});

test("four payments without orders do not prevent later events from being read", async () => {
	const secrets = await Promise.all(Array.from({ length: 4 }, () => payWithoutOrder(shop)));
	// creates two events per payment
	await shop.control({ control: "webhooks", mode: "drop", twins: true });
	for (let count = 0; count < 10; count++) await Promise.all(Array.from({ length: 50 }, payForeign));
	const lost = await new Customer(shop).pay([book.id]);
	await loseOrder(shop, lost);
	await shop.advance(601);
	for (const _ of ["lists", "resolves"]) await shop.reconcile();
	expect(await statusOf(shop, lost)).toBe("paid");
	for (const clientSecret of secrets) expect(await refundsAt(shop, clientSecret)).toHaveLength(1);
});

test("fifty refunds that always fail do not delay another refund", async () => {
	const pending = shop.d1.prepare(
		"insert into refunds (payment_intent_id, reason, status, attempts, created) values (?, 'orphan', 'pending', 0, 0)",
	);
	const failing = await Promise.all(Array.from({ length: 50 }, () => new Customer(shop).create(book.priceCents)));
	await shop.d1.batch(failing.map((clientSecret) => pending.bind(idOf(clientSecret))));
	const clientSecret = await payWithoutOrder(shop);
	await pending.bind(idOf(clientSecret)).run();
	await shop.reconcile();
	expect(await refundsAt(shop, clientSecret)).toMatchObject([{ status: "succeeded" }]);
	await shop.d1.prepare("delete from refunds where status = 'pending'").run();
});

test("a refund event of another shop causes no Stripe call", async () => {
	const intent = await payForeign();
	await shop.stripe.refunds.create({ payment_intent: intent.id });
	const calls = await callsAbout(intent.id);
	await shop.reconcile();
	expect(await callsAbout(intent.id)).toEqual(calls);
});

test("a recorded refund causes no further Stripe call once its events are ten minutes old", async () => {
	const shopper = new Customer(shop);
	const clientSecret = await shopper.pay([book.id]);
	await shopper.fulfill(clientSecret);
	await shop.stripe.refunds.create({ payment_intent: idOf(clientSecret) });
	await shop.reconcile();
	expect(await statusOf(shop, clientSecret)).toBe("refunded");
	await shop.advance(601);
	// also moves the cursor past the events
	await shop.reconcile();
	const calls = await callsAbout(idOf(clientSecret));
	await shop.reconcile();
	expect(await callsAbout(idOf(clientSecret))).toEqual(calls);
});

test("an abandoned order that still has items is deleted with them", async () => {
	const clientSecret = await new Customer(shop).placeOrder([book.id]);
	await shop.d1
		.prepare("update orders set status = 'abandoned', due_at = 0 where payment_intent_id = ?")
		.bind(idOf(clientSecret))
		.run();
	await shop.reconcile();
	expect(await orderOf(shop, clientSecret)).toBeNull();
});

test("an order that stays unpaid is polled twice and then canceled", async () => {
	const clientSecret = await new Customer(shop).placeOrder([book.id]);
	const before = (await callsAbout(idOf(clientSecret))).length;
	for (let minutes = 0; minutes < 70; minutes += 5) {
		await shop.advance(300);
		await shop.reconcile();
	}
	expect(await statusOf(shop, clientSecret)).toBe("abandoned");
	expect((await callsAbout(idOf(clientSecret))).slice(before)).toEqual([
		...["payment_intents.retrieve", "payment_intents.retrieve", "payment_intents.cancel"],
	]);
});

test("reconcile updates the owner in the payment's metadata after a claim", async () => {
	const shopper = new Customer(shop);
	const clientSecret = await shopper.pay([book.id]);
	await shopper.fulfill(clientSecret);
	await shopper.createAccount();
	await shop.reconcile();
	const { metadata } = await shop.stripe.paymentIntents.retrieve(idOf(clientSecret));
	expect(metadata["user_id"]).toBe(await shopper.userId());
	expect(metadata["guest_token_hash"]).toBeUndefined();
});

test("a cursor that expires after 30 days without events is not logged as lost, and later events are read", async () => {
	await shop.advance(31 * 86_400);
	const logged = shop.logs().length;
	await shop.reconcile();
	await shop.reconcile();
	expect(shop.logs().slice(logged)).not.toContain("cursor_lost");
	const clientSecret = await new Customer(shop).pay([book.id]);
	await shop.reconcile();
	expect(await statusOf(shop, clientSecret)).toBe("paid");
});

test("a recent cursor that Stripe does not list is logged as lost", async () => {
	await new Customer(shop).pay([book.id]);
	await shop.advance(601);
	await shop.reconcile();
	await shop.d1.prepare("update reconcile_cursor set event_id = 'evt_of_another_account'").run();
	await shop.reconcile();
	expect(shop.logs()).toContain('"event":"cursor_lost","stripe_event":"evt_of_another_account"');
});

test("without a cursor, all events are read page by page, even if a run is interrupted", async () => {
	const [oldest] = [await new Customer(shop).pay([book.id])];
	// creates two events per payment; a page holds 100 events
	await shop.control({ control: "webhooks", mode: "drop", twins: true });
	for (let count = 0; count < 60; count++) await payForeign();
	await shop.d1.batch(["delete from reconcile_cursor", "delete from order_items", "delete from orders"].map(prepare));
	await shop.advance(601);
	await shop.control({ control: "shop_fault", path: "cron", service: "stripe", call: 2, fault: "crash" });
	await shop.reconcile().catch(() => undefined);
	await shop.reconcile();
	expect(await statusOf(shop, oldest)).toBe("paid");
});

test("payments without orders are canceled after a day, in hourly batches", async () => {
	const shopper = new Customer(shop);
	const untilNextHour = 3600 - ((await shop.emulator()).now % 3600);
	await shop.advance(untilNextHour);
	const forgotten = [await shopper.create(book.priceCents), await shopper.create(speaker.priceCents)];
	const foreign = await shop.stripe.paymentIntents.create({
		amount: book.priceCents,
		currency: "usd",
		metadata: { shop: "other" },
	});
	const paid = await new Customer(shop).pay([book.id]);
	await shop.advance(24 * 3600 - 600);
	const young = await shopper.create(book.priceCents);
	const statuses = () =>
		Promise.all(
			[...forgotten.map(idOf), foreign.id, idOf(paid), idOf(young)].map(
				async (id) => (await shop.stripe.paymentIntents.retrieve(id)).status,
			),
		);
	const waiting = "requires_payment_method";
	await shop.reconcile();
	expect(await statuses()).toEqual([waiting, waiting, waiting, "succeeded", waiting]);
	await shop.advance(660);
	await shop.reconcile();
	expect(await statuses()).toEqual(["canceled", "canceled", waiting, "succeeded", waiting]);
	// a tab that is still open can create another payment
	expect((await shopper.requestIntent(book.priceCents, forgotten[0])).status).toBe(200);
});
