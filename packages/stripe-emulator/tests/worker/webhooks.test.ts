import Stripe from "stripe";
import { afterEach, expect, test } from "vitest";
import { WEBHOOK_SECRET } from "../../keys.ts";
import { signedRequest } from "../../webhooks/signed-request.ts";
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

test("before_response sends the event before the response to a payment or a decline", async () => {
	const { id } = await create();
	await control({ control: "webhooks", mode: "before_response" });
	await refusal(stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa_chargeDeclined" }));
	const failed = await deliveryOf(id, "payment_intent.payment_failed");
	await pay(id);
	for (const delivery of [failed, await deliveryOf(id)]) {
		expect(delivery).toMatchObject({ state: "succeeded", answer: "200" });
		expect(await countReceived(delivery.event)).toBe(1);
	}
});

test.each(["oldest_first", "newest_first"] as const)("held events are sent only when released, %s", async (order) => {
	await control({ control: "webhooks", mode: "hold" });
	const { id } = await create();
	await pay(id);
	await control({ control: "deliver_due" });
	const held = { state: "held", attempts: 0, next_attempt: null };
	expect(await deliveriesOf(id)).toMatchObject([held, held]);
	const oldestFirst = (await state()).events.toReversed().flatMap(({ delivery }) => {
		return delivery?.state === "held" ? delivery.event : [];
	});
	const expected = order === "oldest_first" ? oldestFirst : oldestFirst.toReversed();
	expect(await control({ control: "release", order })).toEqual(expected);
	expect((await state()).received.slice(-3)).toEqual(expected);
	expect(await deliveriesOf(id)).toMatchObject([{ state: "succeeded" }, { state: "succeeded" }]);
	expect(await control({ control: "release" })).toEqual([]);
});

test("dropped and discarded events are listed, but sent only by `send`", async () => {
	const { id } = await create();
	await control({ control: "webhooks", mode: "drop" });
	await pay(id);
	const { event } = await deliveryOf(id);
	await control({ control: "webhooks", mode: "hold" });
	const other = await create();
	const { event: discarded } = await deliveryOf(other.id, "payment_intent.created");
	await control({ control: "discard", event: discarded });
	await control({ control: "clock", advance: 7200 });
	await control({ control: "deliver_due" });
	expect(await control({ control: "release" })).toEqual([]);
	const missed = await stripe.events.list({ delivery_success: false });
	for (const sent of [event, discarded]) {
		expect(missed.data.find((listed) => listed.id === sent)).toMatchObject({ pending_webhooks: 1 });
		expect(await countReceived(sent)).toBe(0);
		expect(await control({ control: "send", event: sent })).toEqual(["200"]);
		expect(await countReceived(sent)).toBe(1);
	}
	await control({ control: "discard", event });
	expect(await deliveryOf(id)).toMatchObject({ state: "succeeded", attempts: 1, next_attempt: null });
});

test("each copy of an event is delivered, and twins have different ids", async () => {
	const { id } = await create();
	await control({ control: "webhooks", mode: "before_response", copies: 3, twins: true });
	await pay(id);
	const twins = (await deliveriesOf(id)).filter(({ type }) => type === "payment_intent.succeeded");
	expect(twins).toMatchObject([
		{ state: "succeeded", attempts: 1 },
		{ state: "succeeded", attempts: 1 },
	]);
	const [event = "", other] = twins.map((twin) => twin.event);
	expect(event).not.toBe(other);
	for (const sent of [event, other]) expect(await countReceived(sent)).toBe(3);
	expect(await control({ control: "send", event, copies: 10 })).toEqual(Array.from({ length: 10 }, () => "200"));
	expect(await countReceived(event)).toBe(13);
});

test.each(["body", "signature", "timestamp"] as const)(
	"the SDK rejects a tampered %s, which does not undo an earlier delivery",
	async (tampering) => {
		const { id } = await create();
		await control({ control: "webhooks", mode: "before_response", tampering });
		await pay(id);
		const { event, ...delivery } = await deliveryOf(id);
		expect(delivery).toMatchObject({ state: "pending", attempts: 1, answer: "400" });
		expect(await control({ control: "send", event, copies: 2, tampering })).toEqual(["400", "400"]);
		expect(await countReceived(event)).toBe(0);
		expect(await control({ control: "send", event })).toEqual(["200"]);
		expect(await control({ control: "send", event, tampering })).toEqual(["400"]);
		expect(await deliveryOf(id)).toMatchObject({ state: "succeeded", answer: "200", next_attempt: null });
		expect(await countReceived(event)).toBe(1);
	},
);

test("a webhook that fails for three days is given up, and only `send` sends it again", async () => {
	await control({ control: "webhooks", mode: "before_response" });
	const { id } = await create();
	await control({ control: "fail_webhooks", times: 1000 });
	await pay(id);
	const pending = { state: "pending", attempts: 1, answer: "500", next_attempt: expect.any(Number) };
	expect(await deliveryOf(id)).toMatchObject(pending);
	await control({ control: "clock", advance: 3 * 86_400 });
	const failed = { state: "failed", attempts: 2, answer: "500", next_attempt: null };
	await expect.poll(() => deliveryOf(id), { timeout: 10_000 }).toMatchObject(failed);
	await control({ control: "calm" });
	await control({ control: "deliver_due" });
	const { event, ...delivery } = await deliveryOf(id);
	expect(delivery).toMatchObject(failed);
	const missed = await stripe.events.list({ delivery_success: false });
	expect(missed.data.map((listed) => listed.id)).toContain(event);
	expect(await control({ control: "send", event })).toEqual(["200"]);
});

test("a retry that succeeds ends the retries", async () => {
	await control({ control: "webhooks", mode: "before_response" });
	const { id } = await create();
	// for charge.succeeded and payment_intent.succeeded
	await control({ control: "fail_webhooks", times: 2 });
	await pay(id);
	await control({ control: "clock", advance: 11 });
	const delivered = { state: "succeeded", attempts: 2, answer: "200", next_attempt: null };
	await expect.poll(() => deliveryOf(id), { timeout: 10_000 }).toMatchObject(delivered);
});

test("the webhook contains the event and a signature that the SDK accepts", async () => {
	const { id } = await create();
	const event = await stripe.events.retrieve((await deliveryOf(id, "payment_intent.created")).event);
	const now = Math.floor(Date.now() / 1000);
	const options = { url: "http://localhost/webhook", secret: WEBHOOK_SECRET, now, tampering: "none" } as const;
	const request = await signedRequest(event, options);
	expect(request.redirect).toBe("manual");
	expect(request.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
	const signature = request.headers.get("Stripe-Signature") ?? "";
	expect(signature).toMatch(new RegExp(`^t=${now},v1=[0-9a-f]{64}$`));
	const body = await request.text();
	const { webhooks } = stripe;
	expect(await webhooks.constructEventAsync(body, signature, WEBHOOK_SECRET)).toEqual(event);
	const changed = webhooks.constructEventAsync(`${body} `, signature, WEBHOOK_SECRET);
	await expect(changed).rejects.toThrow(Stripe.errors.StripeSignatureVerificationError);
});
