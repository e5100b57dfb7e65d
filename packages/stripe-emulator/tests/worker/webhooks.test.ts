import Stripe from "stripe";
import { afterEach, expect, test } from "vitest";
import { Customer } from "../../../../tests/support/customer.ts";
import { control, shop, state, stripe } from "../../../../tests/support/stripe-emulator.ts";
import { WEBHOOK_SECRET } from "../../keys.ts";
import { signedRequest } from "../../webhooks/signed-request.ts";

afterEach(() => control({ control: "calm" }));

const book = "12321341";

/** An intent with an order of the shop's that is placed and waits for its payment. */
async function placed(): Promise<string> {
	const visitor = new Customer(shop);
	const created = await visitor.fetch("/payments/create?total=1196", { method: "POST" });
	const { clientSecret } = await created.json<{ clientSecret: string }>();
	const order = { clientSecret, productIds: [book], customer: null };
	expect((await visitor.postJson("/payments/place", order)).status).toBe(200);
	return clientSecret.replace(/_secret_.*/, "");
}

const pay = (id: string) => stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });

const orderOf = async (id: string) =>
	(await shop.d1.prepare("select status from orders where payment_intent_id = ?").bind(id).first())?.["status"];

/** The deliveries of what happened to an intent, oldest first. */
async function deliveriesOf(id: string) {
	const { events } = await state();
	return events
		.filter(({ event }) => "id" in event.data.object && event.data.object.id === id)
		.toReversed()
		.map(({ event, delivery }) => ({ type: event.type, ...delivery }));
}

/** The delivery of the news that an intent is paid. */
async function paidDelivery(id: string) {
	return (await deliveriesOf(id)).find(({ type }) => type === "payment_intent.succeeded");
}

test("what happens is told to the shop by itself", async () => {
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

test("before_response: the shop knows of a payment before whoever made it", async () => {
	const id = await placed();
	await control({ control: "webhooks", mode: "before_response" });
	expect(await pay(id)).toMatchObject({ status: "succeeded" });
	expect(await orderOf(id)).toBe("paid");
	expect(await paidDelivery(id)).toMatchObject({ state: "succeeded", answer: "200" });
});

test("before_response: a decline is told before it is answered, too", async () => {
	const id = await placed();
	await control({ control: "webhooks", mode: "before_response" });
	const payment_method = "pm_card_visa_chargeDeclined";
	await expect(stripe.paymentIntents.confirm(id, { payment_method })).rejects.toMatchObject({ statusCode: 402 });
	const failed = (await deliveriesOf(id)).find(({ type }) => type === "payment_intent.payment_failed");
	expect(failed).toMatchObject({ state: "succeeded" });
});

test("held events wait, and are released in either order", async () => {
	await control({ control: "webhooks", mode: "hold" });
	for (const order of ["oldest_first", "newest_first"] as const) {
		const id = await placed();
		await pay(id);
		expect(await control({ control: "deliver_due" })).toBeNull();
		expect(await deliveriesOf(id)).toMatchObject([
			{ type: "payment_intent.created", state: "held", attempts: 0, next_attempt: null },
			{ type: "payment_intent.succeeded", state: "held", attempts: 0, next_attempt: null },
		]);
		expect(await orderOf(id)).toBe("placed");
		const oldestFirst = (await state()).events.toReversed().flatMap(({ delivery }) => {
			return delivery?.state === "held" ? delivery.event : [];
		});
		expect(oldestFirst).toHaveLength(3);
		const released = await control<string[]>({ control: "release", order });
		expect(released).toEqual(order === "oldest_first" ? oldestFirst : oldestFirst.toReversed());
		expect(await orderOf(id)).toBe("paid");
		expect(await deliveriesOf(id)).toMatchObject([{ state: "succeeded" }, { state: "succeeded" }]);
	}
	expect(await control({ control: "release" })).toEqual([]);
});

test("dropped events never arrive, but are to be had from the list", async () => {
	const id = await placed();
	await control({ control: "webhooks", mode: "drop" });
	await pay(id);
	await control({ control: "clock", advance: 7200 });
	await control({ control: "deliver_due" });
	expect(await orderOf(id)).toBe("placed");
	expect(await paidDelivery(id)).toMatchObject({ state: "dropped", attempts: 0, next_attempt: null });
	const missed = await stripe.events.list({ delivery_success: false, type: "payment_intent.succeeded" });
	const event = missed.data.find(({ data }) => "id" in data.object && data.object.id === id);
	expect(event).toMatchObject({ pending_webhooks: 1 });
	expect(await control({ control: "send", event: event?.id ?? "" })).toEqual(["200"]);
	expect(await orderOf(id)).toBe("paid");
});

test("a discarded event is held no longer and never sent; one that has arrived stays as it is", async () => {
	const id = await placed();
	await control({ control: "webhooks", mode: "hold" });
	await pay(id);
	const event = (await paidDelivery(id))?.event ?? "";
	await control({ control: "discard", event });
	expect(await control({ control: "release" })).not.toContain(event);
	expect(await orderOf(id)).toBe("placed");
	await control({ control: "send", event });
	await control({ control: "discard", event });
	expect(await paidDelivery(id)).toMatchObject({ state: "succeeded" });
});

test("the same event many times at once makes one paid order", async () => {
	const id = await placed();
	await control({ control: "webhooks", mode: "before_response", copies: 5 });
	await pay(id);
	expect(await paidDelivery(id)).toMatchObject({ state: "succeeded", attempts: 1 });
	const event = (await paidDelivery(id))?.event ?? "";
	expect(await control({ control: "send", event, copies: 10 })).toEqual(Array.from({ length: 10 }, () => "200"));
	expect(await orderOf(id)).toBe("paid");
});

test("twins: two events with ids of their own for one fact", async () => {
	const id = await placed();
	await control({ control: "webhooks", mode: "before_response", twins: true });
	await pay(id);
	const twins = (await deliveriesOf(id)).filter(({ type }) => type === "payment_intent.succeeded");
	expect(twins).toMatchObject([{ state: "succeeded" }, { state: "succeeded" }]);
	expect(twins[0]?.event).not.toBe(twins[1]?.event);
	expect(await orderOf(id)).toBe("paid");
});

test.each(["body", "signature", "timestamp"] as const)("an event with a tampered %s is refused", async (tampering) => {
	const id = await placed();
	await control({ control: "webhooks", mode: "before_response", tampering });
	await pay(id);
	expect(await paidDelivery(id)).toMatchObject({ state: "pending", attempts: 1, answer: "400" });
	expect(await orderOf(id)).toBe("placed");
	const event = (await paidDelivery(id))?.event ?? "";
	expect(await control({ control: "send", event, tampering })).toEqual(["400"]);
	expect(await control({ control: "send", event, copies: 2, tampering })).toEqual(["400", "400"]);
	expect(await control({ control: "send", event })).toEqual(["200"]);
	expect(await orderOf(id)).toBe("paid");
	// what has arrived is not forgotten for a bad copy that comes later
	expect(await control({ control: "send", event, tampering })).toEqual(["400"]);
	expect(await paidDelivery(id)).toMatchObject({ state: "succeeded", next_attempt: null });
});

/** The shop asks D1 once more when it fails: both fail. */
async function failing(times: number): Promise<void> {
	const fault = { control: "shop_fault", path: "/stripe/webhook", service: "d1", fault: "before", times } as const;
	await control({ ...fault, call: 1 });
	await control({ ...fault, call: 2 });
}

/** Puts the clock forward to the next attempt and waits until it has begun. Answers when it was due. */
async function nextAttempt(id: string): Promise<number> {
	const [{ attempts = 0, next_attempt } = {}, { now }] = [await paidDelivery(id), await state()];
	const due = next_attempt ?? now;
	await control({ control: "clock", advance: Math.max(due - now, 0) });
	await expect
		.poll(async () => (await paidDelivery(id))?.attempts, { timeout: 10_000 })
		.toBeGreaterThanOrEqual(attempts + 1);
	return due;
}

test("an event that the shop cannot take now comes again, ever later, until it is taken", async () => {
	const id = await placed();
	await control({ control: "webhooks", mode: "before_response" });
	await failing(3);
	let due = (await state()).now;
	await pay(id);
	for (const [index, wait] of [10, 60, 360].entries()) {
		const delivery = await paidDelivery(id);
		expect(delivery).toMatchObject({ state: "pending", attempts: index + 1 });
		expect(delivery?.next_attempt).toBeGreaterThanOrEqual(due + wait);
		expect(delivery?.next_attempt).toBeLessThanOrEqual((await state()).now + wait);
		expect(await orderOf(id)).toBe("placed");
		due = await nextAttempt(id);
	}
	await expect
		.poll(() => paidDelivery(id), { timeout: 10_000 })
		.toMatchObject({ state: "succeeded", attempts: 4, answer: "200", next_attempt: null });
	expect(await orderOf(id)).toBe("paid");
});

test("after three days an event is given up, and is to be had from the list", async () => {
	const id = await placed();
	await control({ control: "webhooks", mode: "before_response" });
	await failing(1000);
	await pay(id);
	const { event = "" } = (await paidDelivery(id)) ?? {};
	const began = (await stripe.events.retrieve(event)).created;
	while ((await paidDelivery(id))?.state === "pending") await nextAttempt(id);
	const { now } = await state();
	expect(now - began).toBeGreaterThan(2.5 * 86_400);
	expect(now - began).toBeLessThan(3 * 86_400 + 600);
	await expect
		.poll(() => paidDelivery(id))
		.toMatchObject({ state: "failed", attempts: 11, answer: "500", next_attempt: null });
	await control({ control: "calm" });
	await control({ control: "clock", advance: 86_400 });
	await control({ control: "deliver_due" });
	expect(await paidDelivery(id)).toMatchObject({ state: "failed", attempts: 11 });
	const missed = await stripe.events.list({ delivery_success: false, type: "payment_intent.succeeded" });
	expect(missed.data.map((one) => one.id)).toContain(event);
	expect(await control({ control: "send", event })).toEqual(["200"]);
	expect(await orderOf(id)).toBe("paid");
	expect(await stripe.events.retrieve(event)).toMatchObject({ pending_webhooks: 0 });
});

test("the webhook carries the very event, signed so that the SDK takes it", async () => {
	const id = await placed();
	const event = await stripe.events.retrieve((await deliveriesOf(id))[0]?.event ?? "");
	const now = Math.floor(Date.now() / 1000);
	const options = { url: "http://localhost/stripe/webhook", secret: WEBHOOK_SECRET, now, tampering: "none" } as const;
	const request = await signedRequest(event, options);
	expect(request.method).toBe("POST");
	expect(request.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
	const signature = request.headers.get("Stripe-Signature") ?? "";
	expect(signature).toMatch(new RegExp(`^t=${now},v1=[0-9a-f]{64}$`));
	const construct = (body: string, secret = WEBHOOK_SECRET) =>
		stripe.webhooks.constructEventAsync(body, signature, secret);
	const body = await request.text();
	expect(await construct(body)).toEqual(event);
	await expect(construct(`${body} `)).rejects.toThrow(Stripe.errors.StripeSignatureVerificationError);
	await expect(construct(body, "whsec_other")).rejects.toThrow(Stripe.errors.StripeSignatureVerificationError);
});
