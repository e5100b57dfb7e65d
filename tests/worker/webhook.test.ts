import Stripe from "stripe";
import { WEBHOOK_SECRET } from "stripe-emulator/keys.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { speaker } from "../support/catalogue.ts";
import { Customer, idOf } from "../support/customer.ts";
import { dumpTables, read, readProblem } from "../support/response.ts";
import { openShop, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
	// the only webhooks here are those that the tests send
	await shop.disableWebhooks();
});
afterAll(() => shop?.close());

const { webhooks } = new Stripe("sk_test_unused");
const seconds = () => Math.floor(Date.now() / 1000);

interface Signing {
	secret?: string;
	timestamp?: number;
}

function sign(payload: string, { secret = WEBHOOK_SECRET, timestamp = seconds() }: Signing = {}): Promise<string> {
	return webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp });
}

async function send(payload: string, signing?: Signing): Promise<Response> {
	const headers = { "Content-Type": "application/json", "Stripe-Signature": await sign(payload, signing) };
	return shop.fetch("/stripe/webhook", { method: "POST", headers, body: payload });
}

const eventOf = (object: object, type = "payment_intent.succeeded") =>
	JSON.stringify({ id: "evt_1", object: "event", created: seconds(), type, data: { object } });

/** Places an order for a smart speaker and pays for it at Stripe, without notifying the shop. */
async function paidUnheard(): Promise<Stripe.PaymentIntent> {
	const clientSecret = await new Customer(shop).pay([speaker.id]);
	return shop.stripe.paymentIntents.retrieve(idOf(clientSecret));
}

const statusOf = ({ id }: { id: string }) =>
	shop.d1.prepare("select status from orders where payment_intent_id = ?").bind(id).first("status");

test("POST /stripe/webhook with payment_intent.succeeded marks its order as paid", async () => {
	const intent = await paidUnheard();
	expect(await statusOf(intent)).toBe("placed");
	const response = await send(eventOf(intent));
	expect([response.status, await read(response)]).toEqual([200, '{"received":true}']);
	expect(await statusOf(intent)).toBe("paid");
});

test("a succeeded event for an unpaid PaymentIntent changes nothing", async () => {
	const intent = await shop.stripe.paymentIntents.create({
		amount: 500,
		currency: "usd",
		metadata: { shop: "half-dozen-local" },
	});
	const before = await dumpTables(shop);
	expect((await send(eventOf({ ...intent, status: "succeeded", amount_received: 500 }))).status).toBe(200);
	expect(await dumpTables(shop)).toEqual(before);
});

test.each<[string, () => Promise<Response>]>([
	["no signature", () => shop.fetch("/stripe/webhook", { method: "POST", body: "{}" })],
	["a signature made with another secret", () => send(eventOf({ id: "pi_1" }), { secret: "whsec_other" })],
	["a signature that is 301 seconds old", () => send(eventOf({ id: "pi_1" }), { timestamp: seconds() - 301 })],
	[
		"a modified payload",
		async () => {
			const payload = eventOf({ id: "pi_1" });
			const headers = { "Stripe-Signature": await sign(payload) };
			return shop.fetch("/stripe/webhook", { method: "POST", headers, body: payload.replace("pi_1", "pi_2") });
		},
	],
	["a signed payload that is not JSON", () => send("not JSON")],
	["a signed list", () => send("[]")],
	["a signed null", () => send("null")],
	["a signed object that is not an event", () => send('{"id":"evt_1","type":"payment_intent.succeeded"}')],
])("POST /stripe/webhook with %s returns 400 and changes nothing", async (_, request) => {
	const before = await dumpTables(shop);
	const response = await request();
	expect([response.status, await readProblem(response)]).toEqual([400, "invalid_signature"]);
	expect(await dumpTables(shop)).toEqual(before);
});

test("POST /stripe/webhook accepts a signature from a clock that is 60 seconds ahead", async () => {
	expect((await send(eventOf({ id: "x" }, "some.type"), { timestamp: seconds() + 60 })).status).toBe(200);
});

test.each([
	["an unknown event type", eventOf({ id: "x" }, "no.such.type")],
	["a payment of another shop", eventOf({ id: "pi_1", metadata: { shop: "elsewhere" } })],
	["a payment without a shop", eventOf({ id: "pi_1", metadata: {} })],
	["a payment without metadata", eventOf({ id: "pi_1" })],
	["an id with a path traversal", eventOf({ id: "pi_1/../../refunds", metadata: { shop: "half-dozen-local" } })],
	["a payment that does not exist at Stripe", eventOf({ id: "pi_1", metadata: { shop: "half-dozen-local" } })],
])("POST /stripe/webhook for %s returns 200 and changes nothing", async (_, payload) => {
	const before = await dumpTables(shop);
	expect((await send(payload)).status).toBe(200);
	expect(await dumpTables(shop)).toEqual(before);
});

test("a payment of the shop without an order is logged as unmatched", async () => {
	const intent = await shop.stripe.paymentIntents.create({
		amount: 500,
		currency: "usd",
		confirm: true,
		allowed_payment_method_types: ["card"],
		payment_method: "pm_card_visa",
		metadata: { shop: "half-dozen-local" },
	});
	expect((await send(eventOf(intent))).status).toBe(200);
	expect(shop.logs()).toContain(`"payment_intent":"${intent.id}","outcome":"unmatched"`);
});

test("POST /stripe/webhook with 300 KiB returns 413", async () => {
	const response = await send(eventOf({ id: "pi_1", description: "x".repeat(300 * 1024) }));
	expect([response.status, await readProblem(response)]).toEqual([413, "body_too_large"]);
});

test("POST /stripe/webhook retries a D1 call that fails once", async () => {
	const intent = await paidUnheard();
	await shop.control({ control: "shop_fault", path: "/stripe/webhook", service: "d1", call: 1, fault: "before" });
	expect((await send(eventOf(intent))).status).toBe(200);
	expect(await statusOf(intent)).toBe("paid");
});
