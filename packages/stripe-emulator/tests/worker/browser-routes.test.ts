import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { SECRET_KEY } from "../../keys.ts";
import { confirmInBrowser, create, host } from "../support/emulator.ts";

test("the card frame is sandboxed", async () => {
	const response = await host.fetch("/stripe-emulator/card-frame");
	const policy = response.headers.get("Content-Security-Policy");
	expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/);
	expect(policy).toContain(`connect-src ${host.url.origin}/stripe-emulator/v1/;`);
	expect(policy).toContain("frame-ancestors 'self'");
	expect(response.headers.get("Cache-Control")).toBe("no-store");
});

test("stripe.js is revalidated on every load", async () => {
	const response = await host.fetch("/stripe-emulator/stripe.js");
	expect(response.headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
	expect(response.headers.get("Cache-Control")).toBe("no-cache");
});

test("CORS allows the frame's opaque origin but no Authorization header", async () => {
	const { headers } = await confirmInBrowser(await create(), { number: "4242424242424242" });
	expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
	const preflight = await host.fetch("/stripe-emulator/v1/payment_intents/pi_1/confirm", { method: "OPTIONS" });
	expect(preflight.status).toBe(204);
	expect(preflight.headers.get("Access-Control-Allow-Origin")).toBe("*");
	expect(preflight.headers.get("Access-Control-Allow-Headers")).toBe("Content-Type");
});

test.each(["stripe.js", "card-frame", "v1/payment_intents"])(
	"%s returns 404 except on a loopback host",
	async (path) => {
		const { hostname, port } = host.url;
		const headers = { Host: "shop.example.com", Authorization: `Bearer ${SECRET_KEY}` };
		const [response] = await once(
			httpRequest({ hostname, port, path: `/stripe-emulator/${path}`, headers }).end(),
			"response",
		);
		expect([response.statusCode, await text(response)]).toEqual([404, "Not found"]);
	},
);

test("any other path or method below /stripe-emulator/ returns 404", async () => {
	expect((await host.fetch("/stripe-emulator/nothing")).status).toBe(404);
	expect((await host.fetch("/stripe-emulator/stripe.js", { method: "POST" })).status).toBe(404);
});
