import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { book } from "../support/catalogue.ts";
import { Customer, idOf, statusOf } from "../support/customer.ts";
import { openShop, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop?.close());
afterEach(() => shop.control({ control: "calm" }));

const pay = () => new Customer(shop).pay([book.id]);

/** Returns the deliveries of a payment's payment_intent.succeeded events. */
async function paidDeliveries(clientSecret: string) {
	const { events } = await shop.emulator();
	return events.flatMap(({ event, delivery }) => {
		const isPaid = event.type === "payment_intent.succeeded" && event.data.object.id === idOf(clientSecret);
		return isPaid && delivery ? [delivery] : [];
	});
}

async function paidDelivery(clientSecret: string) {
	const [delivery] = await paidDeliveries(clientSecret);
	if (!delivery) throw new Error("The payment has no succeeded event.");
	return delivery;
}

test("events are delivered automatically and mark the order as paid", async () => {
	const clientSecret = await pay();
	await expect.poll(() => statusOf(shop, clientSecret), { timeout: 10_000 }).toBe("paid");
	await expect
		.poll(() => paidDelivery(clientSecret), { timeout: 10_000 })
		.toMatchObject({ state: "succeeded", attempts: 1, answer: "200", next_attempt: null });
});

test("two events for one payment, each delivered five times, mark the order as paid once", async () => {
	await shop.control({ control: "webhooks", mode: "before_response", copies: 5, twins: true });
	const clientSecret = await pay();
	expect(await paidDeliveries(clientSecret)).toMatchObject([{ state: "succeeded" }, { state: "succeeded" }]);
	expect(await statusOf(shop, clientSecret)).toBe("paid");
	expect(shop.logs().split(`"event":"fulfilled","payment_intent":"${idOf(clientSecret)}"`)).toHaveLength(2);
});

test.each(["body", "signature", "timestamp"] as const)(
	"a webhook with a tampered %s returns 400 and leaves the order placed, and the untampered one marks it as paid",
	async (tampering) => {
		await shop.control({ control: "webhooks", mode: "before_response", tampering });
		const clientSecret = await pay();
		const { event, ...delivery } = await paidDelivery(clientSecret);
		expect(delivery).toMatchObject({ state: "pending", attempts: 1, answer: "400" });
		expect(await statusOf(shop, clientSecret)).toBe("placed");
		expect(await shop.control({ control: "send", event })).toEqual(["200"]);
		expect(await statusOf(shop, clientSecret)).toBe("paid");
	},
);

/** Advances the clock to the next attempt and waits until that attempt has started. */
async function nextAttempt(clientSecret: string): Promise<void> {
	const [{ attempts, next_attempt }, { now }] = [await paidDelivery(clientSecret), await shop.emulator()];
	await shop.control({ control: "clock", advance: Math.max((next_attempt ?? now) - now, 0) });
	await expect
		.poll(async () => (await paidDelivery(clientSecret)).attempts, { timeout: 10_000 })
		.toBeGreaterThan(attempts);
}

test("a webhook that fails for three days is given up and listed as undelivered, and marks the order as paid when sent later", async () => {
	await shop.control({ control: "webhooks", mode: "before_response" });
	// the shop retries a failed D1 query once
	for (const call of [1, 2]) {
		const fails = { service: "d1", call, fault: "before", times: 1000 } as const;
		await shop.control({ control: "shop_fault", path: "/stripe/webhook", ...fails });
	}
	const clientSecret = await pay();
	const { event } = await paidDelivery(clientSecret);
	const began = (await shop.stripe.events.retrieve(event)).created;
	while ((await paidDelivery(clientSecret)).state === "pending") await nextAttempt(clientSecret);
	const lasted = (await shop.emulator()).now - began;
	expect(lasted).toBeGreaterThan(2.5 * 86_400);
	expect(lasted).toBeLessThan(3 * 86_400 + 600);
	const failed = { state: "failed", attempts: 11, answer: "500", next_attempt: null };
	await expect.poll(() => paidDelivery(clientSecret)).toMatchObject(failed);

	await shop.control({ control: "calm" });
	await shop.control({ control: "clock", advance: 86_400 });
	await shop.control({ control: "deliver_due" });
	expect(await paidDelivery(clientSecret)).toMatchObject(failed);
	expect(await statusOf(shop, clientSecret)).toBe("placed");
	const missed = await shop.stripe.events.list({ delivery_success: false, type: "payment_intent.succeeded" });
	expect(missed.data.map(({ id }) => id)).toContain(event);
	expect(await shop.control({ control: "send", event })).toEqual(["200"]);
	expect(await statusOf(shop, clientSecret)).toBe("paid");
});
