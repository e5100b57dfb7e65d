import Stripe from "stripe";
import { PUBLISHABLE_KEY } from "stripe-emulator/keys.ts";
import { afterAll, beforeAll } from "vitest";
import type { LocalControl } from "../../local/controls.ts";
import { emulatorClient, openShop, type Shop } from "./shop.ts";

/** For the tests that hold the emulator against Stripe's own SDK: importing this opens a shop before a file's tests and
 *  closes it after them. */
export let shop: Shop;
export let stripe: Stripe;
beforeAll(async () => {
	shop = await openShop();
	stripe = shop.stripe;
});
afterAll(() => shop?.close());

/** Does something to the emulator. Answers what came of it, once it has. */
export const control = <Result>(asked: LocalControl) => shop.control<Result>(asked);

/** What the emulator has to show. */
export const state = () => shop.emulator();

/** The SDK of somebody with another key. */
export const stripeWith = (key: string) => emulatorClient(shop.url, key);

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

/** Sends a form as the emulator's frames do: with the publishable key and no other. */
export async function postFromBrowser<Body = Answer>(path: string, fields: Record<string, string>) {
	const body = new URLSearchParams({ ...fields, key: PUBLISHABLE_KEY });
	const response = await shop.fetch(`/stripe-emulator/v1/${path}`, {
		method: "POST",
		body,
		headers: { Origin: "null" },
	});
	return { status: response.status, headers: response.headers, body: await response.json<Body>() };
}

/** A card's fields, those that are not given filled in. */
function cardFields(group: string, card: Card): Record<string, string> {
	const filled = { exp_month: "12", exp_year: "2040", cvc: card.number.length === 15 ? "1234" : "123", ...card };
	const given = Object.entries(filled).filter(([, value]) => value !== "");
	return Object.fromEntries(given.map(([name, value]) => [`${group}[${name}]`, value]));
}

/** Confirms as the card frame does: with the publishable key, the client secret and a card number. */
export function confirmInBrowser(intent: Pick<Stripe.PaymentIntent, "id" | "client_secret">, card: Card) {
	return postFromBrowser(`payment_intents/${intent.id}/confirm`, {
		"payment_method_data[type]": "card",
		...cardFields("payment_method_data[card]", card),
		"payment_method_data[billing_details][email]": "ada@example.com",
		use_stripe_sdk: "true",
		client_secret: intent.client_secret ?? "",
	});
}

/** The id of a payment method that a browser has made of a card, for a server to confirm with. */
export async function paymentMethodOf(number: string): Promise<string> {
	const { body } = await postFromBrowser("payment_methods", { type: "card", ...cardFields("card", { number }) });
	if (body.id) return body.id;
	throw new Error(`No payment method: ${JSON.stringify(body)}`);
}

/** What an intent waits for its cardholder to answer, or undefined. */
export function challengeOf({ next_action }: Pick<Answer, "next_action">): string | undefined {
	const source: unknown = next_action?.use_stripe_sdk?.["source"];
	return typeof source === "string" ? source : undefined;
}

/** Answers the bank's question as its frame does. `challenge` is the latest one unless it is given. */
export async function authenticate(
	{ id, client_secret }: Stripe.PaymentIntent,
	outcome: "complete" | "fail" | "abandon",
	challenge?: string,
) {
	const asked = challenge ?? challengeOf(await stripe.paymentIntents.retrieve(id));
	return postFromBrowser(`three_d_secure/${asked}`, { outcome, client_secret: client_secret ?? "" });
}

export function get(id: string, query: Record<string, string>) {
	return shop.fetch(`/stripe-emulator/v1/payment_intents/${id}?${new URLSearchParams(query)}`);
}
