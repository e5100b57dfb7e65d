import { expect, test } from "vitest";
import { now, openShop } from "../../tests/support/payments.ts";
import { readEvent } from "./webhook.server.ts";

const event = {
	...{ id: "evt_1", object: "event", type: "payment_intent.succeeded", created: now },
	data: { object: { id: "pi_1", status: "succeeded" } },
};

/** Reads a webhook request. By default, it was signed now with the shop's secret. */
function read(payload: string, { age = 0, sent = payload, header = "" } = {}) {
	const { payments } = openShop();
	const signature = payments.stripe.webhooks.generateTestHeaderString({
		payload,
		secret: "whsec_1",
		timestamp: now - age,
	});
	const headers = { "Stripe-Signature": header || signature };
	return readEvent(payments, new Request("https://shop.test", { method: "POST", headers, body: sent }));
}

test.each([-60, 0, 300])("readEvent returns an event that was signed %i seconds ago", async (age) => {
	expect(await read(JSON.stringify({ ...event, livemode: false }), { age })).toEqual(event);
});

test.each([
	["that was signed 301 seconds ago", { age: 301 }],
	["without a body", { sent: "" }],
	["with a malformed signature", { header: "t=1" }],
])("readEvent rejects an event %s", async (_, request) => {
	expect(await read(JSON.stringify(event), request)).toBeNull();
});

test("readEvent rejects a signed object that is not an event", async () => {
	expect(await read(JSON.stringify({ ...event, object: "charge" }))).toBeNull();
});

test("readEvent throws for a signed thin event, which the shop does not subscribe to", async () => {
	await expect(read(JSON.stringify({ ...event, object: "v2.core.event" }))).rejects.toThrow("thin event");
});
