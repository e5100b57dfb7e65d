import { expect, test } from "vitest";
import { now, openShop } from "../../tests/support/payments.ts";
import { openRequest } from "../../tests/support/unit-request.ts";
import * as route from "./stripe.webhook.ts";

test("a refused request is logged if it has a Stripe-Signature, with what to set, but without the header and the body", async () => {
	const { services, logged } = openShop();
	const { args } = openRequest("/stripe/webhook", "", undefined, services);
	const send = async (headers: HeadersInit) => {
		const request = new Request(args.url, { method: "POST", headers, body: "{}" });
		return (await route.action({ ...args, request, pattern: "/stripe/webhook" })).status;
	};
	expect(await send({})).toBe(400);
	expect(logged).toEqual([]);
	expect(await send({ "Stripe-Signature": `t=${now},v1=${"0".repeat(64)}` })).toBe(400);
	const action = "Set STRIPE_WEBHOOK_SECRET to the signing secret of the endpoint on shop.test.";
	expect(logged).toEqual([{ level: "error", event: "webhook_refused", action }]);
});
