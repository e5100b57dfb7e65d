import Stripe from "stripe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { brandOf } from "../../objects/card-number.ts";
import { type Decline, findCard, outcomeOf } from "../../objects/cards.ts";
import { authenticate, confirmInBrowser, control, create, eventsOf, refusal, stripe } from "../support/emulator.ts";

beforeAll(() => control({ control: "webhooks", mode: "drop" }));
afterAll(() => control({ control: "calm" }));

test("a new intent has the status requires_payment_method", async () => {
	const intent = await create();
	expect(intent).toMatchObject({
		object: "payment_intent",
		id: expect.stringMatching(/^pi_[A-Za-z0-9]{24}$/),
		client_secret: expect.stringMatching(new RegExp(`^${intent.id}_secret_[A-Za-z0-9]{25}$`)),
		amount: 1499,
		amount_received: 0,
		currency: "usd",
		status: "requires_payment_method",
		livemode: false,
		allowed_payment_method_types: ["card"],
	});
	expect(Math.abs(intent.created - Date.now() / 1000)).toBeLessThan(30);
	expect(await stripe.paymentIntents.retrieve(intent.id)).toEqual(intent);
});

test("exactly one of many concurrent confirmations succeeds", async () => {
	const intent = await create();
	const confirmations = Array.from({ length: 10 }, () => confirmInBrowser(intent, { number: "4242424242424242" }));
	const responses = await Promise.all(confirmations);
	expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
	expect(responses.filter(({ body }) => body.error?.payment_intent?.status === "succeeded")).toHaveLength(9);
});

test("create with confirm=true pays, or throws a StripeCardError and leaves an intent that can still be paid", async () => {
	const params = { amount: 1499, currency: "usd", confirm: true };
	const paid = await stripe.paymentIntents.create({ ...params, payment_method: "pm_card_visa" });
	expect(paid).toMatchObject({ status: "succeeded", amount_received: 1499 });
	const payment_method = "pm_card_chargeDeclinedIncorrectCvc";
	const declined = await refusal(stripe.paymentIntents.create({ ...params, payment_method }));
	expect(declined).toBeInstanceOf(Stripe.errors.StripeCardError);
	const open = { status: "requires_payment_method", payment_method: null };
	expect(declined).toMatchObject({ statusCode: 402, code: "incorrect_cvc", param: "cvc", payment_intent: open });
	const id = declined.payment_intent?.id ?? "";
	const message = expect.stringContaining("missing a payment method");
	for (const call of [() => stripe.paymentIntents.confirm(id), () => stripe.paymentIntents.create(params)]) {
		expect(await refusal(call())).toMatchObject({ statusCode: 400, code: "payment_intent_unexpected_state", message });
	}
	const updated = await stripe.paymentIntents.update(id, { description: "x" });
	expect(updated).toMatchObject({ status: "requires_payment_method", last_payment_error: null });
	const ready = await stripe.paymentIntents.update(id, { payment_method: "pm_card_mastercard" });
	expect(ready.status).toBe("requires_confirmation");
	const succeeded = { status: "succeeded", payment_method: ready.payment_method };
	expect(await stripe.paymentIntents.confirm(id)).toMatchObject(succeeded);
	expect(await stripe.paymentIntents.update(id, { metadata: { late: "yes" } })).toMatchObject(succeeded);
});

test("expand replaces ids with their objects", async () => {
	const expand = ["latest_charge", "payment_method"];
	const { id } = await create();
	const expanded = () => stripe.paymentIntents.retrieve(id, { expand });
	expect(await expanded()).toMatchObject({ latest_charge: null, payment_method: null });
	const receipt_email = "ada@example.com";
	const confirmed = await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa", receipt_email, expand });
	const { payment_method } = confirmed;
	expect(payment_method).toMatchObject({ object: "payment_method", card: { last4: "4242" } });
	const params = { payment_intent: id, amount: 500, expand: ["charge", "payment_intent"] };
	const { charge, payment_intent } = await stripe.refunds.create(params);
	expect(charge).toMatchObject({ status: "succeeded", amount_refunded: 500, receipt_email });
	const intent = await stripe.paymentIntents.retrieve(id);
	expect(payment_intent).toEqual(intent);
	const full = { ...intent, latest_charge: charge, payment_method };
	expect(await expanded()).toEqual(full);
	const inList = expand.map((property) => `data.${property}`);
	expect((await stripe.paymentIntents.list({ limit: 1, expand: inList })).data).toEqual([full]);
	const charges = await stripe.charges.list({ limit: 1, expand: ["data.payment_intent"] });
	expect(charges.data).toMatchObject([{ payment_intent: intent }]);
});

test("a search finds the charges of all cards with these last four digits, page by page, and refuses other queries", async () => {
	const paid = [await create(), await create(), await create()];
	for (const { id } of paid) await stripe.paymentIntents.confirm(id, { payment_method: "pm_card_discover" });
	await stripe.paymentIntents.confirm((await create()).id, { payment_method: "pm_card_visa" });
	const search = (query: string) => stripe.charges.search({ query, limit: 2 });
	const query = 'payment_method_details.card.last4:"1117"';
	const found = (await search(query).autoPagingToArray({ limit: 100 })).map(({ payment_intent }) => payment_intent);
	expect(found).toEqual(paid.map(({ id }) => id).toReversed());
	expect(await search(query)).toMatchObject({ object: "search_result", has_more: true });
	for (const other of [`${query} AND amount>100`, "amount>100"]) {
		expect(await refusal(search(other))).toMatchObject({ statusCode: 400, param: "query" });
	}
	expect(await refusal(stripe.charges.search({ query, page: "ch_1" }))).toMatchObject({ statusCode: 404 });
});

/** Returns the error of a declined charge, as in the response and in `last_payment_error`. */
function errorOf({ declineCode, ...decline }: Decline, number: string) {
	return {
		type: "card_error",
		...decline,
		...(declineCode && { decline_code: declineCode }),
		charge: expect.stringMatching(/^ch_\w{24}$/),
		doc_url: expect.stringContaining(decline.code.replaceAll("_", "-")),
		payment_method: { object: "payment_method", type: "card", card: { last4: number.slice(-4) } },
	};
}

test.each([
	"5200828282828210", // debit
	"4000000000000101", // fails the check of its security code
	"4000000000000002",
	"4000000000000069", // has no decline code
	"4000002760003184", // requires 3-D Secure
	"4000008260003178", // is declined after 3-D Secure
	"4539578763621486", // is not a test card
])("card %s has its outcome in a browser, in the intent, its charge and its events", async (number) => {
	const { funding, outcome } = findCard(number) ?? { funding: "credit", outcome: outcomeOf(number, true) };
	const { authentication, decline, cvcCheck } = outcome;
	const intent = await create();
	const { id } = intent;
	const { status, body } = await confirmInBrowser(intent, { number });
	const failed = { id, status: "requires_payment_method", payment_method: null, amount_received: 0 };
	const paid = { id, status: "succeeded", amount_received: 1499 };
	if (authentication) {
		expect([status, body.status]).toEqual([200, "requires_action"]);
		expect(await authenticate(intent, "complete")).toMatchObject({ status: 200, body: { status: "completed" } });
	} else if (decline) {
		const { amount_received: _, ...open } = failed;
		expect([status, body.error]).toMatchObject([402, { ...errorOf(decline, number), payment_intent: open }]);
		expect(body.error?.decline_code).toBe(decline.declineCode);
	} else {
		expect([status, body]).toMatchObject([200, { id, status: "succeeded" }]);
	}
	const { latest_charge, ...after } = await stripe.paymentIntents.retrieve(id, { expand: ["latest_charge"] });
	const last_payment_error = decline && errorOf(decline, number);
	expect(after).toMatchObject({ ...(decline ? failed : paid), next_action: null, last_payment_error });
	expect(latest_charge).toMatchObject({
		...{ paid: !decline, captured: !decline, amount_captured: decline ? 0 : 1499 },
		outcome: { type: decline ? "issuer_declined" : "authorized" },
		payment_method_details: {
			card: { brand: brandOf(number), funding, last4: number.slice(-4), checks: { cvc_check: cvcCheck } },
		},
	});
	expect((await eventsOf(id)).map(({ type }) => type)).toEqual([
		"payment_intent.created",
		...(authentication ? ["payment_intent.requires_action"] : []),
		...(decline
			? ["charge.failed", "payment_intent.payment_failed"]
			: ["charge.succeeded", "payment_intent.succeeded"]),
	]);
});
