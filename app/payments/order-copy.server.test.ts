import { beforeEach, expect, test } from "vitest";
import { listProducts } from "#app/catalogue/catalogue.server.ts";
import type { StripeAccount } from "#app/http/services.server.ts";
import { maxItems } from "#drizzle/limits.ts";
import * as catalogue from "../../tests/support/catalogue.ts";
import { openShop, type Shop, success, unpaid } from "../../tests/support/payments.ts";
import { stripe } from "../../tests/support/unit-request.ts";
import { copyOrder, fromMetadata, hasCopy } from "./order-copy.server.ts";
import { signItems } from "./shop-signature.server.ts";

const items = `${catalogue.book.id}:2:598,${catalogue.mixer.id}:1:23900`;
const copied = { user_id: "ada", guest_token_hash: "", items, items_signature: signItems(stripe, "pi_1", items) };
let shop: Shop;

beforeEach(() => {
	shop = openShop();
	shop.responses.update = success(unpaid);
});

/** Copies the order. Returns the metadata that Stripe receives. */
async function copy() {
	await copyOrder(shop.payments, "pi_1");
	const [call = ""] = shop.calls;
	const fields = new URLSearchParams(call.replace("update ", ""));
	return Object.fromEntries([...fields].map(([name, value]) => [name.replace(/^metadata\[(.*)\]$/, "$1"), value]));
}

test.each([
	["a customer", { user_id: "ada" }, { user_id: "ada", guest_token_hash: "" }],
	["a guest", { user_id: null, guest_token_hash: "hash" }, { user_id: "", guest_token_hash: "hash" }],
	["no one", { user_id: null }, { user_id: "", guest_token_hash: "" }],
])(
	"copyOrder copies the items of %s with a signature, and empty texts, which Stripe does not store",
	async (_, order, owner) => {
		shop.storeOrder(order);
		expect(await copy()).toMatchObject({ ...copied, ...owner });
	},
);

test("an order of every product fits within Stripe's limit of 500 characters per metadata value", async () => {
	const products = await listProducts(shop.primary);
	shop.storeOrder();
	shop.sqlite.exec("delete from order_items");
	for (const [position, { id, title, image, priceCents, rating }] of products.entries()) {
		const line = { product_id: id, title, image, price_cents: priceCents, rating, quantity: maxItems };
		shop.sqlite.insert("order_items", { payment_intent_id: "pi_1", position, ...line });
	}
	const { items = "" } = await copy();
	expect(items.split(",")).toHaveLength(products.length);
	expect(items.length).toBeLessThanOrEqual(500);
});

test("copyOrder copies nothing without an order", async () => {
	await copyOrder(shop.payments, "pi_1");
	expect([shop.calls, shop.logged]).toEqual([[], []]);
});

test.each<[string, () => void]>([
	["D1", () => shop.failures.push("D1_ERROR: database is locked")],
	["Stripe", () => Reflect.deleteProperty(shop.responses, "update")],
])("copyOrder logs that %s has failed, and resolves", async (_, fail) => {
	shop.storeOrder();
	fail();
	await copyOrder(shop.payments, "pi_1");
	expect(shop.logged).toMatchObject([{ level: "error", event: "not_copied", payment_intent: "pi_1" }]);
});

test("fromMetadata returns what copyOrder has copied", () => {
	const lines = [
		{ id: catalogue.book.id, quantity: 2, priceCents: 598 },
		{ id: catalogue.mixer.id, quantity: 1, priceCents: 23900 },
	];
	const ofAda = { userId: "ada", guestTokenHash: null, items: lines };
	expect(fromMetadata(stripe, { id: "pi_1", metadata: copied })).toMatchObject(ofAda);
	const metadata = { ...copied, user_id: "", guest_token_hash: "hash" };
	expect(fromMetadata(stripe, { id: "pi_1", metadata })).toMatchObject({ userId: null, guestTokenHash: "hash" });
});

test.each<[string, boolean, { id?: string; account?: StripeAccount; change?: Record<string, string> }]>([
	["of another payment", true, { id: "pi_2" }],
	["of another shop", true, { account: { ...stripe, shopId: "another" } }],
	["signed with another key", true, { account: { ...stripe, signingKey: "another" } }],
	["with other items", true, { change: { items: `${catalogue.book.id}:1:1` } }],
	["without a signature", true, { change: { items_signature: "" } }],
	["without items", false, { change: { items: "", items_signature: "" } }],
])(
	"fromMetadata returns null for a copy %s, which hasCopy finds: %s",
	(_, isFound, { account = stripe, id = "pi_1", change = {} }) => {
		const metadata = { ...copied, ...change };
		expect(fromMetadata(account, { id, metadata })).toBeNull();
		expect(hasCopy({ metadata })).toBe(isFound);
	},
);
