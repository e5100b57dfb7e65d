import { defaultKeys } from "stripe-emulator/keys.ts";
import { expect, test } from "vitest";
import { sign } from "#app/payments/shop-signature.server.ts";
import { book, speaker } from "../support/catalogue.ts";
import { Customer, idOf, orderOf, outcomeOf, refundOf } from "../support/customer.ts";
import { openShop, shopId } from "../support/shop.ts";
import { stripe as stripeAccount } from "../support/unit-request.ts";
import { closeAfterAll } from "./setup.ts";

// Two shops that share a Stripe account. The second one sells the speaker for the price of a book.

const shop = closeAfterAll(await openShop());
await shop.disableWebhooks();
const other = closeAfterAll(
	await openShop({
		secrets: {
			STRIPE_SECRET_KEY: defaultKeys.secretKey,
			STRIPE_PUBLISHABLE_KEY: defaultKeys.publishableKey,
			STRIPE_WEBHOOK_SECRET: defaultKeys.webhookSecret,
			SHOP_ID: "another-shop",
		},
		// the first shop's emulator is their Stripe
		async outbound(request) {
			const { pathname, search } = new URL(request.url);
			const body = await request.text();
			const headers = [...request.headers].filter(([name]) =>
				/^(authorization|content-type|idempotency-key)$/.test(name),
			);
			const init = { method: request.method, headers, ...(body && { body }) };
			const response = await shop.fetch(`/stripe-emulator${pathname}${search}`, init);
			return new Response(await response.text(), { status: response.status });
		},
	}),
);
await other.d1.prepare(`update products set price_cents = ${book.priceCents} where id = '${speaker.id}'`).run();

test("a shop refuses a payment that another shop of its Stripe account has signed", async () => {
	const shopper = new Customer(shop);
	const clientSecret = await shopper.create(book.priceCents);
	const intent = await shop.stripe.paymentIntents.retrieve(idOf(clientSecret));
	// a local shop signs with a key of its own, so this is what it would sign with the key of the account
	const account = { ...stripeAccount, signingKey: defaultKeys.secretKey, shopId };
	const signature = sign(account, clientSecret, intent);
	for (const [path, more] of [
		["place", { productIds: [speaker.id], customer: null }],
		["fulfill", {}],
		["fulfill", { cancel: true }],
	] as const) {
		const payment = { clientSecret, signature, ...more };
		const response = await new Customer(other).postJson(`/payments/${path}`, payment);
		expect(await outcomeOf(response), path).toEqual([404, "unknown_payment_intent"]);
	}
	expect(await shop.stripe.paymentIntents.retrieve(idOf(clientSecret))).toEqual(intent);
	// what the first shop has not placed is refunded, and never rebuilt at the second shop's prices
	await shopper.confirm(clientSecret);
	await shop.advance(10 * 60);
	await shop.reconcile();
	expect(await orderOf(shop, clientSecret)).toBeNull();
	expect(await refundOf(shop, clientSecret)).toMatchObject({ reason: "orphan" });
});
