import { expect, test } from "vitest";
import { book, changeProduct, speaker } from "../support/catalogue.ts";
import {
	Customer,
	idOf,
	itemsOf,
	loseOrder,
	orderOf,
	payWithoutOrder,
	refundOf,
	refundsAt,
	statusOf,
} from "../support/customer.ts";
import { openShop } from "../support/shop.ts";
import { calmBeforeEach, closeAfterAll } from "./hooks.ts";

// The cron on real D1. Its rules, and its runs in different orders and with faults, are tested in the simulation.

const shop = calmBeforeEach(closeAfterAll(await openShop()));

test("three concurrent runs fulfill and rebuild orders once, and refund a payment without an order once its charge is three minutes old", async () => {
	const orphan = await payWithoutOrder(shop);
	await shop.advance(170);
	await shop.reconcile();
	expect(await refundOf(shop, orphan)).toBeNull();
	const [unheard, lost] = [await new Customer(shop).pay([speaker.id]), await new Customer(shop).pay([book.id])];
	await loseOrder(shop, lost);
	await shop.advance(120);
	for (const _ of ["first", "again"]) {
		await Promise.all([shop.reconcile(), shop.reconcile(), shop.reconcile()]);
		expect([await statusOf(shop, unheard), await statusOf(shop, lost)]).toEqual(["paid", "paid"]);
		for (const secret of [unheard, lost]) {
			const fulfilled = `"event":"fulfilled","payment_intent":"${idOf(secret)}"`;
			expect(shop.logs().split(fulfilled)).toHaveLength(2);
			expect(await refundsAt(shop, secret)).toEqual([]);
		}
		expect(await refundOf(shop, orphan)).toMatchObject({ reason: "orphan", status: "succeeded" });
		expect(await refundsAt(shop, orphan)).toMatchObject([{ amount: book.priceCents, status: "succeeded" }]);
	}
	expect(await (await new Customer(shop).fulfill(orphan)).json()).toEqual({ status: "refunded" });
});

test.each(["withdrawn", "repriced"])(
	"a lost order whose product was %s is rebuilt with the items, prices and owner of the purchase",
	async (change) => {
		const shopper = new Customer(shop);
		await shopper.createAccount();
		const clientSecret = await shopper.pay([speaker.id, book.id, speaker.id]);
		await loseOrder(shop, clientSecret);
		const restore = await changeProduct(shop, speaker.id, change);
		try {
			await shop.advance(300);
			await shop.reconcile();
			const title = change === "withdrawn" ? `Item ${speaker.id}, no longer sold` : speaker.title;
			expect(await shopper.page("/orders")).toContain(title);
		} finally {
			await restore();
		}
		expect(await orderOf(shop, clientSecret)).toMatchObject({
			...{ status: "paid", user_id: await shopper.userId() },
			amount: speaker.priceCents + book.priceCents + speaker.priceCents,
		});
		expect(await itemsOf(shop, clientSecret)).toEqual(
			[speaker, speaker, book].map(({ id, priceCents }) => ({ product_id: id, price_cents: priceCents })),
		);
		expect(await refundsAt(shop, clientSecret)).toEqual([]);
	},
);

test("a guest's lost order is rebuilt for the guest, and the account that claims it is copied to Stripe", async () => {
	const shopper = new Customer(shop);
	const clientSecret = await shopper.pay([book.id]);
	await loseOrder(shop, clientSecret);
	await shop.advance(300);
	await shop.reconcile();
	expect(await orderOf(shop, clientSecret)).toMatchObject({ status: "paid", user_id: null });
	await shopper.createAccount();
	expect(await shopper.page("/orders")).toContain(book.title);
	await shop.reconcile();
	const { metadata } = await shop.stripe.paymentIntents.retrieve(idOf(clientSecret));
	expect(metadata["user_id"]).toBe(await shopper.userId());
	expect(metadata["guest_token_hash"]).toBeUndefined();
});

test("an order that is unpaid for an hour is canceled at Stripe, loses its items, and is deleted after 30 days", async () => {
	const shopper = new Customer(shop);
	const clientSecret = await shopper.placeOrder([speaker.id]);
	await shop.advance(3601);
	await shop.reconcile();
	expect([await statusOf(shop, clientSecret), await itemsOf(shop, clientSecret)]).toEqual(["abandoned", []]);
	expect(await shop.stripe.paymentIntents.retrieve(idOf(clientSecret))).toMatchObject({ status: "canceled" });
	expect((await shopper.place(clientSecret, [speaker.id])).status).toBe(409);
	await shop.advance(30 * 86_400);
	await shop.reconcile();
	expect(await orderOf(shop, clientSecret)).toBeNull();
});

test("a payment in processing for more than a day is not canceled, and its order is marked as paid", async () => {
	await shop.control({ control: "processing", seconds: 200_000 });
	const clientSecret = await new Customer(shop).pay([speaker.id]);
	await shop.advance(86_401);
	await shop.reconcile();
	expect(await statusOf(shop, clientSecret)).toBe("placed");
	await shop.advance(200_000);
	await shop.reconcile();
	expect(await statusOf(shop, clientSecret)).toBe("paid");
});

test("every run that is interrupted resolves at least one more payment", async () => {
	const secrets: string[] = [];
	for (let count = 0; count < 6; count++) secrets.push(await new Customer(shop).pay([book.id]));
	for (const clientSecret of secrets) await loseOrder(shop, clientSecret);
	await shop.advance(601);
	for (let run = 1; run <= secrets.length; run++) {
		await shop.control({ control: "shop_fault", path: "cron", service: "any", call: 17, fault: "crash" });
		await shop.reconcile().catch(() => undefined);
		const statuses = await Promise.all(secrets.map((secret) => statusOf(shop, secret)));
		expect(statuses.filter((status) => status === "paid").length).toBeGreaterThanOrEqual(run);
		await shop.advance(300);
	}
});

test("without a cursor, all events are read page by page, even if a run is interrupted", async () => {
	const oldest = await new Customer(shop).pay([book.id]);
	// creates two events per payment; a page holds 100 events
	await shop.control({ control: "webhooks", mode: "drop", twins: true });
	const foreign = { amount: book.priceCents, currency: "usd", metadata: { shop: "another-shop" } };
	const card = { confirm: true, payment_method: "pm_card_visa", allowed_payment_method_types: ["card"] };
	for (let count = 0; count < 55; count++) await shop.stripe.paymentIntents.create({ ...foreign, ...card });
	await shop.d1.prepare("delete from reconcile_cursor").run();
	await loseOrder(shop, oldest);
	await shop.advance(601);
	await shop.control({ control: "shop_fault", path: "cron", service: "stripe", call: 2, fault: "crash" });
	await shop.reconcile().catch(() => undefined);
	await shop.reconcile();
	expect(await statusOf(shop, oldest)).toBe("paid");
});
