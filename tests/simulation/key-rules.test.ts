import { SECRET_KEY } from "stripe-emulator/keys.ts";
import { describe, expect } from "vitest";
import { mentions, pay, payAndLoseOrder, place, run, send, statusOf, testInWorld, unresolved } from "./rows.ts";
import { hour, minute } from "./scenario.ts";
import { otherKey } from "./stripe.ts";
import type { World } from "./world.ts";

// The rules of runs with the keys of another account, or another SHOP_ID, for some time.

describe("with the keys of another account", () => {
	const [theirs, ours] = [{ secretKey: otherKey }, { secretKey: SECRET_KEY }];
	const use = (world: World, changed: Partial<World["settings"]>) => {
		world.settings = { ...world.settings, ...changed };
	};
	const unknown = ({ logs }: World) => logs.filter(({ event }) => event === "payment_unknown");

	testInWorld("no order is canceled or abandoned, however long it lasts", async (world) => {
		const [unpaid, paid] = [await place(world), await pay(world)];
		use(world, theirs);
		for (let hours = 0; hours < 29 * 24; hours++) await run(world, hour);
		expect([statusOf(world, unpaid), statusOf(world, paid)]).toEqual(["placed", "placed"]);
		use(world, ours);
		await run(world, 5 * minute);
		expect(statusOf(world, paid)).toBe("paid");
		for (let hours = 0; hours < 25; hours++) await run(world, hour);
		expect(statusOf(world, unpaid)).toBe("abandoned");
		expect(unresolved(world)).toEqual([]);
	});

	testInWorld("a payment is logged once as unknown, after an hour, and asked for ever more rarely", async (world) => {
		const id = await pay(world);
		use(world, theirs);
		let asked: number[] = [];
		for (let minutes = 5; minutes <= 3 * 24 * 60; minutes += 5) {
			const { calls } = await run(world, 5 * minute);
			if (mentions(calls, id)) asked.push(minutes);
			if (minutes < 60) expect(unknown(world)).toEqual([]);
		}
		expect(unknown(world)).toEqual([{ level: "error", event: "payment_unknown", payment_intent: id }]);
		asked = asked.filter((minutes) => minutes > 24 * 60);
		expect(asked.length).toBeLessThanOrEqual(4);
		expect(unresolved(world)).toMatchObject([{ payment_intent_id: id, failure: "unknown" }]);
	});

	testInWorld(
		"a webhook about a payment without an order lists nothing, and its event is read later",
		async (world) => {
			const id = await payAndLoseOrder(world);
			use(world, theirs);
			await send(world, "payment_intent.succeeded", { id, metadata: { shop: "half-dozen" } });
			await run(world);
			expect(unresolved(world)).toEqual([]);
			use(world, ours);
			await run(world, 5 * minute);
			expect(statusOf(world, id)).toBe("paid");
		},
	);

	testInWorld("the events of both accounts are read again after each change", async (world) => {
		await run(world);
		const first = await payAndLoseOrder(world);
		use(world, theirs);
		await run(world, 11 * minute);
		await run(world, 11 * minute);
		use(world, ours);
		await run(world, 11 * minute);
		expect(statusOf(world, first)).toBe("paid");
		world.shop.exec("delete from order_items; delete from orders");
		await run(world, 11 * minute);
		expect(statusOf(world, first)).toBeUndefined();
		use(world, { shopId: "renamed" });
		await run(world);
		use(world, { shopId: "half-dozen" });
		await run(world);
		expect(statusOf(world, first)).toBe("paid");
	});
});
