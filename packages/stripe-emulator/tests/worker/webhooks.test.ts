import type Stripe from "stripe";
import { afterEach, expect, test } from "vitest";
import { control, create, refusal, state, stripe } from "../support/emulator.ts";

afterEach(() => control({ control: "calm" }));

const pay = (id: string) => stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" });

/** Returns the deliveries of an intent's events, oldest first. */
async function deliveriesOf(id: string) {
	const { events } = await state();
	return events
		.filter(({ event }) => "id" in event.data.object && event.data.object.id === id)
		.toReversed()
		.map(({ event, delivery }) => ({ type: event.type, ...delivery }));
}

async function deliveryOf(id: string, type: Stripe.Event["type"] = "payment_intent.succeeded") {
	const found = (await deliveriesOf(id)).find((delivery) => delivery.type === type);
	return { ...found, event: found?.event ?? "" };
}

/** Returns the number of times that the endpoint has accepted an event. */
async function countReceived(event: string | undefined): Promise<number> {
	return (await state()).received.filter((id) => id === event).length;
}

const delivered = { state: "succeeded", attempts: 1, answer: "200", next_attempt: null };

test("the endpoint receives each event once", async () => {
	const { id } = await create();
	await pay(id);
	const deliveries = [
		{ type: "payment_intent.created", ...delivered },
		{ type: "payment_intent.succeeded", ...delivered },
	];
	await expect.poll(() => deliveriesOf(id), { timeout: 10_000 }).toMatchObject(deliveries);
	for (const { event } of await deliveriesOf(id)) expect(await countReceived(event)).toBe(1);
});

test("before_response sends the event before the response to a payment or a decline", async () => {
	const { id } = await create();
	await control({ control: "webhooks", mode: "before_response" });
	await refusal(stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa_chargeDeclined" }));
	expect(await deliveryOf(id, "payment_intent.payment_failed")).toMatchObject(delivered);
	await pay(id);
	expect(await deliveryOf(id)).toMatchObject(delivered);
});

test.each(["oldest_first", "newest_first"] as const)("held events are sent only when released, %s", async (order) => {
	await control({ control: "webhooks", mode: "hold" });
	const { id } = await create();
	await pay(id);
	await control({ control: "deliver_due" });
	const held = (await state()).events.flatMap(({ delivery }) => (delivery?.state === "held" ? delivery.event : []));
	expect(held).toHaveLength(3);
	const expected = order === "oldest_first" ? held.toReversed() : held;
	expect(await control({ control: "release", order })).toEqual(expected);
	expect((await state()).received.slice(-3)).toEqual(expected);
	expect(await deliveriesOf(id)).toMatchObject([delivered, delivered]);
	expect(await control({ control: "release" })).toEqual([]);
});

test("a disabled endpoint receives no new event, and an event is sent again on request", async () => {
	const [endpoint] = (await stripe.webhookEndpoints.list()).data;
	expect(endpoint).toMatchObject({ id: "we_emulator", status: "enabled", enabled_events: ["*"] });
	expect(endpoint?.url).toMatch(/\/webhook$/);
	const disable = (disabled: boolean) => stripe.webhookEndpoints.update("we_emulator", { disabled });
	expect(await disable(true)).toMatchObject({ status: "disabled" });
	const { id } = await create();
	await pay(id);
	expect(await disable(false)).toMatchObject({ status: "enabled" });
	const { event } = await deliveryOf(id);
	expect(await stripe.events.retrieve(event)).toMatchObject({ pending_webhooks: 1 });
	expect(await countReceived(event)).toBe(0);
	for (const times of [1, 2]) {
		const resent = await stripe.rawRequest("POST", `/v1/events/${event}/retry`, { webhook_endpoint: "we_emulator" });
		expect(resent).toMatchObject({ id: event, pending_webhooks: 1 });
		const pending = async () => (await stripe.events.retrieve(event)).pending_webhooks;
		await expect.poll(pending, { timeout: 10_000 }).toBe(0);
		expect(await countReceived(event)).toBe(times);
	}
	expect(await refusal(stripe.webhookEndpoints.update("we_other", { disabled: true }))).toMatchObject({
		code: "resource_missing",
	});
	expect(await refusal(stripe.rawRequest("POST", "/v1/events/evt_other/retry", {}))).toMatchObject({
		code: "resource_missing",
	});
});

test("dropped and discarded events are listed, but sent only by `send`", async () => {
	const { id } = await create();
	await control({ control: "webhooks", mode: "drop" });
	await pay(id);
	const { event: dropped } = await deliveryOf(id);
	await control({ control: "webhooks", mode: "hold" });
	const other = await create();
	const { event: discarded } = await deliveryOf(other.id, "payment_intent.created");
	await control({ control: "discard", event: discarded });
	await control({ control: "clock", advance: 7200 });
	await control({ control: "deliver_due" });
	expect(await control({ control: "release" })).toEqual([]);
	const missed = await stripe.events.list({ delivery_success: false });
	for (const event of [dropped, discarded]) {
		expect(missed.data.find((listed) => listed.id === event)).toMatchObject({ pending_webhooks: 1 });
		expect(await countReceived(event)).toBe(0);
		expect(await control({ control: "send", event })).toEqual(["200"]);
		expect(await countReceived(event)).toBe(1);
	}
	await control({ control: "discard", event: dropped });
	expect(await deliveryOf(id)).toMatchObject(delivered);
});

test("each copy of an event is delivered, and twins have different ids", async () => {
	const { id } = await create();
	await control({ control: "webhooks", mode: "before_response", copies: 3, twins: true });
	await pay(id);
	const twins = (await deliveriesOf(id)).filter(({ type }) => type === "payment_intent.succeeded");
	expect(twins).toMatchObject([delivered, delivered]);
	expect(new Set(twins.map(({ event }) => event)).size).toBe(2);
	for (const { event } of twins) expect(await countReceived(event)).toBe(3);
	const event = twins[0]?.event ?? "";
	expect(await control({ control: "send", event, copies: 10 })).toEqual(Array.from({ length: 10 }, () => "200"));
	expect(await countReceived(event)).toBe(13);
});

test("a tampered event is rejected, which does not undo an earlier delivery", async () => {
	const { id } = await create();
	await control({ control: "webhooks", mode: "before_response", tampering: "body" });
	await pay(id);
	const { event, ...delivery } = await deliveryOf(id);
	expect(delivery).toMatchObject({ state: "pending", attempts: 1, answer: "400" });
	expect(await countReceived(event)).toBe(0);
	expect(await control({ control: "send", event })).toEqual(["200"]);
	expect(await control({ control: "send", event, copies: 2, tampering: "body" })).toEqual(["400", "400"]);
	expect(await deliveryOf(id)).toMatchObject({ ...delivered, attempts: 2 });
});

/** Pays an intent while the endpoint fails this many times. Returns the intent's id. */
async function payWhileFailing(times: number): Promise<string> {
	await control({ control: "webhooks", mode: "before_response" });
	const { id } = await create();
	await control({ control: "fail_webhooks", times });
	await pay(id);
	const pending = { state: "pending", attempts: 1, answer: "500", next_attempt: expect.any(Number) };
	expect(await deliveryOf(id)).toMatchObject(pending);
	return id;
}

test("a retry that succeeds ends the retries", async () => {
	// once for charge.succeeded, and once for payment_intent.succeeded
	const id = await payWhileFailing(2);
	await control({ control: "clock", advance: 11 });
	await expect.poll(() => deliveryOf(id), { timeout: 10_000 }).toMatchObject({ ...delivered, attempts: 2 });
});

test("a webhook that fails for three days is given up, and only `send` sends it again", async () => {
	const id = await payWhileFailing(1000);
	await control({ control: "clock", advance: 3 * 86_400 });
	const failed = { state: "failed", attempts: 2, answer: "500", next_attempt: null };
	await expect.poll(() => deliveryOf(id), { timeout: 10_000 }).toMatchObject(failed);
	await control({ control: "calm" });
	await control({ control: "deliver_due" });
	const { event, ...delivery } = await deliveryOf(id);
	expect(delivery).toMatchObject(failed);
	expect(await control({ control: "send", event })).toEqual(["200"]);
});
