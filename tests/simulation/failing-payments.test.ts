import { describe, expect, test } from "vitest";
import { runCron } from "./events.ts";
import { book, createTab, failingCleanup, intentOf, inWorld, minute } from "./scenario.ts";
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
	"whose refund fails at the bank": { prepare: payWithoutOrder },
	"whose refund Stripe refuses": { prepare: payWithoutOrder, calls: /^POST .*\/refunds/ },
	"that cannot be retrieved": { prepare: loseOrder, calls: /^GET .*\/payment_intents/ },
	"whose owner cannot be updated": {
		async prepare(world) {
			const id = intentOf(await createTab(world, "pays"));
			await runSoon(world);
			world.shop.exec(`update orders set user_id = 'alice', guest_token_hash = null where payment_intent_id = '${id}'`);
			list(world, id);
			return id;
		},
		calls: /^POST .*\/payment_intents/,
	},
	"whose copy of the order cannot be rebuilt": {
		async prepare(world) {
			const id = await loseOrder(world);
			const path = `'$.metadata.items', '${book}:1:999'`;
			world.stripe.database.exec(`update objects set object = json_set(object, ${path}) where id = '${id}'`);
			return id;
		},
	},
};

async function payWithoutOrder(world: World): Promise<string> {
	return intentOf(await createTab(world, "pays without an order", { card }));
}

async function loseOrder(world: World): Promise<string> {
	const id = intentOf(await createTab(world, "pays", { user: "alice" }));
	world.shop.exec(`delete from order_items where payment_intent_id = '${id}'`);
	world.shop.exec(`delete from orders where payment_intent_id = '${id}'`);
	return id;
}

/** Lists a payment as unresolved. */
function list(world: World, id: string): void {
	world.shop.exec(`insert into unresolved_payments values ('${id}', ${world.now()}, 0, ${world.now()}, null)`);
}

async function runSoon(world: World): Promise<void> {
	// not by setting the clock, so that Stripe's own timers fire meanwhile
	await new Promise((resolve) => setTimeout(resolve, 5 * minute));
	await runCron(world);
}

/** Runs the cron every five minutes. */
async function runFor(world: World, time: number): Promise<void> {
	for (const end = world.clock.ms + time; world.clock.ms < end; ) await runSoon(world);
}

/** Returns the outcomes of the payments: the status of the order, or of the refund. */
function outcomesOf(world: World, ids: string[]) {
	return ids.map((id) => {
		const [order] = world.shop.all("select status from orders where payment_intent_id = ?", [id]);
		const [refund] = world.shop.all("select status from refunds where payment_intent_id = ?", [id]);
		return order?.["status"] ?? refund?.["status"];
	});
}

describe.each(Object.entries(failures))(`${count} payments %s`, (_, { prepare, calls }) => {
	test("delay no other payment, are attempted ever more rarely and are logged once", async () => {
		await inWorld(async (world) => {
			world.stripe.brokenCalls = calls ?? /^$/;
			const failing: string[] = [];
			for (let number = 0; number < count; number++) {
				const id = await prepare(world);
				failing.push(id);
				world.stripe.broken.add(id);
			}
			const lost = await loseOrder(world);
			await runFor(world, 10 * minute);
			expect(outcomesOf(world, [lost])).toEqual(["paid"]);

			await runFor(world, 90 * minute);
			const [orphan, later] = [intentOf(await createTab(world, "pays without an order")), await loseOrder(world)];
			await runFor(world, 10 * minute);
			expect(outcomesOf(world, [orphan, later])).toEqual(["succeeded", "paid"]);

			await runFor(world, 2 * 60 * minute);
			const logged = (id: string) =>
				world.logs.filter(
					(line) =>
						/"(not_reconciled|refund_failed|payment_undecided)"/.test(String(line)) && String(line).includes(id),
				);
			expect(failing.map((id) => logged(id).length)).toEqual(failing.map(() => 1));
			const [queue] = world.shop.all("select max(attempts) as attempts, count(*) as length from unresolved_payments");
			expect(Number(queue?.["attempts"])).toBeLessThan(12);
			expect([0, count]).toContain(queue?.["length"]);
		});
	});
});

describe("a part of every run that fails (fault 38)", () => {
	test.each<[string, string, RegExp]>([
		["delete_abandoned", failingCleanup, /^$/],
		["read_events", "", /^GET .*\/events/],
	])("%s: is logged in every run, and the other parts do their work", async (part, sql, calls) => {
		await inWorld(async (world) => {
			world.shop.exec(sql);
			world.stripe.brokenCalls = calls;
			world.stripe.broken.add("");
			const polled = intentOf(await createTab(world, "pays"));
			const [listed, orphan] = [await loseOrder(world), intentOf(await createTab(world, "pays without an order"))];
			for (const id of [listed, orphan]) list(world, id);
			await runFor(world, 10 * minute);
			expect(outcomesOf(world, [polled, listed, orphan])).toEqual(["paid", "paid", "succeeded"]);
			const failures = world.logs.filter((line) => String(line).includes('"event":"reconcile_failed"'));
			expect(failures.every((line) => String(line).includes(`"part":"${part}"`))).toBe(true);
			expect(failures.length).toBeGreaterThan(0);
		});
	});
});
