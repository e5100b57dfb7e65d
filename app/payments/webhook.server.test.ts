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

test.each([-300, 0, 300])("verifyEvent returns an event that was signed %i seconds ago", async (age) => {
	expect(await read(JSON.stringify({ ...event, created: now, livemode: false }), { time: String(now - age) })).toEqual(
		event,
	);
});

test.each([
	["that was signed 301 seconds ago", { time: String(now - 301) }],
	["that is signed for 301 seconds from now", { time: String(now + 301) }],
	["whose signed time is not a number", { time: "NaN" }],
	["whose signed time is only in part a number", { header: (t: string, v1: string) => `t=${t}s,v1=${v1}` }],
	[
		"with a second time that is no number and the only signed one",
		{ time: "NaN", header: (_: string, v1: string) => `t=${now},t,v1=${v1}` },
	],
	["without a time", { time: "-1", header: (_: string, v1: string) => `v1=${v1}` }],
	[
		"with two times, of which only the second is signed",
		{ header: (t: string, v1: string) => `t=${now},t=${t},v1=${v1}` },
	],
	["with a time and without a signature", { header: (t: string) => `t=${t}` }],
	["without a Stripe-Signature", { header: () => "" }],
	["without a body", { sent: "" }],
])("verifyEvent rejects an event %s", async (_, request) => {
	expect(await read(JSON.stringify(event), request)).toBeNull();
});

test("verifyEvent rejects a signed text that is not JSON", async () => {
	expect(await read("{")).toBeNull();
});

const thin = {
	...{ id: "evt_2", object: "v2.core.event", type: "v1.billing.meter.error_report_triggered" },
	...{ created: "2026-11-25T10:00:00.000Z", related_object: { id: "mtr_1", type: "billing.meter" } },
};

test.each<[string, unknown, object]>([
	["thin event", thin, { id: thin.id, type: thin.type }],
	["object of another type", { ...event, object: "charge" }, { id: event.id, type: event.type }],
	["object whose id and type are not texts", { ...event, id: 1, type: null }, {}],
	["list", [], {}],
	["null", null, {}],
])("verifyEvent returns only the id and the type of a signed %s", async (_, signed, expected) => {
	expect(await read(JSON.stringify(signed))).toEqual(expected);
});
