import { SECRET_KEY } from "stripe-emulator/keys.ts";
import { expect } from "vitest";
import { mentions, pay, place, run, statusOf, testInWorld } from "./rows.ts";
import { day, hour, minute } from "./scenario.ts";
import { otherKey } from "./stripe.ts";

testInWorld(
	"with the keys of another account, no order is canceled or abandoned, and each is polled ever more rarely and logged once a day",
	async (world) => {
		const [unpaid, paid] = [await place(world), await pay(world)];
		world.settings = { ...world.settings, secretKey: otherKey };
		const polled: number[] = [];
		const unknown = () => world.logs.filter(({ event }) => event === "payment_unknown");
		for (let minutes = 5; minutes <= 3 * 24 * 60; minutes += 5) {
			const { calls } = await run(world, 5 * minute);
			if (mentions(calls, paid)) polled.push(minutes);
			if (minutes < 60) expect(unknown()).toEqual([]);
		}
		expect(polled.filter((minutes) => minutes > 24 * 60).length).toBeLessThanOrEqual(4);
		for (let days = 3; days < 29; days++) await run(world, day);
		expect([statusOf(world, unpaid), statusOf(world, paid)]).toEqual(["placed", "placed"]);
		for (const id of [unpaid, paid]) {
			const lines = unknown().filter(({ payment_intent }) => payment_intent === id);
			expect(lines.length).toBeGreaterThan(20);
			expect(lines.length).toBeLessThanOrEqual(29);
			expect(lines.every(({ level }) => level === "error")).toBe(true);
		}
		world.settings = { ...world.settings, secretKey: SECRET_KEY };
		for (let hours = 0; hours < 25; hours++) await run(world, hour);
		expect([statusOf(world, paid), statusOf(world, unpaid)]).toEqual(["paid", "abandoned"]);
	},
);
