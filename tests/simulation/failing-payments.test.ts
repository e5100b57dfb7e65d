import { describe, expect, test } from "vitest";
import { pay, place, run, statusOf } from "./rows.ts";
import { failCleanup, inWorld, minute } from "./scenario.ts";
import type { World } from "./world.ts";

// Faults 30 and 37: orders whose payment fails every time it is polled delay no other order.

// more than the 20 orders of a query
const count = process.env["LONG"] ? 100 : 30;

/** How the poll of an order fails: the calls to Stripe that fail. */
const failures = {
	"cannot be polled": /payment_intents/,
	"cannot be canceled": /^POST .*\/cancel/,
};

/** Runs the cron every five minutes. */
async function runFor(world: World, time: number): Promise<void> {
	for (const end = world.clock.ms + time; world.clock.ms < end; ) await run(world, 5 * minute);
}

test.each(Object.entries(failures))(
	`${count} orders that %s delay no other order, are polled ever more rarely and are logged once as errors in a day`,
	(_, calls) =>
		inWorld(async (world) => {
			world.stripe.brokenCalls = calls;
			const failing: string[] = [];
			for (let number = 0; number < count; number++) {
				const id = await place(world);
				failing.push(id);
				world.stripe.broken.add(id);
			}
			const unheard = await pay(world, {});
			await runFor(world, 10 * minute);
			expect(statusOf(world, unheard)).toBe("paid");

			await runFor(world, 90 * minute);
			const later = await pay(world, {});
			await runFor(world, 10 * minute);
			expect(statusOf(world, later)).toBe("paid");

			const made = world.stripe.calls.length;
			await runFor(world, 20 * 60 * minute);
			const errors = world.logs.filter(({ level }) => level === "error");
			expect(errors.map(({ event, payment_intent }) => [event, payment_intent]).toSorted()).toEqual(
				failing.map((id) => ["not_polled", id]).toSorted(),
			);
			const own = world.stripe.calls.slice(made).filter((call) => call.includes(`${failing[0]}/cancel`));
			// each poll makes two attempts
			expect(own.length).toBeLessThanOrEqual(10);
		}),
);

const failPolls = ({ shop }: World) =>
	shop.exec(`create trigger polls_fail before update of due_at on orders
		begin select raise(abort, 'the order is not polled'); end`);
const failSessions = ({ shop }: World) =>
	shop.exec(`insert into sessions (id, user_id, expires_at) values ('kept', 'alice', 0);
		create trigger sessions_are_kept before delete on sessions
		begin select raise(abort, 'the session is kept'); end`);

describe("a part of every run that fails (fault 38)", () => {
	test.each<[string, (world: World) => void, string, string[]]>([
		["delete_sessions", failSessions, "paid", ["session", "kept"]],
		["delete_abandoned", failCleanup, "paid", ["pi_older", "pi_old"]],
		["poll_orders", failPolls, "placed", []],
	])("%s: is logged once in every run, and the other parts do their work", (part, fail, status, left) =>
		inWorld(async (world) => {
			fail(world);
			const unheard = await pay(world, {});
			world.shop.exec(`
				insert into sessions (id, user_id, expires_at) values ('session', 'alice', 0);
				insert into orders (payment_intent_id, amount, currency, status, created, placed_at, due_at)
					values ('pi_older', 50, 'usd', 'abandoned', 0, 0, 0)`);
			await runFor(world, 10 * minute);
			expect(statusOf(world, unheard)).toBe(status);
			const kept = world.shop.all(
				"select id from sessions union select payment_intent_id from orders where amount = 50",
			);
			expect(kept.map(({ id }) => id).toSorted()).toEqual(left.toSorted());
			for (const [event, line] of [
				["reconcile_failed", { level: "error", part }],
				["reconciled", { finished: false }],
			] as const) {
				expect(world.logs.filter((logged) => logged["event"] === event)).toMatchObject([line, line]);
			}
		}),
	);
});
