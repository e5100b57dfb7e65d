import type { StripeCardElement } from "@stripe/stripe-js";
import { afterEach, expect, test, vi } from "vitest";
import { buy, type Confirmation } from "./buy.ts";

afterEach(() => {
	vi.unstubAllGlobals();
	vi.useRealTimers();
});

/** Runs one try of Buy Now against a shop and a Stripe that answer so; notes what the shop was asked. */
async function tryToBuy({
	place,
	confirm,
	settle,
	retrieved = () => "requires_payment_method",
}: {
	place: Response | Error;
	/** Never answers when this says so. */
	confirm?: Confirmation | Error | "never";
	settle?: Response;
	/** The payment's status, as Stripe.js finds it. */
	retrieved?: () => string;
}) {
	const asked: string[] = [];
	vi.stubGlobal("fetch", async (url: string) => {
		asked.push(url);
		const answer = url === "/payments/place" ? place : settle;
		if (answer instanceof Response) return answer;
		throw answer ?? new Error(`${url} was not expected`);
	});
	const confirmCardPayment = vi.fn(async (): Promise<Confirmation> => {
		if (confirm instanceof Error) throw confirm;
		if (confirm === "never") return new Promise(() => {});
		return confirm ?? {};
	});
	const card: StripeCardElement = Object.create(null);
	const bought = await buy({
		stripe: { confirmCardPayment, retrievePaymentIntent: async () => ({ paymentIntent: { status: retrieved() } }) },
		card,
		clientSecret: "pi_1_secret_1",
		productIds: ["1"],
		customer: null,
	});
	return { bought, asked, confirmed: confirmCardPayment.mock.calls.length };
}

const refusal = (status: number, code: string, more = {}) =>
	Response.json({ error: { code, message: `because ${code}` }, ...more }, { status });
const placed = () => Response.json({ status: "placed" });
const settled = (status: string) => Response.json({ status }, { status: status === "checking" ? 202 : 200 });

test("a placed order whose card is charged is paid", async () => {
	const { bought, asked, confirmed } = await tryToBuy({ place: placed(), confirm: {}, settle: settled("paid") });
	expect({ bought, asked, confirmed }).toEqual({
		bought: "paid",
		asked: ["/payments/place", "/payments/settle"],
		confirmed: 1,
	});
});

test.each([
	["price_changed", refusal(409, "price_changed", { prices: { "1": 50, "2": "dear" } }), { prices: { "1": 50 } }],
	[
		"payment_intent_gone",
		refusal(409, "payment_intent_gone"),
		{ outdated: "intent", problem: "because payment_intent_gone" },
	],
	["identity_changed", refusal(409, "identity_changed"), { outdated: "customer", problem: "because identity_changed" }],
	["not_charged", refusal(503, "not_charged"), { problem: "because not_charged" }],
	["no network", new TypeError("Failed to fetch"), { problem: "The shop could not be reached. Nothing was charged." }],
	[
		"no JSON",
		new Response("<html>", { status: 502 }),
		{ problem: "The shop could not be reached. Nothing was charged." },
	],
])("an order that is not placed (%s) never reaches the card", async (_, place, expected) => {
	const { bought, asked, confirmed } = await tryToBuy({ place });
	expect({ bought, asked, confirmed }).toEqual({ bought: expected, asked: ["/payments/place"], confirmed: 0 });
});

test("an order that has been paid already is settled and not confirmed again", async () => {
	const { bought, confirmed } = await tryToBuy({ place: refusal(409, "already_paid"), settle: settled("paid") });
	expect({ bought, confirmed }).toEqual({ bought: "paid", confirmed: 0 });
});

test("a declined card is a problem with the provider's words, and nothing is settled", async () => {
	const { bought, asked } = await tryToBuy({
		place: placed(),
		confirm: { error: { type: "card_error", message: "Your card was declined." } },
	});
	expect({ bought, asked }).toEqual({ bought: { problem: "Your card was declined." }, asked: ["/payments/place"] });
});

test.each([
	["the provider does not answer", { error: { type: "api_connection_error", message: "No answer." } }],
	["the provider fails", { error: { type: "api_error", message: "Oops." } }],
	["it has succeeded before", { error: { type: "invalid_request_error", payment_intent: { status: "succeeded" } } }],
	[
		"it is still being processed",
		{ error: { type: "invalid_request_error", payment_intent: { status: "processing" } } },
	],
])("when confirming fails but may have charged the card (%s) the shop is asked", async (_, confirm) => {
	expect((await tryToBuy({ place: placed(), confirm, settle: settled("paid") })).bought).toBe("paid");
	expect((await tryToBuy({ place: placed(), confirm, settle: settled("checking") })).bought).toBe("checking");
	expect((await tryToBuy({ place: placed(), confirm, settle: refusal(409, "not_paid") })).bought).toEqual({
		problem: "The payment did not go through. Nothing was charged.",
	});
});

test("when Stripe.js throws, or settling gets no answer, the payment is being checked", async () => {
	const log = vi.spyOn(console, "error").mockImplementation(() => {});
	const { bought } = await tryToBuy({ place: placed(), confirm: new Error("IntegrationError") });
	expect(bought).toBe("checking");
	expect(log).toHaveBeenCalledOnce();
	log.mockRestore();
});

test("a payment that Stripe has forgotten is asked for anew", async () => {
	expect((await tryToBuy({ place: refusal(404, "unknown_payment_intent") })).bought).toEqual({
		outdated: "intent",
		problem: "because unknown_payment_intent",
	});
});

test("a confirmation that never answers is asked about within ten seconds, and the bank's question is waited for", async () => {
	vi.useFakeTimers();
	const began = Date.now();
	const lost = tryToBuy({ place: placed(), confirm: "never", settle: settled("checking") });
	await vi.runAllTimersAsync();
	expect((await lost).bought).toBe("checking");
	expect(Date.now() - began).toBeLessThan(10_000);

	let looks = 0;
	const asked = tryToBuy({
		place: placed(),
		confirm: "never",
		settle: settled("paid"),
		retrieved: () => (++looks < 20 ? "requires_action" : "succeeded"),
	});
	await vi.runAllTimersAsync();
	expect((await asked).bought).toBe("paid");
	expect(looks).toBe(20);
});
