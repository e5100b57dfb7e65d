import { expect, test } from "vitest";
import { book, speaker } from "../support/catalogue.ts";
import { Customer, idOf, payWithoutOrder, statusOf } from "../support/customer.ts";
import { openCalmShop } from "./setup.ts";

// The cron on real D1. Its rules, and its runs in different orders and with faults, are tested in the simulation.

const shop = await openCalmShop();

test("three concurrent runs fulfill orders without a webhook once, copy them to Stripe, and refund nothing", async () => {
	await payWithoutOrder(shop);
	const unheard = [await new Customer(shop).pay([speaker.id]), await new Customer(shop).pay([book.id])];
	await shop.advance(120);
	for (const _ of ["first", "again"]) {
		await Promise.all([shop.reconcile(), shop.reconcile(), shop.reconcile()]);
		for (const secret of unheard) {
			expect(await statusOf(shop, secret)).toBe("paid");
			expect(shop.logs().split(`"event":"fulfilled","payment_intent":"${idOf(secret)}"`)).toHaveLength(2);
			const { metadata } = await shop.stripe.paymentIntents.retrieve(idOf(secret));
			expect(metadata).toMatchObject({ items: expect.any(String), guest_token_hash: expect.any(String) });
		}
		expect((await shop.stripe.refunds.list()).data).toEqual([]);
	}
});

test("every run that is interrupted makes progress", async () => {
	const secrets: string[] = [];
	for (let count = 0; count < 6; count++) secrets.push(await new Customer(shop).pay([book.id]));
	await shop.advance(120);
	const paid = shop.d1.prepare("select count(*) as count from orders where status = 'paid'");
	let before = await paid.first<number>("count");
	for (const _ of secrets) {
		// a list, and three calls for each order
		await shop.control({ control: "shop_fault", path: "cron", service: "any", call: 5, fault: "crash" });
		await shop.reconcile().catch(() => undefined);
		const after = await paid.first<number>("count");
		expect(after).toBeGreaterThan(before ?? 0);
		before = after;
		await shop.advance(300);
	}
});
