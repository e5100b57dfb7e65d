import type Stripe from "stripe";
import { expect, test } from "vitest";
import { PUBLISHABLE_KEY, SECRET_KEY, WEBHOOK_SECRET } from "../../keys.ts";
import {
	authenticate,
	confirmInBrowser,
	control,
	create,
	host,
	refusal,
	state,
	stripe,
	stripeWith,
} from "../support/emulator.ts";

test("a journal entry records the caller, endpoint, parameters and result", async () => {
	const idempotency_key = "a-key-of-its-own";
	const intent = await create({ idempotencyKey: idempotency_key });
	await create({ idempotencyKey: idempotency_key });
	await confirmInBrowser(intent, { number: "4000000000000002" });
	await refusal(stripe.customers.list());
	await refusal(stripeWith("sk_live_notmine_0123456789").paymentIntents.list());
	await control({ control: "fail", fault: "429", when: "before" });
	await refusal(stripe.paymentIntents.update(intent.id, { description: "Six things" }));
	const created = {
		caller: "server",
		endpoint: "payment_intents.create",
		method: "POST",
		path: "/v1/payment_intents",
		params: { amount: "1499", currency: "usd", "allowed_payment_method_types[0]": "card" },
		idempotency_key,
		status: 200,
		fault: null,
	};
	const path = `/v1/payment_intents/${intent.id}`;
	const params = { description: "Six things" };
	expect((await state()).journal.toReversed()).toMatchObject([
		// a new second may begin between the two times
		{
			...created,
			request_id: intent.lastResponse.requestId,
			created: expect.closeTo(intent.created, -1),
			replayed: false,
		},
		{ ...created, replayed: true },
		{ caller: "browser", endpoint: "payment_intents.confirm", path: `${path}/confirm`, status: 402, fault: null },
		{ caller: "server", endpoint: null, method: "GET", path: "/v1/customers", idempotency_key: null, status: 400 },
		{ caller: "nobody", endpoint: "payment_intents.list", status: 401 },
		{ caller: "server", endpoint: "payment_intents.update", params, status: 429, fault: "429 before" },
	]);
});

test("no card data, key or secret is logged", async () => {
	const intents: Stripe.PaymentIntent[] = [];
	const numbers = ["4242424242424242", "4000000000000002", "4000002760003184", "4539578763621486"];
	for (const number of numbers) {
		const intent = await create();
		intents.push(intent);
		const { body } = await confirmInBrowser(intent, { number, cvc: "987" });
		if (body.status === "requires_action") await authenticate(intent, "complete");
		await confirmInBrowser(intent, { number, cvc: "98" });
	}
	await refusal(stripeWith("sk_live_0123456789abcdef").paymentIntents.list());

	const seen = {
		state: JSON.stringify(await state()),
		events: JSON.stringify(await stripe.events.list({ limit: 100 })),
		charges: JSON.stringify(await stripe.charges.list({ limit: 100 })),
		log: host.logs(),
	};
	const digits = numbers.map((number) => new RegExp([...number].join("[ -]?")));
	const keys = [SECRET_KEY, PUBLISHABLE_KEY, WEBHOOK_SECRET, "sk_live_0123456789abcdef"].map((key) => new RegExp(key));
	for (const [place, text] of Object.entries(seen)) {
		for (const secret of [...digits, /"987?"/, /card\]?\[number\]/, ...keys]) expect(text, place).not.toMatch(secret);
	}
	for (const { client_secret } of intents) {
		expect(client_secret).toMatch(/_secret_/);
		for (const place of [seen.state, seen.charges, seen.log]) expect(place).not.toContain(client_secret);
	}
});
