import { beforeEach, expect, test } from "vitest";
import { currency } from "#app/brand.ts";
import { listProducts } from "#app/catalogue/catalogue.server.ts";
import { storeRebuiltOrder } from "#app/orders/store-order.server.ts";
import type { StripeAccount } from "#app/services.server.ts";
import { maxBasketItems } from "#app/tab/basket.ts";
import * as catalogue from "../../tests/support/catalogue.ts";
import { now, openShop, type Shop, succeeded } from "../../tests/support/payments.ts";
import { stripe } from "../../tests/support/unit-request.ts";
import { fromMetadata, hasCopy, rebuildOrder, toMetadata, toOwnerMetadata } from "./order-copy.server.ts";
import { signItems } from "./shop-signature.server.ts";

const book = { id: catalogue.book.id, title: "Book", priceCents: 1196, rating: 5, image: "book.webp", quantity: 1 };
const mixer = { id: "777", title: "Mixer", priceCents: 23900, rating: 4, image: "mixer.webp", quantity: 3 };
const ofAda = { userId: "ada", guestTokenHash: null };

test("toMetadata lists the items in the order of the basket", () => {
	const items = `777:3:23900,${book.id}:1:1196`;
	const items_signature = signItems(stripe, "pi_1", items);
	const metadata = { user_id: "ada", guest_token_hash: "", items, items_signature };
	expect(toMetadata(stripe, "pi_1", { ...ofAda, items: [mixer, book] })).toMatchObject(metadata);
});

test("an order of every product fits within Stripe's limit of 500 characters per metadata value", async () => {
	const products = await listProducts(openShop().primary);
	const items = products.map((product) => ({ ...product, quantity: maxBasketItems }));
	const metadata = toMetadata(stripe, "pi_1", { ...ofAda, items });
	expect(metadata.items.split(",")).toHaveLength(products.length);
	expect(metadata.items.length).toBeLessThanOrEqual(500);
});

test("an order without an owner has empty texts in its metadata, which Stripe deletes", () => {
	expect(toOwnerMetadata({ userId: null, guestTokenHash: null })).toEqual({ user_id: "", guest_token_hash: "" });
});

test.each<[string, { id?: string; account?: StripeAccount; change?: Record<string, string> }]>([
	["of another payment", { id: "pi_2" }],
	["of another shop", { account: { ...stripe, shopId: "another" } }],
	["signed with another key", { account: { ...stripe, signingKey: "another" } }],
	["with other items", { change: { items: `${book.id}:1:1` } }],
	["without a signature", { change: { items_signature: "" } }],
	["without items", { change: { items: "", items_signature: "" } }],
])("fromMetadata returns null for a copy %s", (_, { account = stripe, id = "pi_1", change = {} }) => {
	const metadata = { ...toMetadata(account, "pi_1", { ...ofAda, items: [book] }), ...change };
	expect(fromMetadata(stripe, { id, metadata })).toBeNull();
});

const copy = { user_id: "ada", items: `${book.id}:1:1096,777:2:50` };
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
		await rebuild(copy);
		expect(shop.orders()).toMatchObject([rebuilt]);
		expect(shop.items()).toMatchObject([
			{ product_id: book.id, title: expect.stringContaining(catalogue.book.title), price_cents: 1096, quantity: 1 },
			{ product_id: "777", title: "Item 777, no longer sold", image: "", rating: 3, price_cents: 50, quantity: 2 },
		]);
		expect(shop.logged).toEqual([logged]);
	},
);

test.each([
	["a guest", { user_id: "", guest_token_hash: "hash" }, guest],
	["an account and a guest", { guest_token_hash: "hash" }, { user_id: "ada", guest_token_hash: null }],
])("rebuildOrder assigns an order of %s", async (_, owner, stored) => {
	await rebuild({ ...copy, ...owner });
	expect(shop.orders()).toMatchObject([{ ...rebuilt, ...stored }]);
	expect(shop.logged).toEqual([logged]);
});

test.each([
	["whose account no longer exists", "eve", { user_id: "eve", guest_token_hash: "hash" }],
	["that has no owner", null, { user_id: "" }],
])("rebuildOrder stores an order without an owner for a copy %s, and logs it", async (_, user, owner) => {
	await rebuild({ ...copy, ...owner });
	expect(shop.orders()).toMatchObject([{ ...rebuilt, user_id: null }]);
	const unowned = { level: "error", event: "order_without_owner", payment_intent: "pi_1", user };
	expect(shop.logged).toEqual([unowned, logged]);
});

test.each(["placed", "paid", "refunded"])("rebuildOrder keeps a %s order of that amount", async (status) => {
	const order = shop.storeOrder({ status, ...guest });
	const before = shop.items();
	await rebuild(copy);
	expect([shop.orders(), shop.items(), shop.logged]).toEqual([[order], before, []]);
});

test("storeRebuiltOrder keeps an order that was placed again in the meantime, with its new owner", async () => {
	const order = shop.storeOrder(guest);
	const before = shop.items();
	const lost = { paymentIntentId: "pi_1", amount: 1196, currency, created: now, ...ofAda, now, items: [book] };
	expect(await storeRebuiltOrder(shop.primary, lost)).toEqual({ status: "placed" });
	expect([shop.orders(), shop.items()]).toEqual([[order], before]);
});

test.each([
	["whose prices do not add up to the amount", true, { ...copy, items: `${book.id}:1:1195` }],
	["that the shop has not signed", true, { ...copy, items_signature: "forged" }],
	["without items", false, { user_id: "ada" }],
])("rebuildOrder stores no order for a copy %s, which is found: %s", async (_, isFound, metadata) => {
	expect(hasCopy(await shop.intent({ ...succeeded, metadata }))).toBe(isFound);
	await rebuild(metadata);
	expect([shop.orders(), shop.logged]).toEqual([[], []]);
});
