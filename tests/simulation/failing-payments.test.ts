import { describe, expect, test } from "vitest";
import { change, list, pay, payAndLoseOrder, payWithoutOrder, place, refundOf, run, statusOf } from "./rows.ts";
import { book, failCleanup, inWorld, minute } from "./scenario.ts";
import type { World } from "./world.ts";

// Faults 30 and 37: payments that fail every time they are handled delay no other payment.

// more than the 20 payments of a turn
const count = process.env["LONG"] ? 100 : 30;
const card = "pm_card_refundFail";

/** How a payment fails: its state, and the calls to Stripe that fail. */
interface Failure {
	prepare(world: World): Promise<string>;
	calls?: RegExp;
}

const failures: Record<string, Failure> = {
	"whose refund fails at the bank": { prepare: (world) => payWithoutOrder(world, { card }) },
	"whose refund Stripe refuses": { prepare: (world) => payWithoutOrder(world, { card }), calls: /^POST .*\/refunds/ },
	"that cannot be retrieved": { prepare: payAndLoseOrder, calls: /^GET .*\/payment_intents/ },
	"whose owner cannot be updated": {
		async prepare(world) {
			const id = await pay(world, {});
			await run(world, 5 * minute);
			world.shop.exec(`update orders set user_id = 'alice', guest_token_hash = null where payment_intent_id = '${id}'`);
			list(world, id);
			return id;
		},
		calls: /^POST .*\/payment_intents/,
	},
	"whose copy of the order cannot be rebuilt": {
		async prepare(world) {
			const id = await payAndLoseOrder(world);
			change(world, id, "$.metadata.items", `${book.id}:1:999`);
			return id;
		},
	},
	"whose unpaid order cannot be polled": { prepare: place, calls: /payment_intents/ },
	"whose unpaid order cannot be canceled": { prepare: place, calls: /^POST .*\/cancel/ },
};

/** Runs the cron every five minutes. */
async function runFor(world: World, time: number): Promise<void> {
	for (const end = world.clock.ms + time; world.clock.ms < end; ) await run(world, 5 * minute);
}

/** Returns the outcome of a payment: the status of the order, or of the refund. */
const outcomeOf = (world: World, id: string) => statusOf(world, id) ?? refundOf(world, id)?.["status"];

describe.each(Object.entries(failures))(`${count} payments %s`, (_, { prepare, calls }) => {
	test("delay no other payment, are attempted ever more rarely and are logged once, as errors", () =>
		inWorld(async (world) => {
			world.stripe.brokenCalls = calls ?? /^$/;
			const failing: string[] = [];
			for (let number = 0; number < count; number++) {
				const id = await prepare(world);
				failing.push(id);
				world.stripe.broken.add(id);
			}
			const lost = await payAndLoseOrder(world);
			await runFor(world, 10 * minute);
			expect(outcomeOf(world, lost)).toBe("paid");

			await runFor(world, 90 * minute);
			const [orphan, later] = [await payWithoutOrder(world), await payAndLoseOrder(world)];
			await runFor(world, 10 * minute);
			expect([outcomeOf(world, orphan), outcomeOf(world, later)]).toEqual(["succeeded", "paid"]);

			await runFor(world, 2 * 60 * minute);
			const errors = world.logs.filter(({ level }) => level === "error");
			expect(errors.map(({ payment_intent }) => payment_intent).toSorted()).toEqual(failing.toSorted());
			const [queue] = world.shop.all("select max(attempts) as attempts, count(*) as length from unresolved_payments");
			expect(Number(queue?.["attempts"])).toBeLessThan(12);
			expect([0, count]).toContain(queue?.["length"]);
		}));
});

const failPolls = ({ shop }: World) =>
	shop.exec(`create trigger polls_fail before update of due_at on orders
		begin select raise(abort, 'the order is not polled'); end`);

describe("a part of every run that fails (fault 38)", () => {
	const failEvents = ({ stripe }: World) => {
		stripe.brokenCalls = /^GET .*\/events/;
		stripe.broken.add("");
	};

	test.each([
		["delete_abandoned", failCleanup],
		["read_events", failEvents],
		["poll_orders", failPolls],
	])("%s: is logged once in every run, and the other parts do their work", (part, fail) =>
		inWorld(async (world) => {
			fail(world);
			const polled = await pay(world, {});
			const [listed, orphan] = [await payAndLoseOrder(world), await payWithoutOrder(world)];
			for (const id of [listed, orphan]) list(world, id);
			// something to poll in each run, and so many payments that the first run has a second turn
			await place(world);
			for (let number = 1; number <= 20; number++) list(world, `pi_unknown${number}`);
			await runFor(world, 10 * minute);
			expect([polled, listed, orphan].map((id) => outcomeOf(world, id))).toEqual(["paid", "paid", "succeeded"]);
			const failures = world.logs.filter(({ event }) => event === "reconcile_failed");
			expect(failures).toMatchObject([1, 2].map(() => ({ level: "error", part })));
		}),
	);
});
