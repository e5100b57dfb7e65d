import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { PUBLISHABLE_KEY, SECRET_KEY } from "../../keys.ts";
import { create, host, state } from "../support/emulator.ts";

// host.worker.ts sets these options.
const publicHost = "demo.example.com";
const limitedHost = "limited.example.com";

interface Sent {
	method?: "GET" | "POST" | "OPTIONS";
	form?: Record<string, string>;
	key?: string;
}

/** Sends a request to the host's address with `name` as the Host header. */
async function send(name: string, path: string, { method = "GET", form, key }: Sent = {}) {
	const { hostname, port } = host.url;
	const body = form ? new URLSearchParams(form).toString() : "";
	const headers = {
		Host: name,
		"Content-Length": body.length,
		...(form && { "Content-Type": "application/x-www-form-urlencoded" }),
		...(key && { Authorization: `Bearer ${key}` }),
	};
	const [response] = await once(httpRequest({ hostname, port, path, method, headers }).end(body), "response");
	return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

const notFound = { status: 404, body: "Not found" };
const calm: Sent = { method: "POST", form: { control: "calm" } };

test.each<[string, Sent]>([
	["/stripe.js", {}],
	["/controls", calm],
	["/v1/payment_intents", { key: SECRET_KEY }],
])("%s %o returns 404 on any other host name, and on all while disabled", async (path, sent) => {
	for (const name of ["shop.example.com", "localhost.example.com", `x.${publicHost}`]) {
		expect(await send(name, `/stripe-emulator${path}`, sent)).toMatchObject(notFound);
	}
	for (const name of ["localhost", publicHost]) {
		expect(await send(name, `/disabled${path}`, sent)).toMatchObject(notFound);
	}
});

test.each([
	["/", 200, 404],
	["/state", 200, 404],
	["/stripe.js", 200, 200],
	["/card-frame", 200, 200],
	["/three-d-secure", 200, 200],
	["/controls", 404, 404],
	["/nothing", 404, 404],
])("GET %s returns %d on a loopback host name and %d on a public host", async (path, loopback, onPublic) => {
	expect(await send("localhost", `/stripe-emulator${path}`)).toMatchObject({ status: loopback });
	expect(await send(publicHost, `/stripe-emulator${path}`)).toMatchObject({ status: onPublic });
});

test("localhost, its subdomains and the loopback addresses are loopback host names", async () => {
	for (const name of ["127.0.0.1", "[::1]", "shop.localhost"]) {
		expect(await send(name, "/stripe-emulator/")).toMatchObject({ status: 200 });
	}
});

test("on a public host, the API accepts the publishable key but not the secret key, and no control runs", async () => {
	const { id, client_secret } = await create();
	const at = (path: string, sent?: Sent) => send(publicHost, `/stripe-emulator${path}`, sent);
	const path = `/v1/payment_intents/${id}`;
	const query = new URLSearchParams({ key: PUBLISHABLE_KEY, client_secret: client_secret ?? "" });
	expect(await at(`${path}?${query}`)).toMatchObject({ status: 200 });
	expect(await at(path, { key: SECRET_KEY })).toMatchObject({ status: 401 });
	const posted: Sent = { method: "POST", form: { amount: "500", currency: "usd" }, key: SECRET_KEY };
	expect(await at("/v1/payment_intents", posted)).toMatchObject({ status: 401 });
	const control = { control: "clock", advance: "86400" };
	expect(await at("/controls", { method: "POST", form: control })).toMatchObject(notFound);
	expect((await state()).settings.clockAdvance).toBe(0);
});

test("limitCall rate-limits only API calls, and only on a public host", async () => {
	const before = (await state()).journal.length;
	const path = "/stripe-emulator/v1/payment_intents";
	const { status, headers, body } = await send(limitedHost, path);
	expect([status, headers]).toMatchObject([429, { "retry-after": "42", "access-control-allow-origin": "*" }]);
	const message = "Request rate limit exceeded.";
	expect(JSON.parse(body)).toMatchObject({ error: { type: "invalid_request_error", code: "rate_limit", message } });
	expect(await send(limitedHost, path, { method: "OPTIONS" })).toMatchObject({ status: 204 });
	expect(await send(limitedHost, "/stripe-emulator/stripe.js")).toMatchObject({ status: 200 });
	expect((await state()).journal).toHaveLength(before);
});

test("a body of 2 MB is read to its end before it is refused", async () => {
	const sent: Sent = { method: "POST", form: { long: "x".repeat(2_000_000) } };
	for (const [name, path, status] of [
		["shop.example.com", "/controls", 404],
		[publicHost, "/controls", 404],
		[publicHost, "/v1/refunds", 413],
		[limitedHost, "/v1/refunds", 429],
		["localhost", "/controls", 413],
		["localhost", "/v1/refunds", 413],
		["localhost", "/nothing", 404],
	] as const) {
		expect(await send(name, `/stripe-emulator${path}`, sent)).toMatchObject({ status });
	}
});

test("on a public host, an API call with a body or URL of more than 4 KiB returns 413 and is not stored", async () => {
	const before = (await state()).journal.length;
	const path = "/stripe-emulator/v1/refunds";
	const post = (name: string, size: number) => {
		return send(name, path, { method: "POST", form: { x: "y".repeat(size - 2) } });
	};
	for (const answer of [await post(publicHost, 4097), await send(publicHost, path.padEnd(4097, "s"))]) {
		expect(answer).toMatchObject({ status: 413, headers: { "access-control-allow-origin": "*" } });
		const message = expect.stringContaining("exceeds 4096 bytes");
		expect(JSON.parse(answer.body)).toEqual({ error: { type: "invalid_request_error", message } });
	}
	expect((await state()).journal).toHaveLength(before);
	for (const [name, size] of [
		[publicHost, 4096],
		["localhost", 65_536],
	] as const) {
		expect(await post(name, size)).toMatchObject({ status: 401 });
	}
});

test.each(["/", "/stripe.js", "/v1/payment_intents", "/nothing"])(
	"the response to %s has the security headers",
	async (path) => {
		const { headers } = await send("localhost", `/stripe-emulator${path}`);
		expect(headers).toMatchObject({
			"cross-origin-resource-policy": "same-origin",
			"referrer-policy": "same-origin",
			"x-content-type-options": "nosniff",
			"cache-control": path === "/stripe.js" ? "no-cache" : "no-store",
			"content-security-policy": expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
		});
		if (!path.startsWith("/v1/")) expect(headers).not.toHaveProperty("access-control-allow-origin");
	},
);

test("the API, the frames, the controls and the console are served at any base path", async () => {
	const { id } = await create();
	const at = (path: string, sent?: Sent) => send("localhost", `/pay/test${path}`, sent);
	expect(JSON.parse((await at(`/v1/payment_intents/${id}`, { key: SECRET_KEY })).body)).toMatchObject({ id });
	const policy = (await at("/card-frame")).headers["content-security-policy"];
	expect(policy).toContain("connect-src http://localhost/pay/test/v1/;");
	const control = await at("/controls", calm);
	expect([control.status, control.headers["location"]]).toEqual([303, "/pay/test/"]);
	expect((await at("/")).body).toContain('action="controls"');
	// anything else is the host's
	const theHosts = { status: 404, body: "The host has no such page." };
	for (const path of ["/pay/test", "/pay/tests/"]) expect(await send("localhost", path)).toMatchObject(theHosts);
});
