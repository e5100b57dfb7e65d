import Stripe from "stripe";
import { expect, test } from "vitest";
import { newEvent } from "../objects/event.ts";
import { newPaymentIntent } from "../objects/new-payment-intent.ts";
import { signedRequest, type Tampering } from "./signed-request.ts";

const now = 1_770_000_000;
const secret = "whsec_1";
const intent = newPaymentIntent({ amount: 500, currency: "usd", allowedTypes: undefined, automatic: null }, now);
const event = newEvent({ type: "payment_intent.created", object: intent }, null, now);

/** Returns the event of a webhook that the SDK accepts. */
async function received(tampering: Tampering) {
	const request = await signedRequest(event, { url: "http://localhost/webhook", secret, now, tampering });
	const signature = request.headers.get("Stripe-Signature") ?? "";
	const { webhooks } = new Stripe("sk_test_unused");
	return webhooks.constructEventAsync(await request.text(), signature, secret, undefined, undefined, now * 1000);
}

test("the SDK accepts the signature of the event, and rejects a tampered one", async () => {
	expect(await received("none")).toEqual(event);
	for (const tampering of ["body", "signature", "timestamp"] as const) {
		await expect(received(tampering)).rejects.toThrow(Stripe.errors.StripeSignatureVerificationError);
	}
});

test("a webhook is JSON, and its redirects are not followed", async () => {
	const request = await signedRequest(event, { url: "http://localhost/webhook", secret, now, tampering: "none" });
	expect([request.method, request.redirect]).toEqual(["POST", "manual"]);
	expect(request.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
});
