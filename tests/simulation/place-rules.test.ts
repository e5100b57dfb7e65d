import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import * as catalogue from "../support/catalogue.ts";
import { Browser } from "./browser.ts";
import { change, itemsOf, loseOrder, metadataOf, orderOf, succeed, testInWorld } from "./rows.ts";
import { book, createTab, inWorld, minute, speaker } from "./scenario.ts";
import { paths, sessionCookieName } from "./shop.ts";
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
const mixer = catalogue.mixer.id;

/** A browser that sends requests as the payment page does. */
class Shopper {
	readonly #browser: Browser;
	payment: { clientSecret?: string | undefined; signature?: string | undefined };

	constructor(world: World, user: string | null = null, payment = {}) {
		this.#browser = new Browser(world, user ? [[sessionCookieName, `session-of-${user}`]] : []);
		this.payment = payment;
	}

	/** The id of the PaymentIntent. */
	get id(): string {
		return idOf(this.payment.clientSecret ?? "");
	}

	async #post(path: string, body: object | null) {
		const headers = { "Content-Type": "application/json" };
		const response = await this.#browser.fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
		const { error, status, ...rest } = responseShape.parse(await response.json());
		return { status: response.status, outcome: error?.code ?? status, ...rest };
	}

	async create(total = bookPrice): Promise<void> {
		const { clientSecret, signature } = await this.#post(`${paths.create}?total=${total}`, null);
		this.payment = { clientSecret, signature };
	}

	place(productIds = [book], payment = this.payment) {
		return this.#post(paths.place, { ...payment, productIds, customer: this.#browser.customer?.id ?? null });
	}

	fulfill() {
		return this.#post(paths.fulfill, this.payment);
	}
}

/** Places alice's order for a book, and confirms its payment. */
async function pay(world: World): Promise<Shopper> {
	const { state } = await createTab(world, "pays", { user: "alice" });
	return new Shopper(world, "alice", state.created ?? {});
}

describe("POST /payments/place", () => {
	testInWorld("stores the order at current prices, and copies its owner and items to Stripe", async (world) => {
		const alice = new Shopper(world, "alice");
		await alice.create(2 * bookPrice + speakerPrice);
		expect(await alice.place([book, speaker, book])).toMatchObject({ status: 200, outcome: "placed" });
		expect(orderOf(world, alice.id)).toMatchObject({
			...{ user_id: "alice", guest_token_hash: null, amount: 2 * bookPrice + speakerPrice, status: "placed" },
			...{ placed_at: world.now(), due_at: world.now() + 60 },
		});
		expect(orderOf(world, alice.id)?.["created"]).toBeGreaterThan(world.now() - 60);
		expect(itemsOf(world)).toMatchObject([
			{ product_id: book, price_cents: bookPrice, quantity: 2 },
			{ product_id: speaker, price_cents: speakerPrice, quantity: 1 },
		]);
		expect(metadataOf(world, alice.id)).toEqual({
			shop: "half-dozen",
			user_id: "alice",
			items: `${book}:2:${bookPrice},${speaker}:1:${speakerPrice}`,
			items_signature: expect.stringMatching(/^[\w-]{43}$/),
		});
	});

	testInWorld("returns 404 if Stripe no longer has the intent, or if it is another shop's", async (world) => {
		const guest = new Shopper(world);
		await guest.create();
		change(world, guest.id, "$.metadata.shop", "another");
		expect(await guest.place([book], { ...guest.payment, signature: "" })).toMatchObject({ status: 404 });
		world.stripe.database.exec(`delete from objects where id = '${guest.id}'`);
		expect(await guest.place()).toMatchObject({ status: 404, outcome: "unknown_payment_intent" });
	});

	test.each([
		["canceled", "payment_intent_gone"],
		["succeeded", "already_paid"],
		["processing", "already_paid"],
	])("refuses an intent that is %s, with and without a signature", (status, outcome) =>
		inWorld(async (world) => {
			const guest = new Shopper(world);
			await guest.create();
			change(world, guest.id, "$.status", status);
			expect(await guest.place([book], { ...guest.payment, signature: "" })).toMatchObject({ status: 409, outcome });
			expect(orderOf(world, guest.id)).toBeUndefined();
			// Stripe's response to the update of the metadata, or its error, shows the status
			expect(await guest.place()).toMatchObject({ status: 409, outcome });
		}),
	);

	testInWorld("refuses an intent in another currency", async (world) => {
		const guest = new Shopper(world);
		await guest.create();
		change(world, guest.id, "$.currency", "xts");
		const placed = await guest.place([book], { ...guest.payment, signature: "" });
		expect(placed).toMatchObject({ status: 409, outcome: "currency_changed" });
		expect(orderOf(world, guest.id)).toBeUndefined();
	});

	test.each([
		["abandoned", "payment_intent_gone"],
		["paid", "already_paid"],
		["refunded", "already_paid"],
	])("leaves an order that is %s unchanged", (status, outcome) =>
		inWorld(async (world) => {
			const alice = await pay(world);
			world.shop.exec(`update orders set status = '${status}'`);
			const before = orderOf(world, alice.id);
			world.clock.ms += minute;
			expect(await alice.place()).toMatchObject({ status: 409, outcome });
			expect(orderOf(world, alice.id)).toEqual(before);
		}),
	);

	testInWorld(
		"never changes the items of an order, even if others cost the same or have a new title",
		async (world) => {
			const guest = new Shopper(world);
			await guest.create();
			await guest.place();
			const stored = itemsOf(world);
			world.shop.exec(`update products set price_cents = ${bookPrice} where id = '${mixer}'`);
			world.shop.exec(`update products set title = 'Another title' where id = '${book}'`);
			expect(await guest.place([mixer])).toMatchObject({ status: 409, outcome: "another_order" });
			expect(await guest.place()).toMatchObject({ status: 200 });
			expect(itemsOf(world)).toEqual(stored);
		},
	);

	testInWorld("renews the hour of its owner's order for a day after the payment was created", async (world) => {
		const alice = new Shopper(world, "alice");
		await alice.create();
		const created = world.now();
		await alice.place();
		const placeAfter = async (hours: number) => {
			world.clock.ms = (created + hours * 3600) * 1000;
			expect(await alice.place()).toMatchObject({ status: 200 });
			return orderOf(world, alice.id);
		};
		const renewed = { placed_at: created + 23 * 3600, due_at: created + 23 * 3600 + 60 };
		expect(await placeAfter(23)).toMatchObject(renewed);
		expect(await placeAfter(24)).toMatchObject(renewed);
	});

	testInWorld("of another owner's order changes neither its hour nor its copy at Stripe", async (world) => {
		const alice = new Shopper(world, "alice");
		await alice.create();
		await alice.place();
		const before = [orderOf(world, alice.id), metadataOf(world, alice.id)];
		world.clock.ms += minute;
		for (const user of ["bob", null]) {
			const stranger = new Shopper(world, user, alice.payment);
			expect(await stranger.place()).toMatchObject({ status: 409, outcome: "another_order" });
		}
		expect([orderOf(world, alice.id), metadataOf(world, alice.id)]).toEqual(before);
	});
});

describe("POST /payments/fulfill", () => {
	test.each([
		["that is processing", "$.status", "processing", { status: 202, outcome: "checking" }],
		["that requires an action", "$.status", "requires_action", { status: 409, intentStatus: "requires_action" }],
	])("leaves the order of a payment %s unpaid", (_, path, value, expected) =>
		inWorld(async (world) => {
			const alice = await pay(world);
			change(world, alice.id, path, value);
			expect(await alice.fulfill()).toMatchObject(expected);
			expect(orderOf(world, alice.id)).toMatchObject({ status: "placed" });
		}),
	);

	testInWorld(
		"compares a payment with the currency of its order, which may be a former one of the shop",
		async (world) => {
			const alice = await pay(world);
			change(world, alice.id, "$.currency", "xts");
			expect(await alice.fulfill()).toMatchObject({ status: 202, outcome: "checking" });
			expect(orderOf(world, alice.id)).toMatchObject({ status: "placed" });
			world.shop.exec("update orders set currency = 'xts'");
			expect(await alice.fulfill()).toMatchObject({ status: 200, outcome: "paid" });
		},
	);

	testInWorld("shows that a payment without an order is being checked, also after its refund failed", async (world) => {
		const alice = await pay(world);
		loseOrder(world, alice.id);
		expect(await alice.fulfill()).toMatchObject({ status: 202, outcome: "checking" });
		for (const [status, outcome] of [
			["pending", "refunded"],
			["succeeded", "refunded"],
			["failed", "checking"],
		] as const) {
			world.shop.exec("delete from refunds");
			const refund = { reason: "orphan", status, attempts: 0, created: 0 };
			world.shop.insert("refunds", { payment_intent_id: alice.id, ...refund });
			expect(await alice.fulfill()).toMatchObject({ outcome });
		}
	});

	testInWorld("binds a guest's order to the browser that completes the payment", async (world) => {
		const guest = new Shopper(world);
		await guest.create();
		await guest.place();
		succeed(world, guest.id, bookPrice);
		// the second does not take it from the first
		for (const user of ["bob", "alice"]) {
			expect(await new Shopper(world, user, guest.payment).fulfill()).toMatchObject({ outcome: "paid" });
			expect(orderOf(world, guest.id)).toMatchObject({ user_id: "bob", guest_token_hash: null });
		}
	});
});
