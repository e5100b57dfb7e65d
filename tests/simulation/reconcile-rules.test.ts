import { describe, expect, test } from "vitest";
import { timeouts } from "#app/http/timeout.server.ts";
import { otherCurrency } from "../support/catalogue.ts";
import {
	change,
	itemsOf,
	metadataOf,
	orderOf,
	pay,
	place,
	refundOf,
	run,
	send,
	statusOf,
	testInWorld,
} from "./rows.ts";
import { book, day, hour, inWorld, minute, wait } from "./scenario.ts";

// The rules of a run of reconcile, without faults.

describe("unpaid orders", () => {
	testInWorld("are polled in every run, and canceled after an hour", async (world) => {
		const id = await place(world, { user: "alice" });
		const polled: [number, string[]][] = [];
		for (let minutes = 1; minutes <= 71; minutes += 5) {
			const { calls } = await run(world, minutes === 1 ? minute : 5 * minute);
			const own = calls.filter((call) => call.includes(id));
			if (own.length > 0) polled.push([minutes, own.map((call) => call.replace(/[? ][^/]*$/, ""))]);
		}
		expect(polled).toEqual([
			...[1, 6, 11, 16, 21, 26, 31, 36, 41, 46, 51, 56].map((minutes) => [minutes, [`GET /payment_intents/${id}`]]),
			[61, [`POST /payment_intents/${id}/cancel`]],
		]);
		expect(statusOf(world, id)).toBe("abandoned");
		expect(world.logs).toContainEqual({ level: "info", event: "abandoned", payment_intent: id });
	});

	testInWorld(
		"whose payment is processing for more than a day are kept, and marked as paid once it has succeeded",
		async (world) => {
			const id = await pay(world);
			change(world, id, "$.status", "processing");
			await run(world, day + minute);
			expect(statusOf(world, id)).toBe("placed");
			change(world, id, "$.status", "succeeded");
			await run(world, day);
			expect(statusOf(world, id)).toBe("paid");
		},
	);

	testInWorld("in a former currency of the shop are marked as paid", async (world) => {
		const id = await pay(world);
		change(world, id, "$.currency", otherCurrency);
		world.shop.exec(`update orders set currency = '${otherCurrency}'`);
		await run(world);
		expect(orderOf(world, id)).toMatchObject({ status: "paid", currency: otherCurrency });
	});

	testInWorld(
		"in another currency than their payment stay as they are, and are reported after an hour",
		async (world) => {
			const id = await pay(world);
			change(world, id, "$.currency", otherCurrency);
			for (let minutes = 0; minutes < 120; minutes += 5) await run(world, 5 * minute);
			const errors = world.logs.filter(({ level }) => level === "error");
			expect(errors).toMatchObject([{ event: "paid_without_order", payment_intent: id }]);
			expect([refundOf(world, id), statusOf(world, id)]).toEqual([undefined, "placed"]);
		},
	);

	testInWorld("that are paid have a copy of their owner and items in Stripe's metadata", async (world) => {
		const id = await pay(world);
		await run(world);
		expect(metadataOf(world, id)).toMatchObject({ user_id: "alice", items: `${book.id}:1:${book.priceCents}` });
	});

	testInWorld("are polled in the next run, and logged as errors after an hour, while Stripe is down", async (world) => {
		const id = await pay(world);
		world.stripe.broken.add(id);
		for (let minutes = 0; minutes < 60; minutes += 5) {
			const { logs, reconciled } = await run(world, 5 * minute);
			expect(reconciled).toMatchObject({ polled: 1, finished: true });
			const level = minutes < 55 ? "info" : "error";
			expect(logs).toContainEqual(expect.objectContaining({ level, event: "not_polled", payment_intent: id }));
		}
		world.stripe.broken.clear();
		await run(world, 5 * minute);
		expect(statusOf(world, id)).toBe("paid");
	});

	testInWorld("whose payment was canceled at Stripe are marked as abandoned", async (world) => {
		const id = await place(world);
		change(world, id, "$.status", "canceled");
		await run(world);
		expect(orderOf(world, id)).toMatchObject({ status: "abandoned", guest_token_hash: null });
		expect(world.logs).toContainEqual({ level: "info", event: "abandoned", payment_intent: id });
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
			const report = async (type: string) => {
				for (const id of [failed, canceled]) {
					await send(world, type, { payment_intent: id, metadata: { shop: "half-dozen" } });
				}
			};
			if (isPaid) await run(world);
			for (const id of [failed, canceled]) await world.stripe.refundByHand(id);
			if (isRecorded) await report("charge.refunded");
			for (const id of [failed, canceled]) expect(statusOf(world, id) === "refunded").toBe(isRecorded);
			await world.stripe.cancelRefund(canceled);
			await wait(5 * minute);
			for (const type of ["refund.failed", "refund.updated"]) await report(type);
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

describe("a run", () => {
	testInWorld("ends after three minutes even if every call times out, and the next ones continue", async (world) => {
		const unheard: string[] = [];
		for (let count = 0; count < 25; count++) {
			const id = await pay(world);
			unheard.push(id);
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
		expect(new Set(unheard.map((id) => statusOf(world, id)))).toEqual(new Set(["paid"]));
	});
});
