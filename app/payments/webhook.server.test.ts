import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { now, openShop } from "../../tests/support/payments.ts";
import { verifyEvent } from "./webhook.server.ts";

const event = {
	...{ id: "evt_1", object: "event", type: "payment_intent.succeeded" },
	data: { object: { id: "pi_1", status: "succeeded" } },
};

/** Reads a webhook request. By default, it was signed now with the shop's secret. `header` receives the time and the
 *  signature of that time. */
function read(
	payload: string,
	{ time = String(now), sent = payload, header = (t: string, v1: string) => `t=${t},v1=${v1}` } = {},
) {
	const { payments } = openShop();
	const signature = createHmac("sha256", "whsec_1").update(`${time}.${payload}`).digest("hex");
	const headers = { "Stripe-Signature": header(time, signature) };
	return verifyEvent(payments, new Request("https://shop.test", { method: "POST", headers, body: sent }));
}

test.each([0, 300])("verifyEvent returns an event that was signed %i seconds ago", async (age) => {
	expect(await read(JSON.stringify({ ...event, created: now, livemode: false }), { time: String(now - age) })).toEqual(
		event,
	);
});

test.each([
	["that was signed 301 seconds ago", { time: String(now - 301) }],
	[
		"whose signed time was replaced",
		{ time: String(now - 301), header: (_: string, v1: string) => `t=${now},v1=${v1}` },
	],
	["without a time", { time: "-1", header: (_: string, v1: string) => `v1=${v1}` }],
	["with a time and without a signature", { header: (t: string) => `t=${t}` }],
	["without a Stripe-Signature", { header: () => "" }],
	["without a body", { sent: "" }],
])("verifyEvent rejects an event %s", async (_, request) => {
	expect(await read(JSON.stringify(event), request)).toBeNull();
});

test.each([
	["text that is not JSON", "{"],
	["thin event", JSON.stringify({ id: "evt_2", object: "v2.core.event", type: "v2.core.account.updated" })],
	["object of another type", JSON.stringify({ ...event, object: "charge" })],
	["null", "null"],
])("verifyEvent rejects a signed %s", async (_, payload) => {
	expect(await read(payload)).toBeNull();
});
