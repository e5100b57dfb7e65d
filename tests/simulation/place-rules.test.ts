import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import * as catalogue from "../support/catalogue.ts";
import { Browser } from "./browser.ts";
import { book, createTab, intentOf, inWorld, minute, speaker } from "./setup.ts";
import { paths } from "./shop.ts";
import { idOf } from "./stripe-js.ts";
import type { World } from "./world.ts";

// The rules of POST /payments/place and /payments/fulfill, one request at a time.

const responseShape = z.object({
	clientSecret: z.optional(z.string()),
	signature: z.optional(z.string()),
	status: z.optional(z.string()),
	intentStatus: z.optional(z.string()),
	prices: z.optional(z.record(z.string(), z.number())),
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

	fulfill(more: object = {}) {
		const { clientSecret, signature } = this;
		return this.post(paths.fulfill, { clientSecret, signature, ...more });
	}
}

const orderOf = ({ shop }: World, id: string) => shop.all("select * from orders where payment_intent_id = ?", [id])[0];
const itemsOf = ({ shop }: World, id: string) =>
	shop
		.all("select * from order_items where payment_intent_id = ? order by position", [id])
		.map(({ product_id, price_cents, quantity, title }) => ({ product_id, price_cents, quantity, title }));

/** Changes a PaymentIntent at Stripe. */
function change({ stripe, monitor }: World, id: string, path: string, value: string): void {
	stripe.database.all(`update objects set object = json_set(object, ?, ?) where id = ?`, [path, value, id]);
	monitor.stripeChanged();
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

	test("retrieves the intent if the signature is missing or of another amount, and trusts only Stripe's amount", () =>
		inWorld(async (world) => {
			const guest = new Shopper(world);
			await guest.create(bookPrice);
			const forged = guest.signature.replace(/^\d+/, String(speakerPrice));
			for (const signature of ["", forged]) {
				expect(await guest.place([speaker], { signature })).toMatchObject({
					...{ status: 409, outcome: "price_changed", prices: { [speaker]: speakerPrice } },
				});
				expect(await guest.place([book], { signature })).toMatchObject({ status: 200, outcome: "placed" });
			}
		}));

	test("returns the prices of the products that are still sold if they do not add up to the amount", () =>
		inWorld(async (world) => {
			const guest = new Shopper(world);
			const id = await guest.create(bookPrice + speakerPrice);
			world.shop.exec(`delete from products where id = '${speaker}'`);
			expect(await guest.place([book, speaker])).toMatchObject({
				...{ status: 409, outcome: "price_changed", prices: { [book]: bookPrice } },
			});
			expect(await guest.place([book, speaker], { signature: "" })).toMatchObject({
				...{ status: 400, outcome: "unknown_product" },
			});
			expect(orderOf(world, id)).toBeUndefined();
		}));

	test.each([
		["an unknown client secret", () => ({ clientSecret: "pi_1_secret_1", signature: "" })],
		["another secret of the intent", (secret: string) => ({ clientSecret: `${secret}x`, signature: "" })],
	])("returns 404 for %s", (_, more) =>
		inWorld(async (world) => {
			const guest = new Shopper(world);
			await guest.create(bookPrice);
			expect(await guest.place([book], more(guest.clientSecret))).toMatchObject({
				...{ status: 404, outcome: "unknown_payment_intent" },
			});
		}),
	);

	test("returns 404 if Stripe no longer has the intent, or if it is another shop's", () =>
		inWorld(async (world) => {
			const guest = new Shopper(world);
			const id = await guest.create(bookPrice);
			change(world, id, "$.metadata.shop", "another");
			expect(await guest.place([book], { signature: "" })).toMatchObject({ status: 404 });
			world.stripe.database.exec(`delete from objects where id = '${id}'`);
			world.monitor.stripeChanged();
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

	test("only renews the hour if the order is placed again, with its items in any sequence", () =>
		inWorld(async (world) => {
			const guest = new Shopper(world);
			const id = await guest.create(bookPrice + speakerPrice);
			await guest.place([book, speaker]);
			const before = [orderOf(world, id), itemsOf(world, id)];
			for (const items of [
				[book, speaker],
				[speaker, book],
			]) {
				world.clock.ms += 59 * minute;
				expect(await guest.place(items)).toMatchObject({ status: 200, outcome: "placed" });
				const times = { placed_at: world.now(), due_at: world.now() + 60 };
				expect([orderOf(world, id), itemsOf(world, id)]).toEqual([{ ...before[0], ...times }, before[1]]);
			}
		}));

	test.each([undefined, "alice"])("never changes the owner of an order that %s placed", (owner) =>
		inWorld(async (world) => {
			const shopper = new Shopper(world, owner);
			const id = await shopper.create(bookPrice);
			await shopper.place([book]);
			const before = [orderOf(world, id), metadataOf(world, id)];
			world.clock.ms += minute;
			for (const stranger of [new Shopper(world), new Shopper(world, "bob")]) {
				Object.assign(stranger, { clientSecret: shopper.clientSecret, signature: shopper.signature });
				expect(await stranger.place([book])).toMatchObject({ status: 409, outcome: "another_order" });
				expect([orderOf(world, id), metadataOf(world, id)]).toEqual(before);
			}
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

	test("refuses a page that shows another customer than the session's, and stores nothing", () =>
		inWorld(async (world) => {
			for (const [user, customer] of [
				["alice", "bob"],
				["alice", null],
				[undefined, "alice"],
			] as const) {
				const shopper = new Shopper(world, user);
				const id = await shopper.create(bookPrice);
				for (const signature of [shopper.signature, ""]) {
					expect(await shopper.place([book], { customer, signature })).toMatchObject({
						...{ status: 409, outcome: "identity_changed" },
					});
				}
				expect(orderOf(world, id)).toBeUndefined();
			}
		}));

	test("placed again keeps its line items, also if the price has changed since", () =>
		inWorld(async (world) => {
			const alice = new Shopper(world, "alice");
			const id = await alice.create(bookPrice);
			await alice.place([book]);
			const stored = itemsOf(world, id);
			world.shop.exec(`update products set title = 'Another title' where id = '${book}'`);
			expect(await alice.place([book])).toMatchObject({ status: 200 });
			expect(itemsOf(world, id)).toEqual(stored);
			world.shop.exec(`update products set price_cents = price_cents + 1 where id = '${book}'`);
			expect(await alice.place([book])).toMatchObject({ status: 409, prices: { [book]: bookPrice + 1 } });
			expect(itemsOf(world, id)).toEqual(stored);
		}));

	test("returns 503 and says that nothing was charged if Stripe fails", () =>
		inWorld(async (world) => {
			const guest = new Shopper(world);
			world.stripe.broken.add(await guest.create(bookPrice));
			expect(await guest.place([book])).toMatchObject({ status: 503, outcome: "not_charged" });
		}));
});

describe("POST /payments/fulfill", () => {
	test("marks the order as paid once, and then no longer calls Stripe", () =>
		inWorld(async (world) => {
			const { alice, id } = await pay(world);
			expect(await alice.fulfill()).toMatchObject({ status: 200, outcome: "paid" });
			expect(orderOf(world, id)).toMatchObject({ status: "paid" });
			const { length } = world.stripe.calls;
			expect(await alice.fulfill()).toMatchObject({ status: 200, outcome: "paid" });
			expect(world.stripe.calls).toHaveLength(length);
			expect(await alice.fulfill({ signature: "" })).toMatchObject({ status: 200, outcome: "paid" });
			expect(world.stripe.calls).toHaveLength(length + 1);
			expect(world.logs.filter((line) => String(line).includes('"event":"fulfilled"'))).toEqual([
				`{"event":"fulfilled","payment_intent":"${id}","amount":${bookPrice},"status":"paid"}`,
			]);
		}));

	test.each([
		["in another currency", "$.currency", "eur", 409, "not_paid"],
		["of another shop", "$.metadata.shop", "another", 404, "unknown_payment_intent"],
		["that is processing", "$.status", "processing", 202, "checking"],
		["that is canceled", "$.status", "canceled", 409, "canceled"],
		["that requires an action", "$.status", "requires_action", 409, "not_paid"],
		["whose secret is another", "$.client_secret", "another", 404, "unknown_payment_intent"],
	])("leaves the order of a payment %s unpaid", (_, path, value, status, outcome) =>
		inWorld(async (world) => {
			const { alice, id } = await pay(world);
			change(world, id, path, value);
			expect(await alice.fulfill()).toMatchObject({ status, outcome });
			expect(orderOf(world, id)).toMatchObject({ status: "placed" });
		}),
	);

	test("returns the status of a payment that requires an action", () =>
		inWorld(async (world) => {
			const { alice, id } = await pay(world);
			change(world, id, "$.status", "requires_action");
			expect(await alice.fulfill()).toMatchObject({ intentStatus: "requires_action" });
		}));

	test("leaves an order of another amount unpaid", () =>
		inWorld(async (world) => {
			const { alice, id } = await pay(world);
			world.shop.exec("update orders set amount = amount + 1");
			expect(await alice.fulfill()).toMatchObject({ status: 202, outcome: "checking" });
			expect(orderOf(world, id)).toMatchObject({ status: "placed" });
		}));

	test("marks the order as refunded if a refund of any status is recorded", () =>
		inWorld(async (world) => {
			for (const status of ["pending", "succeeded", "failed"]) {
				const { alice, id } = await pay(world);
				world.shop.exec(`insert into refunds values ('${id}', 'orphan', null, '${status}', 0, 0)`);
				expect(await alice.fulfill()).toMatchObject({ status: 200, outcome: "refunded" });
				expect(orderOf(world, id)).toMatchObject({ status: "refunded" });
			}
		}));

	test("records a refund in the dashboard of a payment that was not fulfilled yet", () =>
		inWorld(async (world) => {
			const { alice, id } = await pay(world);
			await world.stripe.refundByHand(id);
			expect(await alice.fulfill()).toMatchObject({ status: 200, outcome: "refunded" });
			expect(orderOf(world, id)).toMatchObject({ status: "refunded" });
			expect(world.shop.all("select status, reason from refunds")).toEqual([
				{ status: "succeeded", reason: "requested" },
			]);
		}));

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

	test("cancels an unpaid payment only if the page asks for it", () =>
		inWorld(async (world) => {
			const guest = new Shopper(world);
			const id = await guest.create(bookPrice);
			await guest.place([book]);
			expect(await guest.fulfill()).toMatchObject({ status: 409, outcome: "not_paid" });
			expect(orderOf(world, id)).toMatchObject({ status: "placed" });
			expect(await guest.fulfill({ cancel: true })).toMatchObject({ status: 409, outcome: "canceled" });
			expect(orderOf(world, id)).toMatchObject({ status: "abandoned", guest_token_hash: null });
			expect(itemsOf(world, id)).toEqual([]);
		}));

	test("binds a guest's order to the browser that completes the payment", () =>
		inWorld(async (world) => {
			const guest = new Shopper(world);
			const id = await guest.create(bookPrice);
			await guest.place([book]);
			change(world, id, "$.status", "succeeded");
			change(world, id, "$.amount_received", "");
			world.stripe.database.exec(
				`update objects set object = json_set(object, '$.amount_received', ${bookPrice}) where id = '${id}'`,
			);
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
