import { describe, expect, test } from "vitest";
import { timeouts } from "#app/services.server.ts";
import * as catalogue from "../support/catalogue.ts";
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
	refundOf,
	run,
	statusOf,
	succeed,
	testInWorld,
	unresolved,
} from "./rows.ts";
import { book, createTab, day, failingCleanup, hour, intentOf, inWorld, minute, reopen, speaker } from "./scenario.ts";
import type { World } from "./world.ts";

// The rules of a run of reconcile, without faults.

const bookPrice = catalogue.book.priceCents;
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

	testInWorld("whose cancellation fails are tried again after growing intervals of at most a day", async (world) => {
		const id = await place(world);
		world.stripe.broken.add(id);
		const tried: number[] = [];
		for (let minutes = 5; minutes <= 5 * 24 * 60; minutes += 5) {
			const { calls } = await run(world, 5 * minute);
			if (mentions(calls, `${id}/cancel`)) tried.push(minutes);
		}
		const intervals = tried.slice(1).map((minutes, index) => minutes - (tried[index] ?? 0));
		expect(tried[0]).toBe(60);
		expect(intervals.toSorted((a, b) => a - b)).toEqual(intervals);
		expect(Math.max(...intervals)).toBe(24 * 60);
		expect(tried.length).toBeLessThan(16);
		expect(statusOf(world, id)).toBe("placed");
	});

	testInWorld("that are paid just before the hour is over are marked as paid, not canceled", async (world) => {
		const id = await pay(world);
		deleteEvents(world);
		await run(world, hour);
		expect(statusOf(world, id)).toBe("paid");
		expect(world.logs.map(({ event }) => event)).not.toContain("abandoned");
	});

	testInWorld("whose payment is processing for more than a day are kept until it has succeeded", async (world) => {
		const id = await pay(world);
		change(world, id, "$.status", "processing");
		world.clock.ms += day + minute;
		await run(world);
		expect(statusOf(world, id)).toBe("placed");
		change(world, id, "$.status", "succeeded");
		await run(world, hour);
		expect(statusOf(world, id)).toBe("paid");
	});

	testInWorld("whose payment was canceled at Stripe are marked as abandoned", async (world) => {
		const id = await place(world);
		change(world, id, "$.status", "canceled");
		await run(world, minute);
		expect(orderOf(world, id)).toMatchObject({ status: "abandoned", guest_token_hash: null });
		// Stripe refuses to change a canceled payment
		expect(metadataOf(world, id)).toHaveProperty("guest_token_hash");
		expect(itemsOf(world)).toEqual([]);
	});

	testInWorld("of another amount than the payment's are listed as unresolved", async (world) => {
		const id = await pay(world);
		deleteEvents(world);
		world.shop.exec("update orders set amount = amount + 1");
		await run(world, minute);
		expect(unresolved(world)).toMatchObject([{ payment_intent_id: id }]);
		await run(world, 5 * minute);
		expect(orderOf(world, id)).toMatchObject({ status: "paid", amount: bookPrice, user_id: "alice" });
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
		const tab = await createTab(world, "prepares");
		world.clock.ms += 10 * minute;
		await reopen(world, tab).tab.confirm();
		await run(world);
		expect(refundOf(world, intentOf(tab))).toBeUndefined();
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
		for (const id of [placed, orphan, lost]) change(world, id, "$.currency", catalogue.otherCurrency);
		world.shop.exec(`update orders set currency = '${catalogue.otherCurrency}'`);
		await run(world, 4 * minute);
		for (const id of [placed, lost])
			expect(orderOf(world, id)).toMatchObject({ status: "paid", currency: catalogue.otherCurrency });
		expect(refundOf(world, orphan)).toMatchObject({ status: "succeeded" });
		expect(unresolved(world)).toEqual([]);
	});

	testInWorld("in another currency than its order is never refunded and is reported once", async (world) => {
		const id = await pay(world);
		change(world, id, "$.currency", catalogue.otherCurrency);
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
	testInWorld("is four minutes after the first three attempts, then doubles, up to a day", async (world) => {
		const id = await payAndLoseOrder(world);
		change(world, id, "$.metadata.items", `${book}:1:999`);
		deleteEvents(world);
		list(world, id);
		const waits: number[] = [];
		for (let attempt = 1; attempt <= 14; attempt++) {
			const startedAt = world.now();
			await run(world);
			const dueAt = Number(unresolved(world)[0]?.["due_at"]);
			waits.push((dueAt - startedAt) / 60);
			// not due before
			world.clock.ms = (dueAt - 1) * 1000;
			expect(mentions((await run(world)).calls, id)).toBe(false);
			world.clock.ms = dueAt * 1000;
		}
		expect(waits).toEqual([4, 4, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1440, 1440, 1440]);
	});

	testInWorld("grows with each attempt that fails, unless Stripe is down", async (world) => {
		const id = await payAndLoseOrder(world);
		deleteEvents(world);
		list(world, id);
		world.stripe.broken.add(id);
		// that another part of the run fails does not matter
		world.shop.exec(failingCleanup);
		for (const attempts of [1, 2, 3, 4]) {
			await run(world, 5 * minute);
			const [row] = unresolved(world);
			// the SDK retries after less than a second
			const minutes = Math.round((Number(row?.["due_at"]) - world.now()) / 60);
			expect([row?.["attempts"], minutes]).toEqual([attempts, attempts < 4 ? 4 : 8]);
		}
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
	testInWorld("that is pending keeps its payment listed until it has succeeded", async (world) => {
		const id = await pay(world, { user: "alice", card: "pm_card_pendingRefund" });
		await run(world);
		await world.stripe.refundByHand(id);
		await run(world);
		expect([statusOf(world, id), refundOf(world, id)?.["status"]]).toEqual(["refunded", "pending"]);
		expect(unresolved(world)).toMatchObject([{ payment_intent_id: id }]);
		await run(world, 5 * minute);
		expect(refundOf(world, id)).toMatchObject({ status: "succeeded" });
		expect(unresolved(world)).toEqual([]);
	});

	testInWorld("that is recorded but was never requested is requested, whatever the limit per run", async (world) => {
		for (let count = 0; count < 6; count++) {
			const id = await payWithoutOrder(world);
			const refund = { reason: "orphan", status: "pending", attempts: 0, created: 0 };
			world.shop.insert("refunds", { payment_intent_id: id, ...refund });
		}
		deleteEvents(world);
		await run(world);
		const statuses = world.shop.all("select status from refunds").map(({ status }) => status);
		expect(statuses).toEqual(Array.from({ length: 6 }, () => "succeeded"));
	});
});

describe("a refund that fails or is canceled", () => {
	const failures = ({ logs }: World) =>
		logs.flatMap(({ event, payment_intent, status }) => (event === "refund_failed" ? [[payment_intent, status]] : []));

	testInWorld("leaves the order paid, and is recorded and logged once", async (world) => {
		const id = await pay(world, { user: "alice", card: "pm_card_refundFail" });
		await run(world);
		await world.stripe.refundByHand(id);
		await run(world);
		expect(statusOf(world, id)).toBe("refunded");
		for (let runs = 0; runs < 4; runs++) await run(world, 5 * minute);
		expect([statusOf(world, id), refundOf(world, id)?.["status"]]).toEqual(["paid", "failed"]);
		expect(failures(world)).toEqual([[id, "failed"]]);
	});

	testInWorld("before the shop has seen it, is recorded and logged once too", async (world) => {
		const [id, other] = [
			await pay(world, { card: "pm_card_refundFail" }),
			await pay(world, { card: "pm_card_pendingRefund" }),
		];
		await run(world);
		for (const payment of [id, other]) await world.stripe.refundByHand(payment);
		await world.stripe.cancelRefund(other);
		await new Promise((resolve) => setTimeout(resolve, 5 * minute));
		for (let runs = 0; runs < 4; runs++) await run(world, 5 * minute);
		for (const payment of [id, other]) {
			expect([statusOf(world, payment), refundOf(world, payment)?.["status"]]).toEqual(["paid", "failed"]);
		}
		expect(failures(world).toSorted()).toEqual(
			[
				[id, "failed"],
				[other, "canceled"],
			].toSorted(),
		);
	});

	testInWorld("before its order is marked as paid, leaves the order to be paid", async (world) => {
		const id = await pay(world, { card: "pm_card_refundFail" });
		await world.stripe.refundByHand(id);
		await new Promise((resolve) => setTimeout(resolve, 5 * minute));
		await run(world);
		expect([statusOf(world, id), refundOf(world, id)?.["status"]]).toEqual(["paid", "failed"]);
	});

	testInWorld("is not recorded again after the operator has returned the money", async (world) => {
		const id = await pay(world, { card: "pm_card_refundFail" });
		await run(world);
		await world.stripe.refundByHand(id);
		for (let runs = 0; runs < 2; runs++) await run(world, 2 * minute);
		world.shop.exec("update refunds set refund_id = null, status = 'succeeded'; update orders set status = 'refunded'");
		await run(world, minute);
		expect([statusOf(world, id), refundOf(world, id)?.["status"]]).toEqual(["refunded", "succeeded"]);
		expect(failures(world)).toHaveLength(1);
	});
});

describe("a claimed order", () => {
	const claim = ({ shop }: World) => shop.exec("update orders set user_id = 'alice', guest_token_hash = null");

	testInWorld("has its new owner copied to Stripe after its payment", async (world) => {
		const id = await place(world);
		claim(world);
		await run(world, minute);
		expect(metadataOf(world, id)).not.toHaveProperty("user_id");
		expect(unresolved(world)).toEqual([]);
		succeed(world, id, bookPrice);
		// the second poll of the order lists its payment
		await run(world, 3 * minute);
		const { calls } = await run(world, 5 * minute);
		expect(metadataOf(world, id)).toMatchObject({ user_id: "alice", items: `${book}:1:${bookPrice}` });
		expect(metadataOf(world, id)).not.toHaveProperty("guest_token_hash");
		expect(posts(calls)).toHaveLength(1);
		expect(unresolved(world)).toEqual([]);
		list(world, id);
		expect(posts((await run(world)).calls)).toEqual([]);
	});

	testInWorld("that was already paid loses the hash of the guest's token at Stripe too", async (world) => {
		const tab = await createTab(world, "pays");
		await run(world, minute);
		const id = intentOf(tab);
		expect([statusOf(world, id), metadataOf(world, id)]).toMatchObject([
			"paid",
			{ guest_token_hash: expect.any(String) },
		]);
		await reopen(world, tab).browser.signIn("alice");
		await run(world, minute);
		expect(metadataOf(world, id)).toMatchObject({ user_id: "alice" });
		expect(metadataOf(world, id)).not.toHaveProperty("guest_token_hash");
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
	testInWorld("stops after three minutes, and the next one continues", async (world) => {
		const ids: string[] = [];
		for (let count = 0; count < 45; count++) ids.push(await payAndLoseOrder(world, { product: speaker }));
		for (const id of ids) {
			list(world, id);
			world.stripe.broken.add(id);
		}
		world.stripe.slow = 2000;
		const { reconciled, calls } = await run(world);
		expect(reconciled).toMatchObject({ finished: false });
		expect(calls.length).toBeLessThan(90);
		world.stripe.slow = 0;
		world.stripe.broken.clear();
		for (let runs = 1; runs <= 2; runs++) await run(world, 5 * minute);
		expect(new Set(ids.map((id) => statusOf(world, id)))).toEqual(new Set(["paid"]));
	});

	testInWorld("ends after three minutes even if every call times out, and says so", async (world) => {
		for (let count = 0; count < 20; count++) {
			const lost = await payAndLoseOrder(world);
			list(world, lost);
			for (const id of [lost, await place(world)]) world.stripe.broken.add(id);
		}
		world.stripe.slow = timeouts.stripeCall;
		world.clock.ms += minute;
		const startedAt = world.now();
		const { reconciled } = await run(world);
		expect(reconciled).toMatchObject({ finished: false });
		expect(world.now() - startedAt).toBeLessThan(3.5 * 60);
	});
});
