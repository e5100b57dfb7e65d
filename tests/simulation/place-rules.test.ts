import { describe, expect, test } from "vitest";
import { mixer } from "../support/catalogue.ts";
import { change, itemsOf, metadataOf, orderOf, succeed, testInWorld } from "./rows.ts";
import { book, inWorld, minute, openStranger, openTab, speaker, wait } from "./scenario.ts";

// The rules of POST /payments/place and /payments/fulfill, one request at a time. worker/purchase.test.ts has the others.

describe("POST /payments/place", () => {
	testInWorld("stores the order at current prices, without a call to Stripe", async (world) => {
		const alice = await openTab(world, "prepares", { user: "alice", basket: [book, speaker, book] });
		const calls = world.stripe.calls.length;
		expect(await alice.tryToPlace()).toMatchObject({ status: 200, outcome: "placed" });
		expect(orderOf(world, alice.id)).toMatchObject({
			...{
				user_id: "alice",
				guest_token_hash: null,
				amount: 2 * book.priceCents + speaker.priceCents,
				status: "placed",
			},
			...{ placed_at: world.now(), due_at: world.now() },
		});
		expect(orderOf(world, alice.id)?.["created"]).toBeGreaterThan(world.now() - 60);
		expect(itemsOf(world)).toMatchObject([
			{ product_id: book.id, price_cents: book.priceCents, quantity: 2 },
			{ product_id: speaker.id, price_cents: speaker.priceCents, quantity: 1 },
		]);
		expect(world.stripe.calls.slice(calls)).toEqual([]);
		expect(metadataOf(world, alice.id)).toEqual({ shop: "half-dozen" });
	});

	testInWorld("without a signature, returns 404 if Stripe no longer has the intent", async (world) => {
		const guest = await openTab(world, "prepares");
		world.stripe.database.exec(`delete from objects where id = '${guest.id}'`);
		expect(await guest.tryToPlace({ signature: "" })).toMatchObject({ status: 404, outcome: "unknown_payment_intent" });
	});

	test.each([
		["$.status", "canceled", 409, "payment_intent_gone"],
		["$.status", "succeeded", 409, "already_paid"],
		["$.status", "processing", 409, "already_paid"],
		["$.currency", "xts", 409, "currency_changed"],
		["$.metadata.shop", "another", 404, "unknown_payment_intent"],
	])(
		"without a signature, for an intent whose %s is %s, returns %i %s and stores nothing",
		(path, value, status, outcome) =>
			inWorld(async (world) => {
				const guest = await openTab(world, "prepares");
				change(world, guest.id, path, value);
				expect(await guest.tryToPlace({ signature: "" })).toMatchObject({ status, outcome });
				expect(orderOf(world, guest.id)).toBeUndefined();
			}),
	);

	test.each([
		["abandoned", "payment_intent_gone"],
		["paid", "already_paid"],
		["refunded", "already_paid"],
	])("leaves an order that is %s unchanged", (status, outcome) =>
		inWorld(async (world) => {
			const alice = await openTab(world, "pays", { user: "alice" });
			world.shop.exec(`update orders set status = '${status}'`);
			const before = orderOf(world, alice.id);
			world.clock.ms += minute;
			expect(await alice.tryToPlace()).toMatchObject({ status: 409, outcome });
			expect(orderOf(world, alice.id)).toEqual(before);
		}),
	);

	testInWorld(
		"never changes the items of an order, even if others cost the same or have a new title",
		async (world) => {
			const guest = await openTab(world, "places", { basket: [book, speaker] });
			const stored = itemsOf(world);
			const price = (id: string, cents: number) => `update products set price_cents = ${cents} where id = '${id}';`;
			const others = { status: 409, outcome: "another_order" };
			world.shop.exec(price(mixer.id, speaker.priceCents));
			expect(await guest.tryToPlace({ productIds: [book.id, mixer.id] })).toMatchObject(others);
			world.shop.exec(price(book.id, speaker.priceCents) + price(speaker.id, book.priceCents));
			expect(await guest.tryToPlace()).toMatchObject(others);
			world.shop.exec(price(book.id, book.priceCents) + price(speaker.id, speaker.priceCents));
			world.shop.exec(`update products set title = 'Another title' where id = '${book.id}'`);
			expect(await guest.tryToPlace()).toMatchObject({ status: 200 });
			expect(itemsOf(world)).toEqual(stored);
		},
	);

	testInWorld("renews the hour of its owner's order for a day after the payment was created", async (world) => {
		const alice = await openTab(world, "places", { user: "alice" });
		const created = world.now();
		const placeAfter = async (hours: number) => {
			world.clock.ms = (created + hours * 3600) * 1000;
			expect(await alice.tryToPlace()).toMatchObject({ status: 200 });
			return orderOf(world, alice.id);
		};
		const renewed = { placed_at: created + 23 * 3600, due_at: created + 23 * 3600 };
		expect(await placeAfter(23)).toMatchObject(renewed);
		expect(await placeAfter(24)).toMatchObject(renewed);
	});

	test.each(["alice", null])("does not renew the hour of an order of %s for others", (owner) =>
		inWorld(async (world) => {
			const tab = await openTab(world, "places", { user: owner });
			const before = orderOf(world, tab.id);
			world.clock.ms += minute;
			for (const user of ["bob", null]) {
				const placed = await openStranger(world, tab, user).tryToPlace();
				expect(placed).toMatchObject({ status: 409, outcome: "another_order" });
			}
			expect(orderOf(world, tab.id)).toEqual(before);
		}),
	);
});

describe("POST /payments/fulfill", () => {
	test.each([
		["processing", { status: 202, outcome: "checking" }],
		["requires_action", { status: 409, intentStatus: "requires_action" }],
	])("leaves the order of a payment in %s unpaid", (status, expected) =>
		inWorld(async (world) => {
			const alice = await openTab(world, "pays", { user: "alice" });
			change(world, alice.id, "$.status", status);
			expect(await alice.tryToFulfill()).toMatchObject(expected);
			expect(orderOf(world, alice.id)).toMatchObject({ status: "placed" });
		}),
	);

	testInWorld(
		"compares a payment with the currency of its order, which may be a former one of the shop",
		async (world) => {
			const alice = await openTab(world, "pays", { user: "alice" });
			change(world, alice.id, "$.currency", "xts");
			expect(await alice.tryToFulfill()).toMatchObject({ status: 202, outcome: "checking" });
			expect(orderOf(world, alice.id)).toMatchObject({ status: "placed" });
			world.shop.exec("update orders set currency = 'xts'");
			expect(await alice.tryToFulfill()).toMatchObject({ status: 200, outcome: "paid" });
		},
	);

	testInWorld("shows that a payment without an order is being checked, except while it is refunded", async (world) => {
		const alice = await openTab(world, "pays without an order", { user: "alice" });
		expect(await alice.tryToFulfill()).toMatchObject({ status: 202, outcome: "checking" });
		await world.stripe.refundByHand(alice.id);
		expect(await alice.tryToFulfill()).toMatchObject({ outcome: "refunded" });
		await world.stripe.cancelRefund(alice.id);
		expect(await alice.tryToFulfill()).toMatchObject({ status: 202, outcome: "checking" });
	});

	testInWorld("copies the owner and items of a paid order to Stripe, once, after the response", async (world) => {
		const alice = await openTab(world, "pays", { user: "alice", basket: [book, speaker, book] });
		const posts = () =>
			world.stripe.calls.filter((call) => call.startsWith("POST") && call.includes("items_signature"));
		for (const _ of ["first", "again"]) {
			expect(await alice.tryToFulfill()).toMatchObject({ status: 200, outcome: "paid" });
			await wait(minute);
			expect(posts()).toHaveLength(1);
		}
		expect(metadataOf(world, alice.id)).toEqual({
			shop: "half-dozen",
			user_id: "alice",
			items: `${book.id}:2:${book.priceCents},${speaker.id}:1:${speaker.priceCents}`,
			items_signature: expect.stringMatching(/^[\w-]{43}$/),
		});
	});

	testInWorld("logs that an order could not be copied, and marks it as paid", async (world) => {
		const guest = await openTab(world, "pays");
		world.stripe.broken.add(guest.id);
		world.stripe.brokenCalls = /^POST/;
		expect(await guest.tryToFulfill()).toMatchObject({ status: 200, outcome: "paid" });
		await wait(minute);
		expect(metadataOf(world, guest.id)).toEqual({ shop: "half-dozen" });
		expect(world.logs).toContainEqual(expect.objectContaining({ event: "not_copied", payment_intent: guest.id }));
	});

	testInWorld("binds a guest's order to the browser that completes the payment", async (world) => {
		const guest = await openTab(world, "places");
		succeed(world, guest.id, book.priceCents);
		// the second does not take it from the first
		for (const user of ["bob", "alice"]) {
			expect(await openStranger(world, guest, user).tryToFulfill()).toMatchObject({ outcome: "paid" });
			expect(orderOf(world, guest.id)).toMatchObject({ user_id: "bob", guest_token_hash: null });
		}
	});
});
