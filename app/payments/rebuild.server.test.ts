import { beforeEach, expect, test } from "vitest";
import { now, openShop, type Shop, succeeded } from "../../tests/support/payments.ts";
import { rebuildOrder } from "./rebuild.server.ts";

const copy = { user_id: "ada", items: "12321341:1:1096,777:2:50" };
const guest = { user_id: null, guest_token_hash: "hash" };
const rebuilt = {
	...{ payment_intent_id: "pi_1", user_id: "ada", guest_token_hash: null, amount: 1196, status: "placed" },
	...{ created: now - 600, placed_at: now, due_at: now },
};
const logged = { level: "info", event: "order_rebuilt", payment_intent: "pi_1", status: "placed" };
let shop: Shop;

beforeEach(() => {
	shop = openShop();
});

const rebuild = async (metadata: object) => rebuildOrder(shop.payments, await shop.intent({ ...succeeded, metadata }));

test.each([null, { status: "abandoned" }, { amount: 1195 }])(
	"rebuildOrder stores the copy at its prices, and overwrites an existing order with %o",
	async (order) => {
		if (order) shop.storeOrder({ ...order, ...guest });
		expect(await rebuild(copy)).toBe(true);
		expect(shop.orders()).toEqual([rebuilt]);
		expect(shop.items()).toMatchObject([
			{ product_id: "12321341", title: expect.stringMatching(/^The Steady Business/), price_cents: 1096, quantity: 1 },
			{ product_id: "777", title: "Item 777, no longer sold", price_cents: 50, quantity: 2 },
		]);
		expect(shop.logged).toEqual([logged]);
	},
);

test.each([
	["a guest", { user_id: "", guest_token_hash: "hash" }, guest],
	["an account and a guest", { guest_token_hash: "hash" }, { user_id: "ada", guest_token_hash: null }],
])("rebuildOrder assigns an order of %s", async (_, owner, stored) => {
	await rebuild({ ...copy, ...owner });
	expect(shop.orders()).toEqual([{ ...rebuilt, ...stored }]);
	expect(shop.logged).toEqual([logged]);
});

test.each([
	["whose account no longer exists", "ben", { user_id: "ben", guest_token_hash: "hash" }],
	["that has no owner", null, { user_id: "" }],
])("rebuildOrder stores an order without an owner for a copy %s, and logs it", async (_, user, owner) => {
	await rebuild({ ...copy, ...owner });
	expect(shop.orders()).toEqual([{ ...rebuilt, user_id: null }]);
	const unowned = { level: "error", event: "order_without_owner", payment_intent: "pi_1", user };
	expect(shop.logged).toEqual([unowned, logged]);
});

test.each(["placed", "paid", "refunded"])("rebuildOrder keeps a %s order of that amount", async (status) => {
	const order = shop.storeOrder({ status, ...guest });
	const before = shop.items();
	expect(await rebuild(copy)).toBe(true);
	expect([shop.orders(), shop.items(), shop.logged]).toEqual([[order], before, []]);
});

test.each([
	["whose prices do not add up to the amount", true, { ...copy, items: "12321341:1:1195" }],
	["that the shop has not signed", true, { ...copy, items_signature: "forged" }],
	["without items", false, { user_id: "ada" }],
])("rebuildOrder stores no order for a copy %s and returns %s", async (_, hasCopy, metadata) => {
	expect(await rebuild(metadata)).toBe(hasCopy);
	expect([shop.orders(), shop.logged]).toEqual([[], []]);
});
