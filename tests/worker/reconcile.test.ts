import { expect, test } from "vitest";
import { book, speaker } from "../support/catalogue.ts";
import { Customer, idOf, loseOrder, payWithoutOrder, refundOf, refundsAt, statusOf } from "../support/customer.ts";
import { openShop } from "../support/shop.ts";
import { calmBeforeEach, closeAfterAll } from "./setup.ts";

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

test("every run that is interrupted makes progress", async () => {
	const secrets: string[] = [];
	for (let count = 0; count < 6; count++) secrets.push(await new Customer(shop).pay([book.id]));
	for (const clientSecret of secrets) await loseOrder(shop, clientSecret);
	await shop.advance(601);
	// a payment is resolved in two steps: its order is paid, then its row is deleted
	const done = shop.d1.prepare(
		`select (select count(*) from orders where status = 'paid')
			- (select count(*) from unresolved_payments) as count`,
	);
	let before = -secrets.length;
	for (const _ of secrets) {
		await shop.control({ control: "shop_fault", path: "cron", service: "any", call: 17, fault: "crash" });
		await shop.reconcile().catch(() => undefined);
		const after = await done.first<number>("count");
		expect(after).toBeGreaterThan(before);
		before = after ?? 0;
		await shop.advance(300);
	}
});
