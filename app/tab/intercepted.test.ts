import { expect, test } from "vitest";
import { isIntercepted } from "./intercepted.ts";

const html = { "Content-Type": "text/html; charset=utf-8" };
const challenge = { ...html, "cf-mitigated": "challenge" };

test.each<[boolean, string, Response]>([
	[true, "the sign-in page of a network", new Response("", { headers: html })],
	[true, "a firewall's page", new Response("", { status: 403, headers: html })],
	[true, "a redirect", Object.defineProperty(new Response(), "type", { value: "opaqueredirect" })],
	[true, "Cloudflare's challenge", new Response("", { status: 503, headers: challenge })],
	[false, "a proxy's page for status 502", new Response("", { status: 502, headers: html })],
	[false, "a page for status 500", new Response("", { status: 500, headers: html })],
	[false, "the shop's data", Response.json({})],
	[false, "the shop's error", Response.json({}, { status: 403 })],
	[false, "a response without a type", new Response(null, { status: 404 })],
])("isIntercepted returns %s for %s", (expected, _, response) => {
	expect(isIntercepted(response)).toBe(expected);
});
