import Stripe from "stripe";
import { afterAll, beforeAll } from "vitest";
import { PUBLISHABLE_KEY } from "../../stripe-emulator/keys.ts";
import { openShop, type Shop } from "./shop.ts";

/** For the tests that hold the emulator against Stripe's own SDK: importing this opens a shop before a file's tests and
 *  closes it after them. */
export let shop: Shop;
export let stripe: Stripe;
beforeAll(async () => {
	shop = await openShop();
	stripe = shop.stripe;
});
afterAll(() => shop?.close());

export const create = (options?: Stripe.RequestOptions) =>
	stripe.paymentIntents.create({ amount: 1499, currency: "usd", allowed_payment_method_types: ["card"] }, options);

/** What a call is refused with; fails when it is not refused. */
export async function refusal(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
	const error = await call.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	if (error instanceof Stripe.errors.StripeError) return error;
	throw new Error(`Expected a refusal, got ${error}`);
}

/** A PaymentIntent, or what stands in place of it. */
export interface Answer extends Partial<Stripe.PaymentIntent> {
	error?: { code?: string; decline_code?: string; payment_intent?: Stripe.PaymentIntent };
}

interface Card {
	number: string;
	exp_month?: string;
	exp_year?: string;
	cvc?: string;
}

/** Confirms as the card frame does: with the publishable key, the client secret and a card number. */
export async function confirmInBrowser(intent: Stripe.PaymentIntent, card: Card) {
	const filled = { exp_month: "12", exp_year: "2040", cvc: card.number.length === 15 ? "1234" : "123", ...card };
	const form = new URLSearchParams({ "payment_method_data[type]": "card" });
	for (const [name, value] of Object.entries(filled)) if (value) form.set(`payment_method_data[card][${name}]`, value);
	form.set("payment_method_data[billing_details][email]", "ada@example.com");
	form.set("use_stripe_sdk", "true");
	form.set("key", PUBLISHABLE_KEY);
	form.set("client_secret", intent.client_secret ?? "");
	const path = `/stripe-emulator/v1/payment_intents/${intent.id}/confirm`;
	const response = await shop.fetch(path, { method: "POST", body: form, headers: { Origin: "null" } });
	return { status: response.status, headers: response.headers, body: await response.json<Answer>() };
}

export function get(id: string, query: Record<string, string>) {
	return shop.fetch(`/stripe-emulator/v1/payment_intents/${id}?${new URLSearchParams(query)}`);
}
