import Stripe from "stripe";
import { afterAll, beforeAll, inject } from "vitest";
import { PUBLISHABLE_KEY } from "../../keys.ts";
import { type Host, openHost, stripeClient } from "./host.ts";

// Helpers for testing the emulator with Stripe's SDK.

/** The host of the running test file. */
export let host: Host;
export let stripe: Stripe;

/** Opens a host before each test file and closes it afterwards. Test files share this module, so the hooks are
 *  registered in hooks.ts, which runs once per file. */
export function openHostForFile(): void {
	beforeAll(async () => {
		host = await openHost(inject("hostScript"));
		stripe = host.stripe;
	});
	afterAll(() => host?.close());
}

/** Sends a control and returns its result. */
export const control = <Result>(sent: Parameters<Host["control"]>[0]) => host.control<Result>(sent);

export const state = () => host.state();

/** Returns an SDK client with another key. */
export const stripeWith = (key: string) => stripeClient(host.url, key);

export const create = (options?: Stripe.RequestOptions) =>
	stripe.paymentIntents.create({ amount: 1499, currency: "usd", allowed_payment_method_types: ["card"] }, options);

/** Returns the error of a call; throws if the call succeeds. */
export async function refusal(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
	const error = await call.then(
		() => undefined,
		(thrown: unknown) => thrown,
	);
	if (error instanceof Stripe.errors.StripeError) return error;
	throw new Error(`Expected a refusal, got ${error}`);
}

/** Returns whether a response was replayed for an idempotency key. */
export function isReplayed(object: Stripe.Response<unknown>): boolean {
	return header(object, "idempotent-replayed") === "true";
}

export function header({ lastResponse: { headers } }: Stripe.Response<unknown>, name: string): string | null {
	if (headers instanceof Headers) return headers.get(name);
	throw new Error("The SDK no longer returns the fetch client's headers.");
}

/** A PaymentIntent, or the error returned in its place. */
interface IntentBody extends Partial<Stripe.PaymentIntent> {
	error?: { code?: string; decline_code?: string; payment_intent?: Stripe.PaymentIntent };
}

/** Sends a form as the emulator's frames do: with the publishable key only. */
async function postFromBrowser(path: string, fields: Record<string, string>) {
	const body = new URLSearchParams({ ...fields, key: PUBLISHABLE_KEY });
	const headers = { Origin: "null" };
	const response = await host.fetch(`/stripe-emulator/v1/${path}`, { method: "POST", body, headers });
	return { status: response.status, headers: response.headers, body: await response.json<IntentBody>() };
}

/** Confirms as the card frame does: with the publishable key, the client secret and a card. */
export function confirmInBrowser(
	{ id, client_secret }: Pick<Stripe.PaymentIntent, "id" | "client_secret">,
	card: { number: string; exp_month?: string; exp_year?: string; cvc?: string },
) {
	const filled = { exp_month: "12", exp_year: "2040", cvc: card.number.length === 15 ? "1234" : "123", ...card };
	const sent = Object.entries(filled).filter(([, value]) => value !== "");
	return postFromBrowser(`payment_intents/${id}/confirm`, {
		"payment_method_data[type]": "card",
		...Object.fromEntries(sent.map(([name, value]) => [`payment_method_data[card][${name}]`, value])),
		"payment_method_data[billing_details][email]": "ada@example.com",
		use_stripe_sdk: "true",
		client_secret: client_secret ?? "",
	});
}

/** Returns the id of an intent's pending authentication, or undefined if there is none. */
export function challengeOf({ next_action }: Pick<IntentBody, "next_action">): string | undefined {
	const source: unknown = next_action?.use_stripe_sdk?.["source"];
	return typeof source === "string" ? source : undefined;
}

/** Ends an authentication as the 3-D Secure frame does. `challenge` defaults to the intent's latest authentication. */
export async function authenticate(
	{ id, client_secret }: Stripe.PaymentIntent,
	outcome: "complete" | "fail" | "abandon",
	challenge?: string,
) {
	const source = challenge ?? challengeOf(await stripe.paymentIntents.retrieve(id));
	return postFromBrowser(`three_d_secure/${source}/answer`, { outcome, client_secret: client_secret ?? "" });
}

/** Returns the events of an intent, its charges and its refunds, oldest first. */
export async function eventsOf(intentId: string): Promise<Stripe.Event[]> {
	const { data } = await stripe.events.list({ limit: 100 });
	const isOf = (object: object) =>
		("id" in object && object.id === intentId) || ("payment_intent" in object && object.payment_intent === intentId);
	return data.filter((event) => isOf(event.data.object)).toReversed();
}
