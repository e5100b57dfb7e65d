import { afterAll, beforeAll, expect, test } from "vitest";
import { PUBLISHABLE_KEY } from "../../keys.ts";
import {
	authenticate,
	challengeOf,
	confirmInBrowser,
	control,
	create,
	host,
	paymentMethodOf,
	refusal,
	stripe,
} from "../support/emulator.ts";

beforeAll(() => control({ control: "webhooks", mode: "drop" }));
afterAll(() => control({ control: "calm" }));

/** Creates an intent in requires_action. */
async function waiting(number = "4000002760003184") {
	const intent = await create();
	const { status, body } = await confirmInBrowser(intent, { number });
	expect([status, body.status]).toEqual([200, "requires_action"]);
	return intent;
}

const retrieve = (id: string) => stripe.paymentIntents.retrieve(id);

const cards = ["4000002760003184", "4000002500003155", "4000003800000446", "4000000000003220"];

test.each(cards)("card %s requires authentication, and completing it completes the payment", async (number) => {
	const intent = await waiting(number);
	expect(await retrieve(intent.id)).toMatchObject({
		amount_received: 0,
		latest_charge: null,
		next_action: {
			type: "use_stripe_sdk",
			use_stripe_sdk: {
				type: "three_d_secure_redirect",
				stripe_js: expect.any(String),
				source: expect.stringMatching(/^src_\w{24}$/),
			},
		},
	});
	const { status, body } = await authenticate(intent, "complete");
	expect([status, body]).toMatchObject([200, { object: "three_d_secure", status: "completed" }]);
	expect(await retrieve(intent.id)).toMatchObject({
		status: "succeeded",
		amount_received: 1499,
		next_action: null,
		payment_method: expect.stringMatching(/^pm_/),
	});
});

test.each(["fail", "abandon"] as const)(
	"authentication with the outcome %s results in payment_intent_authentication_failure",
	async (outcome) => {
		const intent = await waiting();
		expect((await authenticate(intent, outcome)).body).toMatchObject({ status: "failed" });
		const failed = await retrieve(intent.id);
		expect(failed).toMatchObject({
			status: "requires_payment_method",
			payment_method: null,
			next_action: null,
			latest_charge: null,
			amount_received: 0,
			last_payment_error: {
				type: "invalid_request_error",
				code: "payment_intent_authentication_failure",
				message:
					"We are unable to authenticate your payment method. Please choose a different payment method and try again.",
				payment_method: { card: { last4: "3184" } },
			},
		});
		expect(failed.last_payment_error).not.toHaveProperty("decline_code");
		expect(await stripe.charges.list({ payment_intent: intent.id })).toMatchObject({ data: [] });
		expect((await confirmInBrowser(intent, { number: "4242424242424242" })).body).toMatchObject({
			status: "succeeded",
		});
	},
);

test.each([
	["4000008260003178", "insufficient_funds"],
	["4000008400001629", "generic_decline"],
])("card %s is declined with %s after authentication", async (number, decline_code) => {
	const intent = await waiting(number);
	expect(await authenticate(intent, "complete")).toMatchObject({ status: 200, body: { status: "completed" } });
	expect(await retrieve(intent.id)).toMatchObject({
		status: "requires_payment_method",
		payment_method: null,
		next_action: null,
		amount_received: 0,
		latest_charge: expect.stringMatching(/^ch_/),
		last_payment_error: { type: "card_error", code: "card_declined", decline_code },
	});
});

test.each([
	["4000003800000446", "succeeded"],
	["4000002760003184", "authentication_required"],
	["4000002500003155", "authentication_required"],
	["4000000000003055", "succeeded"],
	["4000008400001280", "generic_decline"],
])("confirming card %s off session results in %s", async (number, outcome) => {
	const [{ id }, payment_method] = await Promise.all([create(), paymentMethodOf(number)]);
	const attempt = stripe.paymentIntents.confirm(id, { payment_method, off_session: true });
	if (outcome === "succeeded") expect(await attempt).toMatchObject({ status: outcome, next_action: null });
	else expect(await refusal(attempt)).toMatchObject({ statusCode: 402, decline_code: outcome });
});

test("error_on_requires_action declines a card that requires authentication, even on session", async () => {
	const [{ id }, payment_method] = await Promise.all([create(), paymentMethodOf("4000003800000446")]);
	const attempt = stripe.paymentIntents.confirm(id, { payment_method, error_on_requires_action: true });
	expect(await refusal(attempt)).toMatchObject({ statusCode: 402, code: "authentication_required" });
});

test("a browser cannot set off_session or error_on_requires_action", async () => {
	const intent = await create();
	for (const parameter of ["off_session", "error_on_requires_action"]) {
		const response = await host.fetch(`/stripe-emulator/v1/payment_intents/${intent.id}/confirm`, {
			method: "POST",
			body: new URLSearchParams({
				key: PUBLISHABLE_KEY,
				client_secret: intent.client_secret ?? "",
				payment_method: await paymentMethodOf("4000003800000446"),
				[parameter]: "true",
			}),
		});
		expect([response.status, await response.json()]).toMatchObject([401, { error: { code: "secret_key_required" } }]);
	}
	expect(await retrieve(intent.id)).toMatchObject({ status: "requires_payment_method" });
});

test("create with confirm=true returns requires_action for a card that requires authentication", async () => {
	const intent = await stripe.paymentIntents.create({
		amount: 1499,
		currency: "usd",
		confirm: true,
		payment_method: "pm_card_threeDSecure2Required",
	});
	expect(intent).toMatchObject({ status: "requires_action", next_action: { type: "use_stripe_sdk" } });
	await authenticate(intent, "complete");
	expect(await retrieve(intent.id)).toMatchObject({ status: "succeeded" });
});

test("of two open challenges, only the newer one can be completed", async () => {
	const intent = await waiting();
	const older = challengeOf(await retrieve(intent.id));
	const { body } = await confirmInBrowser(intent, { number: "4000002760003184" });
	const newer = challengeOf(body);
	expect(newer).not.toBe(older);
	for (const outcome of ["complete", "fail"] as const) {
		expect(await authenticate(intent, outcome, older)).toMatchObject({
			status: 400,
			body: { error: { code: "payment_intent_unexpected_state", payment_intent: { status: "requires_action" } } },
		});
	}
	expect(await authenticate(intent, "complete", newer)).toMatchObject({ status: 200 });
	expect(await retrieve(intent.id)).toMatchObject({ status: "succeeded" });
});

test("paying with another card ends an open challenge", async () => {
	const intent = await waiting();
	const challenge = challengeOf(await retrieve(intent.id));
	expect((await confirmInBrowser(intent, { number: "4242424242424242" })).body).toMatchObject({ status: "succeeded" });
	expect(await authenticate(intent, "complete", challenge)).toMatchObject({
		status: 400,
		body: { error: { payment_intent: { status: "succeeded" } } },
	});
	expect((await stripe.charges.list({ payment_intent: intent.id })).data).toHaveLength(1);
});

test("a challenge can be completed only once", async () => {
	const intent = await waiting();
	const challenge = challengeOf(await retrieve(intent.id));
	const answers = await Promise.all(
		(["complete", "complete", "fail", "complete"] as const).map((outcome) => authenticate(intent, outcome, challenge)),
	);
	expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
	expect((await stripe.charges.list({ payment_intent: intent.id })).data.length).toBeLessThanOrEqual(1);
});

test("an intent canceled during a challenge stays canceled", async () => {
	const intent = await waiting();
	const challenge = challengeOf(await retrieve(intent.id));
	expect(await stripe.paymentIntents.cancel(intent.id)).toMatchObject({ status: "canceled", next_action: null });
	expect(await authenticate(intent, "complete", challenge)).toMatchObject({
		status: 400,
		body: { error: { code: "payment_intent_unexpected_state", payment_intent: { status: "canceled" } } },
	});
	expect(await retrieve(intent.id)).toMatchObject({ status: "canceled", amount_received: 0 });
});

test("updating metadata keeps a challenge open, and changing the payment method ends it", async () => {
	const intent = await waiting();
	const challenge = challengeOf(await retrieve(intent.id));
	const updated = await stripe.paymentIntents.update(intent.id, { metadata: { owner: "ada" } });
	expect(updated).toMatchObject({ status: "requires_action", metadata: { owner: "ada" } });
	expect(challengeOf(updated)).toBe(challenge);
	const another = await stripe.paymentIntents.update(intent.id, { payment_method: "pm_card_visa" });
	expect(another).toMatchObject({ status: "requires_confirmation", next_action: null });
	expect(await authenticate(intent, "complete", challenge)).toMatchObject({ status: 400 });
	expect(await stripe.paymentIntents.confirm(intent.id)).toMatchObject({ status: "succeeded" });
});

test("reading or completing a challenge requires the client secret of its intent", async () => {
	const [intent, other] = [await waiting(), await waiting()];
	const challenge = challengeOf(await retrieve(intent.id));
	const ask = (client_secret: string) =>
		host.fetch(
			`/stripe-emulator/v1/three_d_secure/${challenge}?${new URLSearchParams({ key: PUBLISHABLE_KEY, client_secret })}`,
		);
	const response = await ask(intent.client_secret ?? "");
	expect([response.status, await response.json()]).toEqual([
		200,
		{
			id: challenge,
			object: "three_d_secure",
			amount: 1499,
			brand: "visa",
			currency: "usd",
			last4: "3184",
			status: "pending",
		},
	]);
	expect((await ask(other.client_secret ?? "")).status).toBe(400);
	const stolen = { ...intent, client_secret: other.client_secret };
	expect(await authenticate(stolen, "complete", challenge)).toMatchObject({ status: 400 });
	expect(await authenticate(intent, "complete", "src_unknown")).toMatchObject({ status: 404 });
	expect(await retrieve(intent.id)).toMatchObject({ status: "requires_action" });
});

test("a slow charge is processing after authentication and then succeeds", async () => {
	await control({ control: "processing", seconds: 3600 });
	const intent = await waiting();
	await authenticate(intent, "complete");
	expect(await retrieve(intent.id)).toMatchObject({ status: "processing", next_action: null, amount_received: 0 });
	expect(await refusal(stripe.paymentIntents.cancel(intent.id))).toMatchObject({
		code: "payment_intent_unexpected_state",
		payment_intent: { status: "processing" },
	});
	expect(await confirmInBrowser(intent, { number: "4242424242424242" })).toMatchObject({ status: 400 });
	await control({ control: "clock", advance: 3601 });
	await control({ control: "processing", seconds: 0 });
	expect(await retrieve(intent.id)).toMatchObject({ status: "succeeded", amount_received: 1499 });
});
