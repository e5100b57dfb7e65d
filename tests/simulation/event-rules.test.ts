import { describe, expect } from "vitest";
import {
	change,
	loseOrder,
	pay,
	payAndLoseOrder,
	payWithoutOrder,
	refundOf,
	run,
	send,
	statusOf,
	testInWorld,
	unresolved,
} from "./rows.ts";
import { day, minute } from "./scenario.ts";
import type { World } from "./world.ts";

// The rules of Stripe's events, which the cron reads and webhooks deliver, without faults.

/** Adds copies of a payment's event at Stripe, created at intervals of `interval` seconds after it. */
function copyEvents({ stripe }: World, count: number, interval: number): void {
	stripe.database.all(
		`insert into objects (kind, id, object)
			select kind, 'evt_' || value, json_set(object, '$.id', 'evt_' || value, '$.created', created + value * ?)
			from json_each(?), (select kind, object, object ->> '$.created' as created from objects
				where kind = 'event' and object ->> '$.type' = 'payment_intent.succeeded' limit 1)`,
		[interval, JSON.stringify(Array.from({ length: count }, (_, index) => index + 1))],
	);
}

describe("events", () => {
	testInWorld("of one second are all read, and read again until they are ten minutes old", async (world) => {
		await pay(world);
		copyEvents(world, 1200, 0);
		const minutesLater: [number, number][] = [
			[0, 1201],
			[9, 1201],
			[2, 1201],
			[0, 0],
		];
		for (const [minutes, events] of minutesLater) {
			world.clock.ms += minutes * minute;
			expect((await run(world)).reconciled).toMatchObject({ events });
		}
		await pay(world);
		expect((await run(world)).reconciled).toMatchObject({ events: 1 });
	});

	testInWorld("of the last 30 days are read in the first run, in slices of at most a thousand", async (world) => {
		const id = await payAndLoseOrder(world);
		copyEvents(world, 1500, 60);
		world.clock.ms += 29 * day;
		expect((await run(world)).reconciled).toMatchObject({ events: 1501, finished: true });
		expect(statusOf(world, id)).toBe("paid");
		loseOrder(world, id);
		expect((await run(world)).reconciled).toMatchObject({ events: 0 });
		expect(statusOf(world, id)).toBeUndefined();
	});

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
		expect(await send(world, "refund.updated", { payment_intent: id })).toEqual([]);
		expect(await send(world, "refund.updated", { payment_intent: id, metadata })).not.toEqual([]);
		await run(world, 4 * minute);
		expect(refundOf(world, id)).toMatchObject({ status: "succeeded" });
		expect(await send(world, "refund.updated", { payment_intent: id })).not.toEqual([]);
	});

	testInWorld("of another shop, of another type or about another object cost no call to Stripe", async (world) => {
		const id = "pi_another";
		const foreign = { shop: "another" };
		expect(await send(world, "payment_intent.succeeded", { id, metadata: foreign })).toEqual([]);
		expect(await send(world, "payment_intent.succeeded", { id })).toEqual([]);
		expect(await send(world, "payment_intent.created", { id, metadata })).toEqual([]);
		expect(await send(world, "charge.refunded", { payment_intent: id, metadata: foreign })).toEqual([]);
		expect(await send(world, "charge.refunded", { payment_intent: null, metadata })).toEqual([]);
		expect(await send(world, "refund.updated", { payment_intent: "pi_1/../x", metadata })).toEqual([]);
		for (const metadata of [undefined, null, {}, foreign]) {
			expect(await send(world, "refund.failed", { payment_intent: id, metadata })).toEqual([]);
		}
		expect(unresolved(world)).toEqual([]);
	});

	testInWorld("about the success of an order in D1 are handled, whatever the payment's metadata", async (world) => {
		const id = await pay(world);
		change(world, id, "$.metadata.shop", "former");
		await send(world, "payment_intent.succeeded", { id, metadata: { shop: "former" } });
		expect(statusOf(world, id)).toBe("paid");
	});

	testInWorld("about a success without an order list the payment as unresolved, and refund nothing", async (world) => {
		const id = await payWithoutOrder(world);
		expect(await send(world, "payment_intent.succeeded", { id, metadata })).toEqual([`GET /payment_intents/${id}`]);
		expect(unresolved(world)).toMatchObject([{ payment_intent_id: id, attempts: 0, due_at: world.now() }]);
		expect(refundOf(world, id)).toBeUndefined();
	});
});
