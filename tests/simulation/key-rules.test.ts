import { SECRET_KEY } from "stripe-emulator/keys.ts";
import { describe, expect } from "vitest";
import { mentions, pay, payAndLoseOrder, place, run, send, statusOf, testInWorld, unresolved } from "./rows.ts";
import { day, hour, minute } from "./scenario.ts";
import { otherKey } from "./stripe.ts";
import type { World } from "./world.ts";

// The rules of runs with the keys of another account, or another SHOP_ID, for some time.

describe("with the keys of another account", () => {
	const [theirs, ours] = [{ secretKey: otherKey }, { secretKey: SECRET_KEY }];
	const use = (world: World, changed: Partial<World["settings"]>) => {
		world.settings = { ...world.settings, ...changed };
	};
	const unknown = ({ logs }: World) => logs.filter(({ event }) => event === "payment_unknown");

	testInWorld(
		"no order is canceled or abandoned, and each is logged once and polled ever more rarely",
		async (world) => {
			const [unpaid, paid, lost] = [await place(world), await pay(world), await payAndLoseOrder(world)];
			use(world, theirs);
			// finds nothing, and its event is read later
			await send(world, "payment_intent.succeeded", { id: lost, metadata: { shop: "half-dozen" } });
			const polled: number[] = [];
			for (let minutes = 5; minutes <= 3 * 24 * 60; minutes += 5) {
				const { calls } = await run(world, 5 * minute);
				if (mentions(calls, paid)) polled.push(minutes);
				if (minutes < 60) expect(unknown(world)).toEqual([]);
			}
			expect(polled.filter((minutes) => minutes > 24 * 60).length).toBeLessThanOrEqual(4);
			for (let days = 3; days < 29; days++) await run(world, day);
			expect([statusOf(world, unpaid), statusOf(world, paid)]).toEqual(["placed", "placed"]);
			const ids = [unpaid, paid].toSorted();
			expect(
				unknown(world)
					.map(({ level, payment_intent }) => [level, payment_intent])
					.toSorted(),
			).toEqual(ids.map((id) => ["error", id]));
			expect(unresolved(world)).toMatchObject(ids.map((id) => ({ payment_intent_id: id, failure: "unknown" })));
			use(world, ours);
			await run(world, 5 * minute);
			expect([statusOf(world, paid), statusOf(world, lost)]).toEqual(["paid", "paid"]);
			for (let hours = 0; hours < 49; hours++) await run(world, hour);
			expect(statusOf(world, unpaid)).toBe("abandoned");
			expect(unresolved(world)).toEqual([]);
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
