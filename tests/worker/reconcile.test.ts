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
import { calmBeforeEach, closeAfterAll, newCustomer } from "./setup.ts";

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
		const shopper = await newCustomer(shop);
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
