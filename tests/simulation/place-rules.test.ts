import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import * as catalogue from "../support/catalogue.ts";
import { Browser } from "./browser.ts";
import { book, createTab, intentOf, inWorld, speaker } from "./scenario.ts";
import { paths } from "./shop.ts";
import { idOf } from "./stripe-js.ts";
import type { World } from "./world.ts";

// The rules of POST /payments/place and /payments/fulfill, one request at a time. worker/purchase.test.ts has the others.

const responseShape = z.object({
	clientSecret: z.optional(z.string()),
	signature: z.optional(z.string()),
	status: z.optional(z.string()),
	intentStatus: z.optional(z.string()),
	error: z.optional(z.object({ code: z.string() })),
});

const bookPrice = catalogue.book.priceCents;
const speakerPrice = catalogue.speaker.priceCents;
const tablet = catalogue.tablet.id;

/** A browser that sends requests as the payment page does. */
class Shopper {
	readonly browser: Browser;
	clientSecret = "";
	signature = "";

	constructor(world: World, user?: string) {
		this.browser = new Browser(world, user ? [["__Host-session", `session-of-${user}`]] : []);
	}

	async post(path: string, body?: object) {
		const headers = { "Content-Type": "application/json" };
		const response = await this.browser.fetch(path, { method: "POST", headers, body: JSON.stringify(body ?? null) });
		const { error, status, ...rest } = responseShape.parse(await response.json());
		return { status: response.status, outcome: error?.code ?? status, ...rest };
	}

	async create(total: number): Promise<string> {
		const { clientSecret = "", signature = "" } = await this.post(`${paths.create}?total=${total}`);
		Object.assign(this, { clientSecret, signature });
		return idOf(clientSecret);
	}

	place(productIds: string[], more: object = {}) {
		const { clientSecret, signature } = this;
		const customer = this.browser.customer?.id ?? null;
		return this.post(paths.place, { clientSecret, signature, productIds, customer, ...more });
	}

	fulfill() {
		const { clientSecret, signature } = this;
		return this.post(paths.fulfill, { clientSecret, signature });
	}
}

const orderOf = ({ shop }: World, id: string) => shop.all("select * from orders where payment_intent_id = ?", [id])[0];
const itemsOf = ({ shop }: World, id: string) =>
	shop
		.all("select * from order_items where payment_intent_id = ? order by position", [id])
		.map(({ product_id, price_cents, quantity, title }) => ({ product_id, price_cents, quantity, title }));

/** Changes a PaymentIntent at Stripe. */
function change({ stripe }: World, id: string, path: string, value: string | number): void {
	stripe.database.all(`update objects set object = json_set(object, ?, ?) where id = ?`, [path, value, id]);
}

const metadataOf = ({ stripe }: World, id: string) =>
	JSON.parse(
		String(stripe.database.all("select object ->> '$.metadata' as text from objects where id = ?", [id])[0]?.["text"]),
	);

/** Places an order for a book, and confirms its payment. */
async function pay(world: World) {
	const { state } = await createTab(world, "pays", { user: "alice" });
	const alice = new Shopper(world, "alice");
	Object.assign(alice, state.created);
	return { alice, id: intentOf({ state, cookies: [] }) };
}

describe("POST /payments/place", () => {
	test("stores the order at current prices, and copies its owner and items to Stripe", () =>
		inWorld(async (world) => {
			const alice = new Shopper(world, "alice");
			const id = await alice.create(2 * bookPrice + speakerPrice);
			expect(await alice.place([book, speaker, book])).toMatchObject({ status: 200, outcome: "placed" });
			expect(orderOf(world, id)).toMatchObject({
				...{ user_id: "alice", guest_token_hash: null, amount: 2 * bookPrice + speakerPrice, status: "placed" },
				...{ placed_at: world.now(), due_at: world.now() + 60 },
			});
			expect(orderOf(world, id)?.["created"]).toBeGreaterThan(world.now() - 60);
			expect(itemsOf(world, id)).toMatchObject([
				{ product_id: book, price_cents: bookPrice, quantity: 2 },
				{ product_id: speaker, price_cents: speakerPrice, quantity: 1 },
			]);
			expect(metadataOf(world, id)).toEqual({
				shop: "half-dozen",
				user_id: "alice",
				items: `${book}:2:${bookPrice},${speaker}:1:${speakerPrice}`,
				items_signature: expect.stringMatching(/^[\w-]{43}$/),
			});
		}));

	test("returns 404 if Stripe no longer has the intent, or if it is another shop's", () =>
		inWorld(async (world) => {
			const guest = new Shopper(world);
			const id = await guest.create(bookPrice);
			change(world, id, "$.metadata.shop", "another");
			expect(await guest.place([book], { signature: "" })).toMatchObject({ status: 404 });
			world.stripe.database.exec(`delete from objects where id = '${id}'`);
			expect(await guest.place([book])).toMatchObject({ status: 404, outcome: "unknown_payment_intent" });
		}));

	test.each([
		["canceled", "payment_intent_gone"],
		["succeeded", "already_paid"],
		["processing", "already_paid"],
	])("refuses an intent that is %s, with and without a signature", (status, outcome) =>
		inWorld(async (world) => {
			const guest = new Shopper(world);
			change(world, await guest.create(bookPrice), "$.status", status);
			expect(await guest.place([book], { signature: "" })).toMatchObject({ status: 409, outcome });
			// Stripe's response to the update of the metadata shows the status
			expect(await guest.place([book])).toMatchObject({ status: 409, outcome });
		}),
	);

	test.each([
		["abandoned", "payment_intent_gone"],
		["paid", "already_paid"],
		["refunded", "already_paid"],
	])("leaves an order that is %s unchanged", (status, outcome) =>
		inWorld(async (world) => {
			const { alice, id } = await pay(world);
			await alice.fulfill();
			world.shop.exec(`update orders set status = '${status}'`);
			const before = orderOf(world, id);
			expect(await alice.place([book])).toMatchObject({ status: 409, outcome });
			expect(orderOf(world, id)).toEqual(before);
		}),
	);

	test("never changes the items of an order, even if other products cost the same", () =>
		inWorld(async (world) => {
			world.shop.exec(`update products set price_cents = ${bookPrice} where id = '${tablet}'`);
			const guest = new Shopper(world);
			const id = await guest.create(bookPrice);
			await guest.place([book]);
			expect(await guest.place([tablet])).toMatchObject({ status: 409, outcome: "another_order" });
			expect(itemsOf(world, id)).toMatchObject([{ product_id: book, price_cents: bookPrice }]);
		}));

	test("placed again keeps its line items, also if the title has changed since", () =>
		inWorld(async (world) => {
			const alice = new Shopper(world, "alice");
			const id = await alice.create(bookPrice);
			await alice.place([book]);
			const stored = itemsOf(world, id);
			world.shop.exec(`update products set title = 'Another title' where id = '${book}'`);
			expect(await alice.place([book])).toMatchObject({ status: 200 });
			expect(itemsOf(world, id)).toEqual(stored);
		}));
});

describe("POST /payments/fulfill", () => {
	test.each([
		["in another currency", "$.currency", "eur", { status: 409, outcome: "not_paid" }],
		["that is processing", "$.status", "processing", { status: 202, outcome: "checking" }],
		["that requires an action", "$.status", "requires_action", { status: 409, intentStatus: "requires_action" }],
	])("leaves the order of a payment %s unpaid", (_, path, value, expected) =>
		inWorld(async (world) => {
			const { alice, id } = await pay(world);
			change(world, id, path, value);
			expect(await alice.fulfill()).toMatchObject(expected);
			expect(orderOf(world, id)).toMatchObject({ status: "placed" });
		}),
	);

	test("shows that a payment without an order is being checked, also after its refund failed", () =>
		inWorld(async (world) => {
			const { alice, id } = await pay(world);
			world.shop.exec("delete from order_items; delete from orders");
			expect(await alice.fulfill()).toMatchObject({ status: 202, outcome: "checking" });
			for (const [status, expected] of [
				["pending", "refunded"],
				["succeeded", "refunded"],
				["failed", "checking"],
			]) {
				world.shop.exec(`insert or replace into refunds values ('${id}', 'orphan', null, '${status}', 0, 0)`);
				expect(await alice.fulfill()).toMatchObject({ outcome: expected });
			}
		}));

	test("binds a guest's order to the browser that completes the payment", () =>
		inWorld(async (world) => {
			const guest = new Shopper(world);
			const id = await guest.create(bookPrice);
			await guest.place([book]);
			change(world, id, "$.status", "succeeded");
			change(world, id, "$.amount_received", bookPrice);
			const bob = new Shopper(world, "bob");
			Object.assign(bob, { clientSecret: guest.clientSecret, signature: guest.signature });
			expect(await bob.fulfill()).toMatchObject({ outcome: "paid" });
			expect(orderOf(world, id)).toMatchObject({ user_id: "bob", guest_token_hash: null });
			const alice = new Shopper(world, "alice");
			Object.assign(alice, { clientSecret: guest.clientSecret, signature: guest.signature });
			expect(await alice.fulfill()).toMatchObject({ outcome: "paid" });
			expect(orderOf(world, id)).toMatchObject({ user_id: "bob" });
		}));
});
