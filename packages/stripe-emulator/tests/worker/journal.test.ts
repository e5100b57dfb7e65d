import type Stripe from "stripe";
import { afterEach, expect, test } from "vitest";
import type { Entry } from "../../controls/journal.ts";
import { PUBLISHABLE_KEY, SECRET_KEY, WEBHOOK_SECRET } from "../../keys.ts";
import {
	authenticate,
	confirmInBrowser,
	control,
	create,
	host,
	paymentMethodOf,
	postFromBrowser,
	refusal,
	state,
	stripe,
	stripeWith,
} from "../support/emulator.ts";

afterEach(() => control({ control: "calm" }));

/** Returns the journal entries of the requests that `work` makes, oldest first. */
async function journalOf(work: () => Promise<unknown>): Promise<Entry[]> {
	const before = (await state()).journal.map(({ request_id }) => request_id);
	await work();
	return (await state()).journal.filter(({ request_id }) => !before.includes(request_id)).toReversed();
}

test("a journal entry records the caller, endpoint, parameters and result", async () => {
	const idempotencyKey = "a-key-of-its-own";
	let intent: Stripe.Response<Stripe.PaymentIntent> | undefined;
	const entries = await journalOf(async () => {
		intent = await create({ idempotencyKey });
		await create({ idempotencyKey });
		await confirmInBrowser(intent, { number: "4000000000000002" });
		await stripe.paymentIntents.retrieve(intent.id);
		await refusal(stripe.customers.list());
		await refusal(stripeWith("sk_live_notmine_0123456789").paymentIntents.list());
		await control({ control: "fail", fault: "429", when: "before" });
		await refusal(stripe.paymentIntents.update(intent.id, { description: "Six things" }));
		await host.fetch("/stripe-emulator/v1/payment_intents");
	});
	const one = `/v1/payment_intents/${intent?.id}`;
	const created = { caller: "server", endpoint: "payment_intents.create", method: "POST", fault: null };
	expect(entries).toMatchObject([
		{
			...created,
			request_id: intent?.lastResponse.requestId,
			created: intent?.created,
			path: "/v1/payment_intents",
			idempotency_key: idempotencyKey,
			params: { amount: "1499", currency: "usd", "allowed_payment_method_types[0]": "card" },
			status: 200,
			replayed: false,
		},
		{ ...created, idempotency_key: idempotencyKey, status: 200, replayed: true },
		{ caller: "browser", endpoint: "payment_intents.confirm", path: `${one}/confirm`, status: 402, fault: null },
		{ caller: "server", endpoint: "payment_intents.retrieve", method: "GET", path: one, idempotency_key: null },
		{ caller: "server", endpoint: null, path: "/v1/customers", status: 404 },
		{ caller: "nobody", endpoint: "payment_intents.list", status: 401 },
		{
			caller: "server",
			endpoint: "payment_intents.update",
			params: { description: "Six things" },
			status: 429,
			fault: "429 before",
		},
		{ caller: "nobody", endpoint: "payment_intents.list", status: 401 },
	]);
});

test("a request that times out is logged with its fault", async () => {
	const entries = await journalOf(async () => {
		await control({ control: "fail", fault: "timeout", when: "after" });
		await refusal(create({ timeout: 1000 }));
	});
	expect(entries).toMatchObject([{ endpoint: "payment_intents.create", fault: "timeout after" }]);
});

test("no card data, key or secret is logged", async () => {
	const intents: Stripe.PaymentIntent[] = [];
	const numbers = ["4242424242424242", "4000000000000002", "4000002760003184", "4242424242424241", "4539578763621486"];
	for (const number of numbers) {
		const intent = await create();
		intents.push(intent);
		const { body } = await confirmInBrowser(intent, { number, cvc: "987" });
		if (body.status === "requires_action") await authenticate(intent, "complete");
		if (number !== "4242424242424241") await paymentMethodOf(number);
	}
	const spaced = { "card[number]": "4242 4242 4242 4242", "card[exp_month]": "12", "card[exp_year]": "2040" };
	await postFromBrowser("tokens", { ...spaced, "card[cvc]": "987" });
	await postFromBrowser("payment_methods", { type: "card", ...spaced, "card[cvc]": "98" });
	await postFromBrowser("card_parts", { "part[cvc]": "987" });
	// card numbers in parameters where they do not belong
	const open = await create();
	intents.push(open);
	const mistakes: Record<string, string>[] = [
		{ "payment_method_data[card][number]": "4242424242424242" },
		{ payment_method: "4242424242424242" },
		{ amount: "4242424242424242", currency: "usd" },
		{ "4242424242424242": "1" },
		{ "payment_method[4242-4242-4242-4242]": "1" },
	];
	for (const mistake of mistakes) {
		await refusal(stripe.rawRequest("POST", `/v1/payment_intents/${open.id}/confirm`, mistake));
		await postFromBrowser(`payment_intents/${open.id}/confirm`, mistake);
	}
	await refusal(stripe.paymentIntents.retrieve("4242424242424242"));
	await refusal(stripe.rawRequest("GET", "/v1/payment_intents?limit=4242424242424242"));
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

test("the text around a masked card number, and numbers that are not card numbers, are kept", async () => {
	const [entry] = await journalOf(() =>
		stripe.paymentIntents.create({
			amount: 1499,
			currency: "usd",
			description: "Paid with 4242 4242 4242 4242, thank you",
			metadata: { order: "12345678901", basket: "49538094:2,4903850:1" },
		}),
	);
	expect(entry?.params).toMatchObject({
		description: "Paid with [number], thank you",
		"metadata[order]": "12345678901",
		"metadata[basket]": "49538094:2,4903850:1",
	});
});

test("the values of unknown parameters and possible card data are not logged", async () => {
	const [server, browser] = await journalOf(async () => {
		const unknown = {
			amount: "500",
			verification: "987",
			"foo[cvc]": "987",
			"shipping[cvc]": "987",
			"x987[4242]": "1",
		};
		const idempotencyKey = "4242-4242-4242-4242";
		await refusal(stripe.rawRequest("POST", "/v1/payment_intents", unknown, { idempotencyKey }));
		await postFromBrowser("payment_methods", { type: "card", "card[cvc]": "987", "billing_details[name]": "Ada" });
	});
	const hidden = "[not shown]";
	expect(server).toMatchObject({ status: 400, idempotency_key: "[number]" });
	expect(server?.params).toEqual({
		amount: "500",
		verification: hidden,
		"foo[cvc]": hidden,
		"shipping[cvc]": hidden,
		"x[number][[number]]": hidden,
	});
	expect(browser?.params).toEqual({ type: "card", "billing_details[name]": hidden });
});

test("every known parameter of a server's calls is logged", async () => {
	const entries = await journalOf(async () => {
		const intent = await create();
		await stripe.paymentIntents.retrieve(intent.id, { expand: ["latest_charge"] });
		await stripe.paymentIntents.update(intent.id, { metadata: { items: "1:2" }, payment_method: "pm_card_visa" });
		await stripe.paymentIntents.confirm(intent.id, { off_session: true });
		await stripe.refunds.create({ payment_intent: intent.id, reason: "requested_by_customer" });
		await stripe.events.list({ types: ["charge.refunded"], created: { gte: 1 }, delivery_success: false, limit: 1 });
	});
	expect(entries.map(({ params }) => params)).toEqual([
		{ amount: "1499", currency: "usd", "allowed_payment_method_types[0]": "card" },
		{ "expand[0]": "latest_charge" },
		{ "metadata[items]": "1:2", payment_method: "pm_card_visa" },
		{ off_session: "true" },
		{ payment_intent: expect.stringMatching(/^pi_/), reason: "requested_by_customer" },
		{ "types[0]": "charge.refunded", "created[gte]": "1", delivery_success: "false", limit: "1" },
	]);
});
