import type Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PUBLISHABLE_KEY } from "../../keys.ts";
import { authenticate, challengeOf, confirmInBrowser, control, create, host, stripe } from "../support/emulator.ts";

beforeAll(() => control({ control: "webhooks", mode: "drop" }));
afterAll(() => control({ control: "calm" }));

const retrieve = (id: string) => stripe.paymentIntents.retrieve(id);
const payInBrowser = (intent: Stripe.PaymentIntent) => confirmInBrowser(intent, { number: "4242424242424242" });

/** Confirms an intent with a card that requires authentication. Returns the id of the challenge. */
async function startChallenge(intent: Stripe.PaymentIntent): Promise<string> {
	const { status, body } = await confirmInBrowser(intent, { number: "4000002760003184" });
	expect([status, body.status]).toEqual([200, "requires_action"]);
	return challengeOf(body) ?? "";
}

test.each(["fail", "abandon"] as const)("%s results in payment_intent_authentication_failure", async (outcome) => {
	const intent = await create();
	await startChallenge(intent);
	expect((await authenticate(intent, outcome)).body).toMatchObject({ status: "failed" });
	const { last_payment_error, ...failed } = await retrieve(intent.id);
	const unset = { payment_method: null, next_action: null, latest_charge: null, amount_received: 0 };
	expect(failed).toMatchObject({ ...unset, status: "requires_payment_method" });
	expect(last_payment_error).toMatchObject({
		type: "invalid_request_error",
		code: "payment_intent_authentication_failure",
		message:
			"We are unable to authenticate your payment method. Please choose a different payment method and try again.",
		payment_method: { card: { last4: "3184" } },
	});
	expect(last_payment_error).not.toHaveProperty("decline_code");
	expect((await payInBrowser(intent)).body).toMatchObject({ status: "succeeded" });
});

test.each<[string, (intent: Stripe.PaymentIntent) => Promise<unknown>, object]>([
	["its completion", (intent) => authenticate(intent, "complete"), { status: "succeeded", amount_received: 1499 }],
	["another challenge", startChallenge, { status: "requires_action" }],
	["a payment with another card", payInBrowser, { status: "succeeded", amount_received: 1499 }],
	["a cancellation", ({ id }) => stripe.paymentIntents.cancel(id), { status: "canceled", amount_received: 0 }],
	[
		"an update of the payment method",
		({ id }) => stripe.paymentIntents.update(id, { payment_method: "pm_card_visa" }),
		{ status: "requires_confirmation", next_action: null },
	],
])("%s ends a challenge", async (_, act, after) => {
	const intent = await create();
	const challenge = await startChallenge(intent);
	await act(intent);
	const current = await retrieve(intent.id);
	expect(current).toMatchObject(after);
	expect(await authenticate(intent, "complete", challenge)).toMatchObject({
		status: 400,
		body: { error: { code: "payment_intent_unexpected_state", payment_intent: { status: current.status } } },
	});
	expect(await retrieve(intent.id)).toEqual(current);
});

test("updating metadata keeps a challenge open", async () => {
	const intent = await create();
	const source = await startChallenge(intent);
	const updated = await stripe.paymentIntents.update(intent.id, { metadata: { owner: "ada" } });
	expect(updated).toMatchObject({ status: "requires_action", metadata: { owner: "ada" }, latest_charge: null });
	const use_stripe_sdk = { type: "three_d_secure_redirect", stripe_js: expect.any(String), source };
	expect(updated.next_action).toEqual({ type: "use_stripe_sdk", use_stripe_sdk });
	expect(await authenticate(intent, "complete")).toMatchObject({ status: 200 });
});

test("reading or completing a challenge requires the client secret of its intent", async () => {
	const [intent, other] = [await create(), await create()];
	const challenge = await startChallenge(intent);
	const read = async (client_secret: string) => {
		const query = new URLSearchParams({ key: PUBLISHABLE_KEY, client_secret });
		const response = await host.fetch(`/stripe-emulator/v1/three_d_secure/${challenge}?${query}`);
		return { status: response.status, body: await response.json() };
	};
	const card = { brand: "visa", last4: "3184" };
	const body = { id: challenge, object: "three_d_secure", amount: 1499, currency: "usd", ...card, status: "pending" };
	expect(await read(intent.client_secret ?? "")).toEqual({ status: 200, body });
	expect(await read(other.client_secret ?? "")).toMatchObject({ status: 400 });
	const stolen = { ...intent, client_secret: other.client_secret };
	expect(await authenticate(stolen, "complete", challenge)).toMatchObject({ status: 400 });
	expect(await authenticate(intent, "complete", "src_unknown")).toMatchObject({ status: 404 });
	expect(await retrieve(intent.id)).toMatchObject({ status: "requires_action" });
});
