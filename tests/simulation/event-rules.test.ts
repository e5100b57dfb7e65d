import { describe, expect, test } from "vitest";
import { otherCurrency } from "../support/catalogue.ts";
import { change, metadataOf, pay, payWithoutOrder, refundOf, run, send, statusOf, testInWorld } from "./rows.ts";
import { inWorld, minute, wait } from "./scenario.ts";
import { otherKey } from "./stripe.ts";
import type { World } from "./world.ts";

// The rules of Stripe's events, which webhooks deliver, without faults.

describe("events", () => {
	const metadata = { shop: "half-dozen" };

	testInWorld("about a refund always ask Stripe for the payment's refunds", async (world) => {
		const id = await pay(world);
		await run(world);
		await world.stripe.refundByHand(id);
		const asks = [`GET /payment_intents/${id}`, "GET /refunds"];
		expect(await send(world, "charge.refunded", { payment_intent: id, metadata })).toEqual(asks);
		expect(refundOf(world, id)).toMatchObject({ status: "succeeded" });
		for (const type of ["refund.updated", "refund.failed"]) {
			expect(await send(world, type, { payment_intent: id })).toEqual(asks);
		}
	});

	testInWorld("about a refund of a payment without an order are handled once the refund is recorded", async (world) => {
		const id = await payWithoutOrder(world);
		await world.stripe.refundByHand(id);
		expect(await send(world, "refund.updated", { payment_intent: id })).toEqual([]);
		expect(await send(world, "charge.refunded", { payment_intent: id, metadata })).not.toEqual([]);
		expect(refundOf(world, id)).toMatchObject({ status: "succeeded" });
		expect(await send(world, "refund.updated", { payment_intent: id })).not.toEqual([]);
	});

	testInWorld("of another shop, of another type or about another object cost no call to Stripe", async (world) => {
		const id = "pi_another";
		const foreign = { shop: "another" };
		expect(await send(world, "payment_intent.succeeded", { id, metadata: foreign })).toEqual([]);
		expect(await send(world, "payment_intent.succeeded", { id })).toEqual([]);
		expect(await send(world, "payment_intent.created", { id, metadata })).toEqual([]);
		expect(await send(world, "charge.succeeded", { payment_intent: id, metadata })).toEqual([]);
		expect(await send(world, "charge.refunded", { payment_intent: id, metadata: foreign })).toEqual([]);
		expect(await send(world, "charge.refunded", { payment_intent: null, metadata })).toEqual([]);
		expect(await send(world, "refund.updated", { payment_intent: "pi_1/../x", metadata })).toEqual([]);
		for (const metadata of [undefined, null, {}, foreign]) {
			expect(await send(world, "refund.failed", { payment_intent: id, metadata })).toEqual([]);
		}
		expect(world.logs.filter(({ level }) => level === "error")).toEqual([]);
	});

	testInWorld("about the success of an order in D1 are handled, whatever the payment's metadata", async (world) => {
		const id = await pay(world);
		change(world, id, "$.metadata.shop", "former");
		await send(world, "payment_intent.succeeded", { id, metadata: { shop: "former" } });
		expect(statusOf(world, id)).toBe("paid");
	});

	testInWorld("about a success copy the order to Stripe, and cost no call once it is paid", async (world) => {
		const id = await pay(world);
		expect(await send(world, "payment_intent.succeeded", { id, metadata })).toContain(`GET /payment_intents/${id}`);
		await wait(minute);
		expect(metadataOf(world, id)).toMatchObject({ user_id: "alice" });
		const { length } = world.stripe.calls;
		expect(await send(world, "payment_intent.succeeded", { id, metadata })).toEqual([]);
		// a check of a paid order, which has a copy
		await send(world, "refund.updated", { payment_intent: id });
		await wait(minute);
		expect(world.stripe.calls.slice(length).filter((call) => call.startsWith("POST"))).toEqual([]);
	});

	const unmatched = (world: World, id: string) =>
		world.logs.filter(({ event, payment_intent }) => event === "paid_without_order" && payment_intent === id);

	test.each<[string, (world: World) => Promise<string>, string | undefined]>([
		["no order", payWithoutOrder, undefined],
		["an order of another amount", (world) => payAndEdit(world, "amount = amount - 100"), "placed"],
		["an order in another currency", (world) => payAndEdit(world, `currency = '${otherCurrency}'`), "placed"],
		["an order that was abandoned by hand", (world) => payAndEdit(world, "status = 'abandoned'"), "abandoned"],
	])("about a success with %s are logged as an error each time, and change and refund nothing", (_, prepare, status) =>
		inWorld(async (world) => {
			const id = await prepare(world);
			for (const times of [1, 2]) {
				await send(world, "payment_intent.succeeded", { id, metadata });
				expect(unmatched(world, id)).toHaveLength(times);
			}
			const action = "Store its order, or refund it: docs/incidents.md#paid_without_order";
			expect(unmatched(world, id)[0]).toMatchObject({ level: "error", action });
			expect([statusOf(world, id), refundOf(world, id)]).toEqual([status, undefined]);
		}),
	);

	testInWorld("are sent again by Stripe while the Worker has the key of another account", async (world) => {
		const id = await pay(world);
		const ours = world.settings;
		world.settings = { ...ours, secretKey: otherKey };
		await expect(send(world, "payment_intent.succeeded", { id, metadata })).rejects.toThrow("STRIPE_SECRET_KEY");
		world.settings = ours;
		await send(world, "payment_intent.succeeded", { id, metadata });
		expect(statusOf(world, id)).toBe("paid");
	});
});

/** Pays for an order that an operator has edited. */
async function payAndEdit(world: World, change: string): Promise<string> {
	const id = await pay(world);
	world.shop.exec(`update orders set ${change} where payment_intent_id = '${id}'`);
	return id;
}
