import { describe, expect, test } from "vitest";
import * as catalogue from "../support/catalogue.ts";
import { runCron } from "./events.ts";
import { book, createTab, day, intentOf, inWorld, minute, reopen, speaker } from "./scenario.ts";
import { currentScope } from "./scope.ts";
import { receiveEvent } from "./shop.ts";
import type { World } from "./world.ts";

// The rules of a run of reconcile and of Stripe's events, without faults.

const bookPrice = catalogue.book.priceCents;
const hour = 60 * minute;

async function pass(time: number): Promise<void> {
	await new Promise((resolve) => setTimeout(resolve, time));
}

async function pay(world: World, options: Parameters<typeof createTab>[2] = { user: "alice" }): Promise<string> {
	return intentOf(await createTab(world, "pays", options));
}

async function payWithoutOrder(world: World): Promise<string> {
	return intentOf(await createTab(world, "pays without an order"));
}

function loseOrder(world: World, id: string): void {
	world.shop.exec(`delete from order_items where payment_intent_id = '${id}'`);
	world.shop.exec(`delete from orders where payment_intent_id = '${id}'`);
}

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

/** Changes an object at Stripe. */
function change({ stripe }: World, id: string, path: string, json: string): void {
	stripe.database.all("update objects set object = json_set(object, ?, json(?)) where id = ?", [path, json, id]);
}

const orderOf = ({ shop }: World, id: string) => shop.all("select * from orders where payment_intent_id = ?", [id])[0];
const statusOf = (world: World, id: string) => orderOf(world, id)?.["status"];
const refundOf = ({ shop }: World, id: string) =>
	shop.all("select * from refunds where payment_intent_id = ?", [id])[0];
const unresolved = ({ shop }: World) => shop.all("select * from unresolved_payments order by payment_intent_id");
const metadataOf = ({ stripe }: World, id: string) =>
	JSON.parse(
		String(stripe.database.all("select object ->> '$.metadata' as text from objects where id = ?", [id])[0]?.["text"]),
	);
/** Runs the cron. Returns its calls to Stripe and its log lines. */
async function run(world: World): Promise<{ calls: string[]; logs: Record<string, unknown>[] }> {
	const [calls, lines] = [world.stripe.calls.length, world.logs.length];
	await runCron(world);
	const logs = world.logs.slice(lines).map((line) => JSON.parse(String(line)));
	return { calls: world.stripe.calls.slice(calls), logs };
}

const about = (calls: string[], id: string) =>
	calls
		.filter((call) => call.includes(id))
		.map((call) => call.replace(/https:\/\/[^/]+\/v1/, "").replace(/[? ][^/]*$/, ""));

describe("unpaid orders", () => {
	test("are polled after one minute, then after growing intervals, and canceled after an hour", () =>
		inWorld(async (world) => {
			const id = intentOf(await createTab(world, "places", { user: "alice" }));
			const polled: [number, string[]][] = [];
			for (let minutes = 1; minutes <= 70; minutes++) {
				await pass(minute);
				const { calls } = await run(world);
				const own = about(calls, id);
				if (own.length > 0) polled.push([minutes, own.map((call) => call.split("/").at(-1) ?? "")]);
			}
			expect(polled).toEqual([
				[1, [id]],
				[4, [id]],
				[16, [id]],
				[60, ["cancel"]],
			]);
			expect(statusOf(world, id)).toBe("abandoned");
			expect(world.logs).toContain(`{"event":"abandoned","payment_intent":"${id}"}`);
		}));

	test("whose cancellation fails are tried again after growing intervals of at most an hour", () =>
		inWorld(async (world) => {
			const id = intentOf(await createTab(world, "places"));
			world.stripe.broken.add(id);
			const tried: number[] = [];
			for (let minutes = 5; minutes <= 6 * 60; minutes += 5) {
				await pass(5 * minute);
				const { calls } = await run(world);
				if (about(calls, id).length > 0) tried.push(minutes);
			}
			const late = tried.filter((minutes) => minutes >= 60);
			const intervals = late.slice(1).map((minutes, index) => minutes - (late[index] ?? 0));
			expect(late[0]).toBe(60);
			expect(intervals.toSorted((a, b) => a - b)).toEqual(intervals);
			expect(Math.max(...intervals)).toBeLessThanOrEqual(65);
			expect(late.length).toBeLessThan(12);
			expect(statusOf(world, id)).toBe("placed");
		}));

	test("that are paid just before the hour is over are marked as paid, not canceled", () =>
		inWorld(async (world) => {
			const id = await pay(world);
			world.stripe.database.exec("delete from objects where kind = 'event'");
			await pass(hour);
			await run(world);
			expect(statusOf(world, id)).toBe("paid");
			expect(world.logs.join()).not.toContain('"abandoned"');
		}));

	test("whose payment is processing for more than a day are kept, and marked as paid when it has succeeded", () =>
		inWorld(async (world) => {
			const id = await pay(world);
			change(world, id, "$.status", '"processing"');
			world.clock.ms += day + minute;
			await run(world);
			expect(statusOf(world, id)).toBe("placed");
			change(world, id, "$.status", '"succeeded"');
			await pass(hour);
			await run(world);
			expect(statusOf(world, id)).toBe("paid");
		}));

	test("whose payment was canceled at Stripe are marked as abandoned", () =>
		inWorld(async (world) => {
			const id = intentOf(await createTab(world, "places"));
			change(world, id, "$.status", '"canceled"');
			await pass(minute);
			await run(world);
			expect(orderOf(world, id)).toMatchObject({ status: "abandoned", guest_token_hash: null });
			expect(world.shop.all("select * from order_items")).toEqual([]);
		}));

	test("of another amount than the payment's are listed as unresolved", () =>
		inWorld(async (world) => {
			const id = await pay(world);
			world.stripe.database.exec("delete from objects where kind = 'event'");
			world.shop.exec("update orders set amount = amount + 1");
			await pass(minute);
			await run(world);
			expect(unresolved(world)).toMatchObject([{ payment_intent_id: id }]);
			await pass(5 * minute);
			await run(world);
			expect(orderOf(world, id)).toMatchObject({ status: "paid", amount: bookPrice, user_id: "alice" });
		}));

	test("that were abandoned are deleted after 30 days, with items that they still have", () =>
		inWorld(async (world) => {
			const id = intentOf(await createTab(world, "places"));
			await pass(hour);
			await run(world);
			world.shop.exec(`insert into order_items values ('${id}', 0, '1', 'A book', '', 50, 3, 1)`);
			world.clock.ms += 30 * day - minute;
			await run(world);
			expect(statusOf(world, id)).toBe("abandoned");
			world.clock.ms += minute;
			await run(world);
			expect(orderOf(world, id)).toBeUndefined();
			expect(world.shop.all("select * from order_items")).toEqual([]);
		}));
});

describe("a payment without an order", () => {
	test("is not refunded before its charge is three minutes old, also if the intent is older", () =>
		inWorld(async (world) => {
			const tab = await createTab(world, "prepares");
			await pass(10 * minute);
			await reopen(world, tab).tab.confirm();
			await run(world);
			expect(refundOf(world, intentOf(tab))).toBeUndefined();
		}));

	test("counts against the limit of five per run, and waits for the next run at no cost", () =>
		inWorld(async (world) => {
			const ids: string[] = [];
			for (let count = 0; count < 12; count++) ids.push(await payWithoutOrder(world));
			await pass(4 * minute);
			const refunded = () => ids.filter((id) => refundOf(world, id)).length;
			await run(world);
			expect(refunded()).toBe(5);
			expect(unresolved(world)).toMatchObject(Array.from({ length: 7 }, () => ({ attempts: 0, failure: null })));
			await pass(5 * minute);
			await run(world);
			expect(refunded()).toBe(10);
			await pass(5 * minute);
			await run(world);
			expect(refunded()).toBe(12);
		}));

	test("of another shop is never refunded", () =>
		inWorld(async (world) => {
			const id = await payWithoutOrder(world);
			change(world, id, "$.metadata.shop", '"another"');
			world.shop.exec(`insert into unresolved_payments values ('${id}', 0, 0, 0, null)`);
			await pass(hour);
			await run(world);
			expect(refundOf(world, id)).toBeUndefined();
			expect(unresolved(world)).toEqual([]);
		}));

	test("that is still processing is not decided", () =>
		inWorld(async (world) => {
			const id = await payWithoutOrder(world);
			change(world, id, "$.status", '"processing"');
			await pass(hour);
			await run(world);
			expect(refundOf(world, id)).toBeUndefined();
			expect(unresolved(world)).toMatchObject([{ payment_intent_id: id, failure: null }]);
		}));
});

describe("the wait of an unresolved payment", () => {
	test("is four minutes after the first three attempts, then doubles, up to a day", () =>
		inWorld(async (world) => {
			const id = await pay(world);
			loseOrder(world, id);
			change(world, id, "$.metadata.items", `"${book}:1:999"`);
			world.stripe.database.exec("delete from objects where kind = 'event'");
			world.shop.exec(`insert into unresolved_payments values ('${id}', 0, 0, ${world.now()}, null)`);
			const waits: number[] = [];
			for (let attempt = 1; attempt <= 14; attempt++) {
				const startedAt = world.now();
				await run(world);
				const [row] = unresolved(world);
				waits.push((Number(row?.["due_at"]) - startedAt) / 60);
				// not due before
				world.clock.ms += (Number(row?.["due_at"]) - world.now() - 1) * 1000;
				expect(about((await run(world)).calls, id)).toEqual([]);
				world.clock.ms += 1000;
			}
			expect(waits).toEqual([4, 4, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440, 1440, 1440]);
		}));

	test("does not grow, and the attempt does not count, while Stripe is down", () =>
		inWorld(async (world) => {
			const id = await pay(world);
			loseOrder(world, id);
			world.shop.exec(`insert into unresolved_payments values ('${id}', 0, 0, 0, null)`);
			for (const broken of ["", id]) world.stripe.broken.add(broken);
			for (let runs = 1; runs <= 24; runs++) {
				const { logs } = await run(world);
				expect(logs).toContainEqual(expect.objectContaining({ event: "reconcile_failed", part: "read_events" }));
				expect(logs).toContainEqual(expect.objectContaining({ event: "reconciled", resolved: 0, finished: false }));
				await pass(5 * minute);
			}
			expect(unresolved(world)).toMatchObject([{ attempts: 0, failure: expect.stringContaining("connect") }]);
			expect(world.logs.filter((line) => String(line).includes("not_reconciled"))).toHaveLength(1);
			world.stripe.broken.clear();
			await run(world);
			expect(statusOf(world, id)).toBe("paid");
		}));
});

describe("a refund", () => {
	test("that is pending keeps its payment listed until it has succeeded", () =>
		inWorld(async (world) => {
			const id = await pay(world, { user: "alice", card: "pm_card_pendingRefund" });
			await run(world);
			await world.stripe.refundByHand(id);
			await run(world);
			expect([statusOf(world, id), refundOf(world, id)?.["status"]]).toEqual(["refunded", "pending"]);
			expect(unresolved(world)).toMatchObject([{ payment_intent_id: id }]);
			await pass(5 * minute);
			await run(world);
			expect(refundOf(world, id)).toMatchObject({ status: "succeeded" });
			expect(unresolved(world)).toEqual([]);
		}));

	test("that is recorded but was never requested is requested, whatever the limit per run", () =>
		inWorld(async (world) => {
			const ids: string[] = [];
			for (let count = 0; count < 6; count++) ids.push(await payWithoutOrder(world));
			for (const id of ids) world.shop.exec(`insert into refunds values ('${id}', 'orphan', null, 'pending', 0, 0)`);
			world.stripe.database.exec("delete from objects where kind = 'event'");
			await run(world);
			expect(ids.map((id) => refundOf(world, id)?.["status"])).toEqual(ids.map(() => "succeeded"));
		}));
});

describe("a claimed order", () => {
	test("has its new owner copied to Stripe once it is no longer unpaid", () =>
		inWorld(async (world) => {
			const id = intentOf(await createTab(world, "places"));
			world.shop.exec("update orders set user_id = 'alice', guest_token_hash = null");
			world.shop.exec(`insert into unresolved_payments values ('${id}', 0, 0, 0, null)`);
			await run(world);
			expect(metadataOf(world, id)).not.toHaveProperty("user_id");
			expect(unresolved(world)).toMatchObject([{ payment_intent_id: id, attempts: 1 }]);
			change(world, id, "$.status", '"succeeded"');
			change(world, id, "$.amount_received", String(bookPrice));
			await pass(5 * minute);
			const { calls } = await run(world);
			expect(metadataOf(world, id)).toMatchObject({ user_id: "alice", items: `${book}:1:${bookPrice}` });
			expect(metadataOf(world, id)).not.toHaveProperty("guest_token_hash");
			expect(calls.filter((call) => call.startsWith("POST"))).toHaveLength(1);
			expect(unresolved(world)).toEqual([]);
			world.shop.exec(`insert into unresolved_payments values ('${id}', 0, 0, 0, null)`);
			expect((await run(world)).calls.filter((call) => call.startsWith("POST"))).toEqual([]);
		}));

	test("that is abandoned keeps its metadata", () =>
		inWorld(async (world) => {
			const id = intentOf(await createTab(world, "places"));
			world.shop.exec("update orders set user_id = 'alice', guest_token_hash = null, status = 'abandoned'");
			world.shop.exec(`insert into unresolved_payments values ('${id}', 0, 0, 0, null)`);
			const { calls } = await run(world);
			expect(calls.filter((call) => call.startsWith("POST"))).toEqual([]);
			expect(unresolved(world)).toEqual([]);
		}));
});

describe("events", () => {
	test("of all pages are read, and read again until they are ten minutes old", () =>
		inWorld(async (world) => {
			for (let count = 0; count < 105; count++) await createTab(world, "pays");
			expect((await run(world)).logs).toContainEqual(expect.objectContaining({ event: "reconciled", events: 105 }));
			world.clock.ms += 9 * minute;
			expect((await run(world)).logs).toContainEqual(expect.objectContaining({ event: "reconciled", events: 105 }));
			world.clock.ms += 2 * minute;
			expect((await run(world)).logs).toContainEqual(expect.objectContaining({ event: "reconciled", events: 105 }));
			expect((await run(world)).logs).toContainEqual(expect.objectContaining({ event: "reconciled", events: 0 }));
			await pay(world);
			expect((await run(world)).logs).toContainEqual(expect.objectContaining({ event: "reconciled", events: 1 }));
		}));

	test("of the last 30 days are read in the first run, in slices of at most a thousand events", () =>
		inWorld(async (world) => {
			const id = await pay(world);
			loseOrder(world, id);
			copyEvents(world, 1500, 60);
			world.clock.ms += 29 * day;
			const { logs } = await run(world);
			expect(logs).toContainEqual(expect.objectContaining({ event: "reconciled", events: 1501, finished: true }));
			expect(statusOf(world, id)).toBe("paid");
			loseOrder(world, id);
			expect((await run(world)).logs).toContainEqual(expect.objectContaining({ event: "reconciled", events: 0 }));
			expect(statusOf(world, id)).toBeUndefined();
		}));

	test("of one second are all read", () =>
		inWorld(async (world) => {
			loseOrder(world, await pay(world));
			copyEvents(world, 1200, 0);
			expect((await run(world)).logs).toContainEqual(expect.objectContaining({ event: "reconciled", events: 1201 }));
		}));

	/** Sends a webhook event. Returns the calls to Stripe. */
	async function send(world: World, type: string, object: object): Promise<string[]> {
		const { length } = world.stripe.calls;
		await receiveEvent(world.outside(currentScope()), { type, data: { object: { id: "x", ...object } } });
		return world.stripe.calls
			.slice(length)
			.map((call) => call.replace(/https:\/\/[^/]+\/v1/, "").replace(/\?.*| $/, ""));
	}

	const metadata = { shop: "half-dozen" };

	test("about a refund always ask Stripe for the payment's refunds", () =>
		inWorld(async (world) => {
			const id = await pay(world);
			await run(world);
			await world.stripe.refundByHand(id);
			const asks = [`GET /payment_intents/${id}`, "GET /refunds"];
			expect(await send(world, "charge.refunded", { payment_intent: id, metadata })).toEqual(asks);
			expect(refundOf(world, id)).toMatchObject({ status: "succeeded" });
			for (const type of ["refund.updated", "refund.failed"]) {
				expect(await send(world, type, { payment_intent: id })).toEqual(asks);
			}
		}));

	test("of another shop, of another type or about another object cost no call for refunds", () =>
		inWorld(async (world) => {
			const id = await pay(world);
			const foreign = { shop: "another" };
			expect(await send(world, "payment_intent.succeeded", { id, metadata: foreign })).toEqual([]);
			expect(await send(world, "payment_intent.succeeded", { id })).toEqual([]);
			expect(await send(world, "payment_intent.created", { id, metadata })).toEqual([]);
			expect(await send(world, "charge.refunded", { payment_intent: id, metadata: foreign })).toEqual([]);
			expect(await send(world, "charge.refunded", { payment_intent: null, metadata })).toEqual([]);
			expect(await send(world, "refund.updated", { payment_intent: "pi_1/../x" })).toEqual([]);
			change(world, id, "$.metadata.shop", '"another"');
			expect(await send(world, "refund.updated", { payment_intent: id })).toEqual([`GET /payment_intents/${id}`]);
			expect(statusOf(world, id)).toBe("placed");
		}));

	test("about a payment without an order refund nothing", () =>
		inWorld(async (world) => {
			const id = await payWithoutOrder(world);
			expect(await send(world, "payment_intent.succeeded", { id, metadata })).toEqual([`GET /payment_intents/${id}`]);
			expect(refundOf(world, id)).toBeUndefined();
		}));
});

describe("a run", () => {
	test("stops after three minutes, and the next one continues", () =>
		inWorld(async (world) => {
			const ids: string[] = [];
			for (let count = 0; count < 45; count++) ids.push(await pay(world, { product: speaker }));
			for (const id of ids) {
				loseOrder(world, id);
				world.shop.exec(`insert into unresolved_payments values ('${id}', 0, 0, 0, null)`);
				world.stripe.broken.add(id);
			}
			world.stripe.slow = 2000;
			const { logs, calls } = await run(world);
			expect(logs.at(-1)).toMatchObject({ event: "reconciled", finished: false });
			expect(calls.length).toBeLessThan(90);
			world.stripe.slow = 0;
			world.stripe.broken.clear();
			for (let runs = 1; runs <= 2; runs++) {
				await pass(5 * minute);
				await run(world);
			}
			expect(new Set(ids.map((id) => statusOf(world, id)))).toEqual(new Set(["paid"]));
		}));
});
