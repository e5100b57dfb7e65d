import { expect, test } from "vitest";
import { confirmInBrowser, create, host } from "../support/emulator.ts";

test.each(["card-frame", "three-d-secure"])("%s is sandboxed", async (frame) => {
	const response = await host.fetch(`/stripe-emulator/${frame}`);
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

test.each([
	["GET", "nothing"],
	["GET", "v2/core/events"],
	["POST", "stripe.js"],
	...["GET", "PUT", "DELETE", "OPTIONS"].map((method) => [method, "controls"]),
])("%s /stripe-emulator/%s returns 404", async (method, path) => {
	const response = await host.fetch(`/stripe-emulator/${path}`, { method });
	expect([response.status, await response.text()]).toEqual([404, "Not found"]);
});
