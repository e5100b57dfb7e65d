import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { book } from "../support/catalogue.ts";
import { Customer } from "../support/customer.ts";
import { openShop, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop?.close());
afterEach(() => shop.control({ control: "calm" }));

/** Creates an intent with a placed, unpaid order. Returns the intent's id. */
async function placed(): Promise<string> {
	const visitor = new Customer(shop);
	const created = await visitor.fetch(`/payments/create?total=${book.priceCents}`, { method: "POST" });
	const { clientSecret } = await created.json<{ clientSecret: string }>();
	const order = { clientSecret, productIds: [book.id], customer: null };
	expect((await visitor.postJson("/payments/place", order)).status).toBe(200);
	return clientSecret.replace(/_secret_.*/, "");
}

const pay = (id: string) => shop.stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });

const orderOf = async (id: string) =>
	(await shop.d1.prepare("select status from orders where payment_intent_id = ?").bind(id).first())?.["status"];

/** Returns the deliveries of an intent's events, oldest first. */
async function deliveriesOf(id: string) {
	const { events } = await shop.emulator();
	return events
		.filter(({ event }) => "id" in event.data.object && event.data.object.id === id)
		.toReversed()
		.map(({ event, delivery }) => ({ type: event.type, ...delivery }));
}

/** Returns the delivery of an intent's succeeded event. */
async function paidDelivery(id: string) {
	return (await deliveriesOf(id)).find(({ type }) => type === "payment_intent.succeeded");
}

test("events are delivered automatically", async () => {
	const id = await placed();
	await pay(id);
	await expect.poll(() => orderOf(id), { timeout: 10_000 }).toBe("paid");
	await expect
		.poll(() => deliveriesOf(id), { timeout: 10_000 })
		.toMatchObject([
			{ type: "payment_intent.created", state: "succeeded", attempts: 1, answer: "200", next_attempt: null },
			{ type: "payment_intent.succeeded", state: "succeeded", attempts: 1, answer: "200", next_attempt: null },
		]);
});

test("before_response delivers the event before the payment's response", async () => {
	const id = await placed();
	await shop.control({ control: "webhooks", mode: "before_response" });
	expect(await pay(id)).toMatchObject({ status: "succeeded" });
	expect(await orderOf(id)).toBe("paid");
	expect(await paidDelivery(id)).toMatchObject({ state: "succeeded", answer: "200" });
});

test("before_response delivers the event before a decline's response", async () => {
	const id = await placed();
	await shop.control({ control: "webhooks", mode: "before_response" });
	const payment_method = "pm_card_visa_chargeDeclined";
	await expect(shop.stripe.paymentIntents.confirm(id, { payment_method })).rejects.toMatchObject({ statusCode: 402 });
	const failed = (await deliveriesOf(id)).find(({ type }) => type === "payment_intent.payment_failed");
	expect(failed).toMatchObject({ state: "succeeded" });
});

test("held events can be released in either order", async () => {
	await shop.control({ control: "webhooks", mode: "hold" });
	for (const order of ["oldest_first", "newest_first"] as const) {
		const id = await placed();
		await pay(id);
		expect(await shop.control({ control: "deliver_due" })).toBeNull();
		expect(await deliveriesOf(id)).toMatchObject([
			{ type: "payment_intent.created", state: "held", attempts: 0, next_attempt: null },
			{ type: "payment_intent.succeeded", state: "held", attempts: 0, next_attempt: null },
		]);
		expect(await orderOf(id)).toBe("placed");
		const oldestFirst = (await shop.emulator()).events.toReversed().flatMap(({ delivery }) => {
			return delivery?.state === "held" ? delivery.event : [];
		});
		expect(oldestFirst).toHaveLength(3);
		const released = await shop.control<string[]>({ control: "release", order });
		expect(released).toEqual(order === "oldest_first" ? oldestFirst : oldestFirst.toReversed());
		expect(await orderOf(id)).toBe("paid");
		expect(await deliveriesOf(id)).toMatchObject([{ state: "succeeded" }, { state: "succeeded" }]);
	}
	expect(await shop.control({ control: "release" })).toEqual([]);
});

test("dropped events are not delivered but are listed", async () => {
	const id = await placed();
	await shop.control({ control: "webhooks", mode: "drop" });
	await pay(id);
	await shop.control({ control: "clock", advance: 7200 });
	await shop.control({ control: "deliver_due" });
	expect(await orderOf(id)).toBe("placed");
	expect(await paidDelivery(id)).toMatchObject({ state: "dropped", attempts: 0, next_attempt: null });
	const missed = await shop.stripe.events.list({ delivery_success: false, type: "payment_intent.succeeded" });
	const event = missed.data.find(({ data }) => "id" in data.object && data.object.id === id);
	expect(event).toMatchObject({ pending_webhooks: 1 });
	expect(await shop.control({ control: "send", event: event?.id ?? "" })).toEqual(["200"]);
	expect(await orderOf(id)).toBe("paid");
});

test("the discard control drops a held event and leaves a delivered one unchanged", async () => {
	const id = await placed();
	await shop.control({ control: "webhooks", mode: "hold" });
	await pay(id);
	const event = (await paidDelivery(id))?.event ?? "";
	await shop.control({ control: "discard", event });
	expect(await shop.control({ control: "release" })).not.toContain(event);
	expect(await orderOf(id)).toBe("placed");
	await shop.control({ control: "send", event });
	await shop.control({ control: "discard", event });
	expect(await paidDelivery(id)).toMatchObject({ state: "succeeded" });
});

test("concurrent copies of an event result in one paid order", async () => {
	const id = await placed();
	await shop.control({ control: "webhooks", mode: "before_response", copies: 5 });
	await pay(id);
	expect(await paidDelivery(id)).toMatchObject({ state: "succeeded", attempts: 1 });
	const event = (await paidDelivery(id))?.event ?? "";
	expect(await shop.control({ control: "send", event, copies: 10 })).toEqual(Array.from({ length: 10 }, () => "200"));
	expect(await orderOf(id)).toBe("paid");
});

test("the twins setting creates two events with different ids", async () => {
	const id = await placed();
	await shop.control({ control: "webhooks", mode: "before_response", twins: true });
	await pay(id);
	const twins = (await deliveriesOf(id)).filter(({ type }) => type === "payment_intent.succeeded");
	expect(twins).toMatchObject([{ state: "succeeded" }, { state: "succeeded" }]);
	expect(twins[0]?.event).not.toBe(twins[1]?.event);
	expect(await orderOf(id)).toBe("paid");
});

test.each(["body", "signature", "timestamp"] as const)(
	"an event with a tampered %s is rejected with 400 and stays pending",
	async (tampering) => {
		const id = await placed();
		await shop.control({ control: "webhooks", mode: "before_response", tampering });
		await pay(id);
		expect(await paidDelivery(id)).toMatchObject({ state: "pending", attempts: 1, answer: "400" });
		expect(await orderOf(id)).toBe("placed");
		const event = (await paidDelivery(id))?.event ?? "";
		expect(await shop.control({ control: "send", event, tampering })).toEqual(["400"]);
		expect(await shop.control({ control: "send", event, copies: 2, tampering })).toEqual(["400", "400"]);
		expect(await shop.control({ control: "send", event })).toEqual(["200"]);
		expect(await orderOf(id)).toBe("paid");
		// a later invalid copy does not undo a delivery
		expect(await shop.control({ control: "send", event, tampering })).toEqual(["400"]);
		expect(await paidDelivery(id)).toMatchObject({ state: "succeeded", next_attempt: null });
	},
);

/** Makes the next `times` deliveries fail. The shop retries a failed D1 query once, so the retry must fail, too. */
async function failing(times: number): Promise<void> {
	const fault = { control: "shop_fault", path: "/stripe/webhook", service: "d1", fault: "before", times } as const;
	await shop.control({ ...fault, call: 1 });
	await shop.control({ ...fault, call: 2 });
}

/** Advances the clock to the next attempt and waits until that attempt has started. Returns its due time. */
async function nextAttempt(id: string): Promise<number> {
	const [{ attempts = 0, next_attempt } = {}, { now }] = [await paidDelivery(id), await shop.emulator()];
	const due = next_attempt ?? now;
	await shop.control({ control: "clock", advance: Math.max(due - now, 0) });
	await expect
		.poll(async () => (await paidDelivery(id))?.attempts, { timeout: 10_000 })
		.toBeGreaterThanOrEqual(attempts + 1);
	return due;
}

test("a failed delivery is retried with increasing delays until it succeeds", async () => {
	const id = await placed();
	await shop.control({ control: "webhooks", mode: "before_response" });
	await failing(3);
	let due = (await shop.emulator()).now;
	await pay(id);
	for (const [index, wait] of [10, 60, 360].entries()) {
		const delivery = await paidDelivery(id);
		expect(delivery).toMatchObject({ state: "pending", attempts: index + 1 });
		expect(delivery?.next_attempt).toBeGreaterThanOrEqual(due + wait);
		expect(delivery?.next_attempt).toBeLessThanOrEqual((await shop.emulator()).now + wait);
		expect(await orderOf(id)).toBe("placed");
		due = await nextAttempt(id);
	}
	await expect
		.poll(() => paidDelivery(id), { timeout: 10_000 })
		.toMatchObject({ state: "succeeded", attempts: 4, answer: "200", next_attempt: null });
	expect(await orderOf(id)).toBe("paid");
});

test("a delivery that keeps failing is marked as failed after three days, and its event is still listed", async () => {
	const id = await placed();
	await shop.control({ control: "webhooks", mode: "before_response" });
	await failing(1000);
	await pay(id);
	const { event = "" } = (await paidDelivery(id)) ?? {};
	const began = (await shop.stripe.events.retrieve(event)).created;
	while ((await paidDelivery(id))?.state === "pending") await nextAttempt(id);
	const { now } = await shop.emulator();
	expect(now - began).toBeGreaterThan(2.5 * 86_400);
	expect(now - began).toBeLessThan(3 * 86_400 + 600);
	await expect
		.poll(() => paidDelivery(id))
		.toMatchObject({ state: "failed", attempts: 11, answer: "500", next_attempt: null });
	await shop.control({ control: "calm" });
	await shop.control({ control: "clock", advance: 86_400 });
	await shop.control({ control: "deliver_due" });
	expect(await paidDelivery(id)).toMatchObject({ state: "failed", attempts: 11 });
	const missed = await shop.stripe.events.list({ delivery_success: false, type: "payment_intent.succeeded" });
	expect(missed.data.map((one) => one.id)).toContain(event);
	expect(await shop.control({ control: "send", event })).toEqual(["200"]);
	expect(await orderOf(id)).toBe("paid");
	expect(await shop.stripe.events.retrieve(event)).toMatchObject({ pending_webhooks: 0 });
});
