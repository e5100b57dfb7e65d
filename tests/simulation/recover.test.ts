import { expect, test } from "vitest";
import type { State } from "../../tools/recover/recover.ts";
import {
	change,
	itemsOf,
	orderOf,
	pay,
	payWithoutOrder,
	place,
	recordRefund,
	refundOf,
	send,
	testInWorld,
} from "./rows.ts";
import { book, day, inWorld, minute, openTab, speaker, type TabOptions, wait } from "./scenario.ts";
import { currentScope } from "./scope.ts";
import { recoverSince } from "./shop.ts";
import type { World } from "./world.ts";

// `npm run recover`, after D1 was restored to an earlier state.

/** Runs the command for the last day. Returns the state of each payment before and after, and the owner of its order. */
async function recover(world: World, apply = true, age = day) {
	const found = await recoverSince(world.servicesOf(currentScope()), world.now() - age / 1000, apply);
	return new Map(
		found.map(({ id, before, after, owner }): [string, [State, State, string]] => [id, [before, after, owner]]),
	);
}

/** Pays for an order, which the shop marks as paid and copies. */
async function buy(world: World, options: TabOptions = { user: "alice" }): Promise<string> {
	const id = await pay(world, options);
	await send(world, "payment_intent.succeeded", { id, metadata: { shop: "half-dozen" } });
	await wait(1000);
	return id;
}

function loseOrders({ shop }: World, ...ids: string[]): void {
	for (const id of ids) {
		for (const table of ["order_items", "orders"]) shop.exec(`delete from ${table} where payment_intent_id = '${id}'`);
	}
}

const lost = "missing, with a copy";

testInWorld(
	"after a restore to before ten orders, refunds and a claim, lists what is lost, stores it with --apply, and then changes nothing",
	async (world) => {
		const kept = await buy(world);
		const refundedLater = await buy(world);
		const unpaid = await place(world, { user: "alice" });
		const paidLater = await pay(world);
		const several = await Promise.all([1, 2, 3].map(() => buy(world)));
		const guests = await buy(world, { basket: [book, speaker, book] });
		const claimed = await buy(world, {});
		const withdrawn = await buy(world, { user: "bob", basket: [speaker] });
		const ofLostAccount = await buy(world, { user: "bob" });
		const refunded = await buy(world, {});
		const failing = await buy(world, { user: "alice", card: "pm_card_refundFail" });
		const uncopied = await pay(world);
		const unplaced = await payWithoutOrder(world);
		const foreign = await buy(world, {});
		change(world, foreign, "$.metadata.shop", "another");
		world.shop.exec(
			`update orders set user_id = 'alice', guest_token_hash = null where payment_intent_id = '${claimed}'`,
		);
		for (const id of [refundedLater, refunded, failing]) await world.stripe.refundByHand(id);
		await wait(5 * minute);
		const before = world.shop.all("select count(*) as count from orders");

		loseOrders(world, ...several, guests, claimed, withdrawn, ofLostAccount, refunded, failing, uncopied, foreign);
		change(world, ofLostAccount, "$.metadata.user_id", "eve");
		world.shop.exec(`delete from products where id = '${speaker.id}'; update products set price_cents = 5000`);
		const expected = new Map<string, [State, State, string]>([
			[kept, ["present", "present", "alice"]],
			[refundedLater, ["refunded only at Stripe", "present", "alice"]],
			[paidLater, ["paid but placed", "present", "alice"]],
			...several.map((id): [string, [State, State, string]] => [id, [lost, "present", "alice"]]),
			[guests, [lost, "present", "guest"]],
			// by the browser that paid, which can claim it again
			[claimed, [lost, "present", "guest"]],
			[withdrawn, [lost, "present", "bob"]],
			[ofLostAccount, [lost, "present", "none"]],
			[refunded, [lost, "present", "guest"]],
			[failing, [lost, "present", "alice"]],
			[uncopied, ["missing, without a copy", "missing, without a copy", "none"]],
			[unplaced, ["missing, without a copy", "missing, without a copy", "none"]],
		]);
		const restored = world.shop.all("select * from orders");
		const listed = new Map([...expected].map(([id, [first, , owner]]) => [id, [first, first, owner]]));
		expect(await recover(world, false)).toEqual(listed);
		expect(world.shop.all("select * from orders")).toEqual(restored);

		const calls = world.stripe.calls.length;
		expect(await recover(world)).toEqual(expected);
		const moves = world.stripe.calls.slice(calls).filter((call) => /^POST \S*(refunds|cancel|confirm)/.test(call));
		expect(moves).toEqual([]);
		const after = new Map([...expected].map(([id, [, last, owner]]) => [id, [last, last, owner]]));
		const rows = world.shop.all("select * from orders");
		expect(await recover(world)).toEqual(after);
		expect(world.shop.all("select * from orders")).toEqual(rows);
		// without the other shop's, and the one that has no copy
		expect(rows.length).toBe(Number(before[0]?.["count"]) - 2);

		expect(orderOf(world, unpaid)).toMatchObject({ status: "placed" });
		expect(orderOf(world, refunded)).toMatchObject({ status: "refunded" });
		expect([orderOf(world, failing), refundOf(world, failing)]).toMatchObject([
			{ status: "paid" },
			{ status: "failed" },
		]);
		expect(orderOf(world, claimed)).toMatchObject({ user_id: null, guest_token_hash: expect.any(String) });
		expect(orderOf(world, ofLostAccount)).toMatchObject({ user_id: null, guest_token_hash: null });
		const [books, speakers] = itemsOf(world).filter((item) => item["payment_intent_id"] === guests);
		expect(books).toMatchObject({
			price_cents: book.priceCents,
			quantity: 2,
			title: expect.stringContaining("Steady"),
		});
		const placeholder = { title: `Item ${speaker.id}, no longer sold`, image: "" };
		expect(speakers).toMatchObject({ price_cents: speaker.priceCents, quantity: 1, ...placeholder });
	},
);

const edit = (change: string) => (world: World) => world.shop.exec(`update orders set ${change}`);

test.each<[State, string, (world: World, id: string) => void]>([
	["does not fit", "an order of another amount", edit("amount = amount - 100, status = 'placed'")],
	["does not fit", "an order that is abandoned", edit("status = 'abandoned'")],
	["refunded only in D1", "an order that is marked as refunded", edit("status = 'refunded'")],
	[
		"paid only in D1",
		"a payment that has not succeeded",
		(world, id) => {
			edit("status = 'refunded'")(world);
			change(world, id, "$.status", "canceled");
		},
	],
	[
		"missing, without a copy",
		"a copy that the shop has not signed",
		(world, id) => {
			loseOrders(world, id);
			change(world, id, "$.metadata.items", `${book.id}:2:${book.priceCents / 2}`);
		},
	],
	[
		"missing, without a copy",
		"a copy of another amount",
		(world, id) => {
			loseOrders(world, id);
			change(world, id, "$.amount_received", book.priceCents + 1);
		},
	],
])('"%s": %s is listed, and left to the operator', (state, _, prepare) =>
	inWorld(async (world) => {
		const id = await buy(world);
		prepare(world, id);
		const rows = () => world.shop.all("select * from orders");
		const before = rows();
		for (const apply of [false, true]) {
			expect([...(await recover(world, apply))]).toEqual([[id, [state, state, expect.any(String)]]]);
			expect(rows()).toEqual(before);
		}
	}),
);

testInWorld("the refund of a payment that has no order and no copy is recorded", async (world) => {
	const id = await payWithoutOrder(world);
	await world.stripe.refundByHand(id);
	expect(await recover(world)).toEqual(new Map([[id, ["refunded only at Stripe", "present", "none"]]]));
	expect(refundOf(world, id)).toMatchObject({ status: "succeeded" });
});

testInWorld("an order whose money was returned without Stripe is as it should be", async (world) => {
	const id = await buy(world);
	edit("status = 'refunded'")(world);
	recordRefund(world, id, "succeeded");
	expect(await recover(world)).toEqual(new Map([[id, ["present", "present", "alice"]]]));
});

testInWorld("payments from before the time are not compared", async (world) => {
	const id = await buy(world);
	loseOrders(world, id);
	await wait(10 * minute);
	expect(await recover(world, true, 5 * minute)).toEqual(new Map());
	expect(orderOf(world, id)).toBeUndefined();
});

testInWorld("lists the payments from the oldest to the newest", async (world) => {
	const ids: string[] = [];
	for (let count = 0; count < 3; count++) {
		ids.push(await openTab(world, "pays").then(({ id }) => id));
		await wait(minute);
	}
	expect([...(await recover(world, false)).keys()]).toEqual(ids);
});
