import Stripe from "stripe";
import { WEBHOOK_SECRET } from "stripe-emulator/keys.ts";
import { expect, test } from "vitest";
import { formatMoney } from "#app/ui/money.ts";
import { book, speaker } from "../support/catalogue.ts";
import { Customer, idOf, itemsOf, outcomeOf, statusOf } from "../support/customer.ts";
import { dumpTables, readProblem } from "../support/response.ts";
import { openCalmShop } from "./setup.ts";

const shop = await openCalmShop();

const { webhooks } = new Stripe("sk_test_unused");
const seconds = () => Math.floor(Date.now() / 1000);

/** Sends an event that is signed with `secret`. */
async function send(event: string, secret = WEBHOOK_SECRET): Promise<Response> {
	const signature = await webhooks.generateTestHeaderStringAsync({ payload: event, secret });
	const headers = { "Content-Type": "application/json", "Stripe-Signature": signature };
	return shop.fetch("/stripe/webhook", { method: "POST", headers, body: event });
}

const eventOf = (object: object, type = "payment_intent.succeeded") =>
	JSON.stringify({ id: "evt_1", object: "event", created: seconds(), type, data: { object } });

/** Pays an order for a speaker and a book at Stripe, without notifying the shop. */
async function paidUnheard() {
	const shopper = new Customer(shop);
	const clientSecret = await shopper.pay([speaker.id, book.id]);
	const status = () => statusOf(shop, clientSecret);
	return { shopper, clientSecret, status, intent: await shop.stripe.paymentIntents.retrieve(idOf(clientSecret)) };
}

/** Returns the number of times a payment's order was marked as paid. */
const timesFulfilled = ({ id }: Stripe.PaymentIntent) =>
	shop.logs().split(`"event":"fulfilled","payment_intent":"${id}"`).length - 1;

test("50 concurrent webhooks and as many returns of the browser mark the order as paid once", async () => {
	const { shopper, clientSecret, intent } = await paidUnheard();
	const payload = eventOf(intent);
	const outcomes = Array.from({ length: 50 }, async () => [
		(await send(payload)).status,
		...(await outcomeOf(await shopper.fulfill(clientSecret))),
	]);
	expect(await Promise.all(outcomes)).toEqual(Array.from({ length: 50 }, () => [200, 200, "paid"]));
	expect(timesFulfilled(intent)).toBe(1);
});

test("a payment_failed event that arrives late, after the success of another card, leaves the order paid", async () => {
	await shop.control({ control: "webhooks", mode: "hold" });
	const shopper = new Customer(shop);
	const clientSecret = await shopper.placeOrder([speaker.id]);
	await expect(shopper.confirm(clientSecret, "pm_card_visa_chargeDeclined")).rejects.toThrow();
	await shopper.confirm(clientSecret);
	const sent = await shop.control<string[]>({ control: "release", order: "newest_first" });
	const types = await Promise.all(sent.map(async (event) => (await shop.stripe.events.retrieve(event)).type));
	expect(types.indexOf("payment_intent.payment_failed")).toBeGreaterThan(types.indexOf("payment_intent.succeeded"));
	expect(await statusOf(shop, clientSecret)).toBe("paid");
});

test("a partial refund in Stripe's dashboard leaves the order paid, and a refund of the rest marks it as refunded", async () => {
	const { shopper, clientSecret, intent, status } = await paidUnheard();
	await shopper.fulfill(clientSecret);
	await shop.control({ control: "webhooks", mode: "before_response" });
	await shop.stripe.refunds.create({ payment_intent: intent.id, amount: 100 });
	expect(await status()).toBe("paid");
	await shopper.createAccount();
	expect(await shopper.page("/orders")).toContain(`${formatMoney(100)} of this was refunded`);
	await shop.stripe.refunds.create({ payment_intent: intent.id });
	expect(await status()).toBe("refunded");
	expect(await outcomeOf(await shopper.fulfill(clientSecret))).toEqual([200, "refunded"]);
	expect(await shopper.page("/orders")).toContain("Refunded");
});

test.each<[string, () => Promise<Response>]>([
	["no signature", () => shop.fetch("/stripe/webhook", { method: "POST", body: "{}" })],
	["a signature made with another secret", () => send(eventOf({ id: "pi_1" }), "whsec_other")],
	["a signed payload that is not JSON", () => send("not JSON")],
	["a signed object that is not an event", () => send(JSON.stringify({ id: "pi_1", object: "payment_intent" }))],
])("POST /stripe/webhook with %s returns 400 and changes nothing", async (_, request) => {
	const before = await dumpTables(shop);
	const response = await request();
	expect([response.status, await readProblem(response)]).toEqual([400, "invalid_signature"]);
	expect(await dumpTables(shop)).toEqual(before);
});

test.each([
	["before", "placed"],
	["after", "paid"],
] as const)(
	"it returns 500 if D1 fails %s the order is marked as paid, and a retry succeeds",
	async (fault, expected) => {
		const { clientSecret, intent, status } = await paidUnheard();
		const fails = { control: "shop_fault", path: "/stripe/webhook", service: "d1", fault } as const;
		// the first D1 call only reads the recorded state
		for (const call of [2, 3]) await shop.control({ ...fails, call });
		expect((await send(eventOf(intent))).status).toBe(500);
		expect([await status(), (await itemsOf(shop, clientSecret)).length]).toEqual([expected, 2]);
		expect((await send(eventOf(intent))).status).toBe(200);
		expect(await status()).toBe("paid");
		expect(timesFulfilled(intent)).toBe(fault === "before" ? 1 : 0);
	},
);
