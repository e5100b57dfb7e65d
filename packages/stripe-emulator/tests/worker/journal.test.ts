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
	const idempotency_key = "a-key-of-its-own";
	const intent = await create({ idempotencyKey: idempotency_key });
	const created = {
		caller: "server",
		endpoint: "payment_intents.create",
		method: "POST",
		idempotency_key,
		fault: null,
	};
	const [first] = (await state()).journal;
	expect(first).toMatchObject({
		...created,
		request_id: intent.lastResponse.requestId,
		created: intent.created,
		path: "/v1/payment_intents",
		params: { amount: "1499", currency: "usd", "allowed_payment_method_types[0]": "card" },
		status: 200,
		replayed: false,
	});
	const entries = await journalOf(async () => {
		await create({ idempotencyKey: idempotency_key });
		await confirmInBrowser(intent, { number: "4000000000000002" });
		await stripe.paymentIntents.retrieve(intent.id);
		await refusal(stripe.customers.list());
		await refusal(stripeWith("sk_live_notmine_0123456789").paymentIntents.list());
		await control({ control: "fail", fault: "429", when: "before" });
		await refusal(stripe.paymentIntents.update(intent.id, { description: "Six things" }));
		await host.fetch("/stripe-emulator/v1/payment_intents");
	});
	const path = `/v1/payment_intents/${intent.id}`;
	const unauthorized = { caller: "nobody", endpoint: "payment_intents.list", status: 401 };
	const params = { description: "Six things" };
	expect(entries).toMatchObject([
		{ ...created, status: 200, replayed: true },
		{ caller: "browser", endpoint: "payment_intents.confirm", path: `${path}/confirm`, status: 402, fault: null },
		{ caller: "server", endpoint: "payment_intents.retrieve", method: "GET", path, idempotency_key: null },
		{ caller: "server", endpoint: null, path: "/v1/customers", status: 400 },
		unauthorized,
		{ caller: "server", endpoint: "payment_intents.update", params, status: 429, fault: "429 before" },
		unauthorized,
	]);
});

test("a request that times out is logged with its fault", async () => {
	await control({ control: "fail", fault: "timeout", when: "after" });
	await refusal(create({ timeout: 1000 }));
	const [entry] = (await state()).journal;
	expect(entry).toMatchObject({ endpoint: "payment_intents.create", fault: "timeout after" });
});

test("no card data, key or secret is logged", async () => {
	const intents: Stripe.PaymentIntent[] = [];
	const numbers = ["4242424242424242", "4000000000000002", "4000002760003184", "4242424242424241", "4539578763621486"];
	for (const number of [...numbers, "4242 4242 4242 4242"]) {
		const intent = await create();
		intents.push(intent);
		const { body } = await confirmInBrowser(intent, { number, cvc: "987" });
		if (body.status === "requires_action") await authenticate(intent, "complete");
		await confirmInBrowser(intent, { number, cvc: "98" });
	}
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

test("only card numbers are masked, and the text around them is kept", async () => {
	const metadata = { order: "12345678901", basket: "49538094:2,4903850:1" };
	const description = "Paid with 4242 4242 4242 4242, thank you";
	await stripe.paymentIntents.create({ amount: 1499, currency: "usd", description, metadata });
	const [entry] = (await state()).journal;
	const kept = { "metadata[order]": metadata.order, "metadata[basket]": metadata.basket };
	expect(entry?.params).toMatchObject({ ...kept, description: "Paid with [number], thank you" });
});

test("the values of unknown parameters and possible card data are not logged", async () => {
	const [server, browser] = await journalOf(async () => {
		const unknown = { amount: "500", verification: "987", "foo[cvc]": "987", "x987[4242]": "1" };
		const idempotencyKey = "4242-4242-4242-4242";
		await refusal(stripe.rawRequest("POST", "/v1/payment_intents", unknown, { idempotencyKey }));
		const data = { "payment_method_data[type]": "card", "payment_method_data[card][cvc]": "987" };
		await postFromBrowser("payment_intents/pi_1/confirm", { ...data, payment_method: "pm_1", receipt_email: "Ada" });
	});
	const hidden = "[not shown]";
	expect(server).toMatchObject({ status: 400, idempotency_key: "[number]" });
	const params = { amount: "500", verification: hidden, "foo[cvc]": hidden, "x[number][[number]]": hidden };
	expect(server?.params).toEqual(params);
	expect(browser?.params).toEqual({ payment_method: "pm_1", receipt_email: hidden });
});

test("every known parameter of a server's calls is logged", async () => {
	const entries = await journalOf(async () => {
		const intent = await create();
		await stripe.paymentIntents.retrieve(intent.id, { expand: ["latest_charge"] });
		await stripe.paymentIntents.update(intent.id, { metadata: { items: "1:2" }, payment_method: "pm_card_visa" });
		await stripe.paymentIntents.confirm(intent.id);
		await stripe.refunds.create({ payment_intent: intent.id, reason: "requested_by_customer" });
		await stripe.events.list({ types: ["charge.refunded"], created: { gte: 1 }, delivery_success: false, limit: 1 });
	});
	expect(entries.map(({ params }) => params)).toEqual([
		{ amount: "1499", currency: "usd", "allowed_payment_method_types[0]": "card" },
		{ "expand[0]": "latest_charge" },
		{ "metadata[items]": "1:2", payment_method: "pm_card_visa" },
		{},
		{ payment_intent: expect.stringMatching(/^pi_/), reason: "requested_by_customer" },
		{ "types[0]": "charge.refunded", "created[gte]": "1", delivery_success: "false", limit: "1" },
	]);
});
