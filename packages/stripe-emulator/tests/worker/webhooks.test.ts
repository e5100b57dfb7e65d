import Stripe from "stripe";
import { afterEach, expect, test } from "vitest";
import { WEBHOOK_SECRET } from "../../keys.ts";
import { signedRequest } from "../../webhooks/signed-request.ts";
import { control, create, state, stripe } from "../support/emulator.ts";

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

async function paidDelivery(id: string) {
	return (await deliveriesOf(id)).find(({ type }) => type === "payment_intent.succeeded");
}

/** Returns the number of times that the endpoint has accepted an event. */
async function countReceived(event: string | undefined): Promise<number> {
	return (await state()).received.filter((id) => id === event).length;
}

test("the endpoint receives each event once", async () => {
	const { id } = await create();
	await pay(id);
	const delivered = { state: "succeeded", attempts: 1, answer: "200", next_attempt: null };
	await expect
		.poll(() => deliveriesOf(id), { timeout: 10_000 })
		.toMatchObject([
			{ type: "payment_intent.created", ...delivered },
			{ type: "payment_intent.succeeded", ...delivered },
		]);
	for (const { event } of await deliveriesOf(id)) expect(await countReceived(event)).toBe(1);
});

test("before_response sends the event before the call returns", async () => {
	const { id } = await create();
	await control({ control: "webhooks", mode: "before_response" });
	await pay(id);
	const delivery = await paidDelivery(id);
	expect(delivery).toMatchObject({ state: "succeeded", answer: "200" });
	expect(await countReceived(delivery?.event)).toBe(1);
});

test.each(["oldest_first", "newest_first"] as const)("held events are released %s", async (order) => {
	await control({ control: "webhooks", mode: "hold" });
	const { id } = await create();
	await pay(id);
	const held = (await deliveriesOf(id)).map(({ event }) => event);
	expect(held).toHaveLength(2);
	for (const event of held) expect(await countReceived(event)).toBe(0);
	const expected = order === "oldest_first" ? held : held.toReversed();
	const released = await control<string[]>({ control: "release", order });
	expect(released.filter((event) => held.includes(event))).toEqual(expected);
	expect((await state()).received.filter((event) => held.includes(event))).toEqual(expected);
});

test("dropped and discarded events are delivered only by `send`", async () => {
	const { id } = await create();
	await control({ control: "webhooks", mode: "drop" });
	await pay(id);
	const { event = "" } = (await paidDelivery(id)) ?? {};
	await control({ control: "clock", advance: 7200 });
	await control({ control: "deliver_due" });
	expect(await countReceived(event)).toBe(0);
	await control({ control: "webhooks", mode: "hold" });
	const other = await create();
	const [{ event: created = "" } = {}] = await deliveriesOf(other.id);
	await control({ control: "discard", event: created });
	expect(await control({ control: "release" })).not.toContain(created);
	expect(await countReceived(created)).toBe(0);
	for (const sent of [event, created]) {
		expect(await control({ control: "send", event: sent })).toEqual(["200"]);
		expect(await countReceived(sent)).toBe(1);
	}
});

test("each copy of an event is delivered, and twins have different ids", async () => {
	const { id } = await create();
	await control({ control: "webhooks", mode: "before_response", copies: 3, twins: true });
	await pay(id);
	const twins = (await deliveriesOf(id)).filter(({ type }) => type === "payment_intent.succeeded");
	expect(twins).toHaveLength(2);
	expect(twins[0]?.event).not.toBe(twins[1]?.event);
	for (const { event } of twins) expect(await countReceived(event)).toBe(3);
});

test.each(["body", "signature", "timestamp"] as const)("the SDK rejects a tampered %s", async (tampering) => {
	const { id } = await create();
	await control({ control: "webhooks", mode: "before_response", tampering });
	await pay(id);
	const delivery = await paidDelivery(id);
	expect(delivery).toMatchObject({ state: "pending", attempts: 1, answer: "400" });
	expect(await countReceived(delivery?.event)).toBe(0);
});

test("a failed webhook is retried after 10, 60 and 360 seconds", async () => {
	const { id } = await create();
	await expect.poll(() => deliveriesOf(id), { timeout: 10_000 }).toMatchObject([{ state: "succeeded" }]);
	await control({ control: "webhooks", mode: "before_response" });
	await control({ control: "fail_webhooks", times: 1000 });
	await pay(id);
	for (const [index, wait] of [10, 60, 360].entries()) {
		await expect.poll(() => paidDelivery(id), { timeout: 10_000 }).toMatchObject({ answer: "500" });
		const [delivery, { now }] = [await paidDelivery(id), await state()];
		expect(delivery).toMatchObject({ state: "pending", attempts: index + 1 });
		expect(delivery?.next_attempt).toBeGreaterThan(now);
		expect(delivery?.next_attempt).toBeLessThanOrEqual(now + wait);
		if (wait === 360) await control({ control: "fail_webhooks", times: 0 });
		await control({ control: "clock", advance: (delivery?.next_attempt ?? now) - now });
		await expect
			.poll(async () => (await paidDelivery(id))?.attempts, { timeout: 10_000 })
			.toBeGreaterThanOrEqual(index + 2);
	}
	await expect
		.poll(() => paidDelivery(id), { timeout: 10_000 })
		.toMatchObject({ state: "succeeded", attempts: 4, answer: "200", next_attempt: null });
});

test("the webhook contains the event and a signature that the SDK accepts", async () => {
	const { id } = await create();
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
