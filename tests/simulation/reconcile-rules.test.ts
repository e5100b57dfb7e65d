import { describe, expect, test } from "vitest";
import { timeouts } from "#app/http/timeout.server.ts";
import { otherCurrency } from "../support/catalogue.ts";
import {
	change,
	deleteEvents,
	itemsOf,
	list,
	mentions,
	metadataOf,
	orderOf,
	pay,
	payAndLoseOrder,
	payWithoutOrder,
	place,
	recordRefund,
	refundOf,
	run,
	statusOf,
	succeed,
	testInWorld,
	unresolved,
} from "./rows.ts";
import { book, day, failCleanup, hour, inWorld, minute, openTab, wait } from "./scenario.ts";
import type { World } from "./world.ts";

// The rules of a run of reconcile, without faults.

const posts = (calls: string[]) => calls.filter((call) => call.startsWith("POST"));

describe("unpaid orders", () => {
	testInWorld(
		"are polled after one minute, then after growing intervals, and canceled after an hour",
		async (world) => {
			const id = await place(world, { user: "alice" });
			const polled: [number, string[]][] = [];
			for (let minutes = 1; minutes <= 70; minutes++) {
				const { calls } = await run(world, minute);
				const own = calls.filter((call) => call.includes(id));
				if (own.length > 0) polled.push([minutes, own.map((call) => call.replace(/[? ][^/]*$/, ""))]);
			}
			expect(polled).toEqual([
				[1, [`GET /payment_intents/${id}`]],
				[4, [`GET /payment_intents/${id}`]],
				[16, [`GET /payment_intents/${id}`]],
				[60, [`POST /payment_intents/${id}/cancel`]],
			]);
			expect(statusOf(world, id)).toBe("abandoned");
			expect(world.logs).toContainEqual({ level: "info", event: "abandoned", payment_intent: id });
		},
	);

	testInWorld(
		"whose payment is processing for more than a day are kept, and marked as paid once it has succeeded",
		async (world) => {
			const id = await pay(world);
			deleteEvents(world);
			change(world, id, "$.status", "processing");
			await run(world, day + minute);
			expect(statusOf(world, id)).toBe("placed");
			change(world, id, "$.status", "succeeded");
			await run(world, day);
			expect(statusOf(world, id)).toBe("paid");
		},
	);

	testInWorld("whose payment was canceled at Stripe are marked as abandoned", async (world) => {
		const id = await place(world);
		change(world, id, "$.status", "canceled");
		await run(world, minute);
		expect(orderOf(world, id)).toMatchObject({ status: "abandoned", guest_token_hash: null });
		// Stripe refuses to change a canceled payment
		expect(metadataOf(world, id)).toHaveProperty("guest_token_hash");
		expect(itemsOf(world)).toEqual([]);
	});

	testInWorld("that were abandoned are deleted after 30 days, with items that they still have", async (world) => {
		const id = await place(world);
		await run(world, hour);
		const item = { position: 0, product_id: "1", title: "A book", image: "", price_cents: 50, rating: 3 };
		world.shop.insert("order_items", { payment_intent_id: id, ...item });
		world.clock.ms += 30 * day - minute;
		await run(world);
		expect(statusOf(world, id)).toBe("abandoned");
		world.clock.ms += minute;
		await run(world);
		expect(orderOf(world, id)).toBeUndefined();
		expect(itemsOf(world)).toEqual([]);
	});
});

describe("a payment without an order", () => {
	testInWorld("is not refunded before its charge is three minutes old, also if the intent is older", async (world) => {
		const tab = await openTab(world, "prepares");
		await wait(10 * minute);
		await tab.confirm();
		await run(world);
		expect(refundOf(world, tab.id)).toBeUndefined();
	});

	testInWorld("counts against the limit of five per run, and waits for the next run at no cost", async (world) => {
		for (let count = 0; count < 12; count++) await payWithoutOrder(world);
		const refunds = () => world.shop.all("select * from refunds").length;
		await run(world, 4 * minute);
		expect(refunds()).toBe(5);
		expect(unresolved(world)).toMatchObject(Array.from({ length: 7 }, () => ({ attempts: 0, failure: null })));
		await run(world, 5 * minute);
		expect(refunds()).toBe(10);
		await run(world, 5 * minute);
		expect(refunds()).toBe(12);
	});

	testInWorld("in a former currency of the shop is resolved like any other", async (world) => {
		const [placed, orphan, lost] = [await pay(world), await payWithoutOrder(world), await payAndLoseOrder(world)];
		for (const id of [placed, orphan, lost]) change(world, id, "$.currency", otherCurrency);
		world.shop.exec(`update orders set currency = '${otherCurrency}'`);
		await run(world, 4 * minute);
		for (const id of [placed, lost])
			expect(orderOf(world, id)).toMatchObject({ status: "paid", currency: otherCurrency });
		expect(refundOf(world, orphan)).toMatchObject({ status: "succeeded" });
		expect(unresolved(world)).toEqual([]);
	});

	testInWorld("in another currency than its order is never refunded and is reported once", async (world) => {
		const id = await pay(world);
		change(world, id, "$.currency", otherCurrency);
		const { logs } = await run(world, 4 * minute);
		expect(logs).toContainEqual(expect.objectContaining({ event: "payment_undecided", payment_intent: id }));
		expect(unresolved(world)).toMatchObject([{ payment_intent_id: id, failure: "undecided" }]);
		expect((await run(world, hour)).logs.filter(({ event }) => event === "payment_undecided")).toEqual([]);
		expect([refundOf(world, id), statusOf(world, id)]).toEqual([undefined, "placed"]);
	});

	test.each([
		["of another shop is never refunded", "$.metadata.shop", "another", []],
		["that is still processing is not decided", "$.status", "processing", [{ failure: null }]],
	])("%s", (_, path, value, listed) =>
		inWorld(async (world) => {
			const id = await payWithoutOrder(world);
			list(world, id);
			change(world, id, path, value);
			await run(world, hour);
			expect(refundOf(world, id)).toBeUndefined();
			expect(unresolved(world)).toMatchObject(listed);
		}),
	);
});

describe("the wait of an unresolved payment", () => {
	testInWorld("is four minutes after the first three attempts that fail, then doubles, up to a day", async (world) => {
		const id = await payAndLoseOrder(world);
		deleteEvents(world);
		list(world, id);
		world.stripe.broken.add(id);
		// that another part of the run fails does not mean that Stripe is down
		failCleanup(world);
		const waits: number[] = [];
		for (let attempt = 1; attempt <= 14; attempt++) {
			const startedAt = world.now();
			await run(world);
			const [{ attempts, due_at } = {}] = unresolved(world);
			expect(attempts).toBe(attempt);
			waits.push((Number(due_at) - startedAt) / 60);
			// not due before
			world.clock.ms = (Number(due_at) - 1) * 1000;
			expect(mentions((await run(world)).calls, id)).toBe(false);
			world.clock.ms = Number(due_at) * 1000;
		}
		expect(waits).toEqual([4, 4, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440, 1440, 1440]);
	});

	testInWorld("does not grow, and the attempt does not count, while Stripe is down", async (world) => {
		const id = await payAndLoseOrder(world);
		list(world, id);
		for (const broken of ["", id]) world.stripe.broken.add(broken);
		for (let runs = 1; runs <= 24; runs++) {
			const { logs, reconciled } = await run(world, 5 * minute);
			expect(logs).toContainEqual(expect.objectContaining({ event: "reconcile_failed", part: "read_events" }));
			expect(reconciled).toMatchObject({ resolved: 0, finished: false });
		}
		expect(unresolved(world)).toMatchObject([{ attempts: 0, failure: expect.stringContaining("connect") }]);
		expect(world.logs.filter(({ event }) => event === "not_reconciled")).toHaveLength(1);
		world.stripe.broken.clear();
		await run(world, 5 * minute);
		expect(statusOf(world, id)).toBe("paid");
	});
});

describe("a refund", () => {
	testInWorld("that is recorded but was never requested is requested, whatever the limit per run", async (world) => {
		for (let count = 0; count < 6; count++) recordRefund(world, await payWithoutOrder(world));
		deleteEvents(world);
		await run(world);
		const statuses = world.shop.all("select status from refunds").map(({ status }) => status);
		expect(statuses).toEqual(Array.from({ length: 6 }, () => "succeeded"));
	});
});

describe("a refund that fails or is canceled", () => {
	test.each([
		["after the shop has recorded it", true, true],
		["before the shop has recorded it", true, false],
		["before its order is marked as paid", false, false],
	])("%s leaves the order paid, and is recorded and logged once", (_, isPaid, isRecorded) =>
		inWorld(async (world) => {
			const [failed, canceled] = [
				await pay(world, { user: "alice", card: "pm_card_refundFail" }),
				await pay(world, { card: "pm_card_pendingRefund" }),
			];
			if (isPaid) await run(world);
			for (const id of [failed, canceled]) await world.stripe.refundByHand(id);
			if (isRecorded) await run(world);
			for (const id of [failed, canceled]) expect(statusOf(world, id) === "refunded").toBe(isRecorded);
			await world.stripe.cancelRefund(canceled);
			for (let runs = 0; runs < 5; runs++) await run(world, 5 * minute);
			for (const id of [failed, canceled]) {
				expect([statusOf(world, id), refundOf(world, id)?.["status"]]).toEqual(["paid", "failed"]);
			}
			const logged = world.logs.filter(({ event }) => event === "refund_failed");
			expect(new Map(logged.map(({ payment_intent, status }) => [payment_intent, status]))).toEqual(
				new Map([
					[failed, "failed"],
					[canceled, "canceled"],
				]),
			);
			expect(logged).toHaveLength(2);
		}),
	);
});

describe("a claimed order", () => {
	const claim = ({ shop }: World) => shop.exec("update orders set user_id = 'alice', guest_token_hash = null");

	testInWorld("has its new owner copied to Stripe after its payment", async (world) => {
		const id = await place(world);
		claim(world);
		await run(world, minute);
		expect(metadataOf(world, id)).not.toHaveProperty("user_id");
		expect(unresolved(world)).toEqual([]);
		succeed(world, id, book.priceCents);
		// the second poll of the order lists its payment
		await run(world, 3 * minute);
		const { calls } = await run(world, 5 * minute);
		expect(metadataOf(world, id)).toMatchObject({ user_id: "alice", items: `${book.id}:1:${book.priceCents}` });
		expect(metadataOf(world, id)).not.toHaveProperty("guest_token_hash");
		expect(posts(calls)).toHaveLength(1);
		expect(unresolved(world)).toEqual([]);
		list(world, id);
		expect(posts((await run(world)).calls)).toEqual([]);
	});

	testInWorld("that is abandoned keeps its metadata", async (world) => {
		const id = await place(world);
		claim(world);
		world.shop.exec("update orders set status = 'abandoned'");
		list(world, id);
		expect(posts((await run(world)).calls)).toEqual([]);
		expect(unresolved(world)).toEqual([]);
	});
});

describe("a run", () => {
	testInWorld("ends after three minutes even if every call times out, and the next ones continue", async (world) => {
		const lost: string[] = [];
		for (let count = 0; count < 25; count++) {
			const id = await payAndLoseOrder(world);
			lost.push(id);
			list(world, id);
			for (const broken of [id, await place(world)]) world.stripe.broken.add(broken);
		}
		world.stripe.slow = timeouts.stripeCall;
		world.clock.ms += minute;
		const startedAt = world.now();
		const { reconciled } = await run(world);
		expect(reconciled).toMatchObject({ finished: false });
		expect(world.now() - startedAt).toBeLessThan(3.5 * 60);
		world.stripe.slow = 0;
		world.stripe.broken.clear();
		for (let runs = 1; runs <= 2; runs++) await run(world, 5 * minute);
		expect(new Set(lost.map((id) => statusOf(world, id)))).toEqual(new Set(["paid"]));
	});
});
