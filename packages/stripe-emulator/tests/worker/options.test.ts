import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { PUBLISHABLE_KEY, SECRET_KEY } from "../../keys.ts";
import { type Host, type HostOptions, openHost } from "../support/host.ts";

const publicHost = "demo.example.com";

let hosts: Record<"usual" | "disabled" | "limited", Host>;
beforeAll(async () => {
	const open = (options: HostOptions) => openHost(inject("hostScript"), { publicHosts: [publicHost], ...options });
	const [usual, disabled, limited] = await Promise.all([
		open({}),
		open({ isDisabled: true }),
		open({ retryAfter: 42 }),
	]);
	hosts = { usual, disabled, limited };
});
afterAll(() => Promise.all(Object.values(hosts ?? {}).map((host) => host.close())));

interface Sent {
	method?: "GET" | "POST" | "OPTIONS";
	form?: Record<string, string>;
	key?: string;
}

/** Sends a request to the host's address with `name` as the Host header. */
async function send({ url: { hostname, port } }: Host, name: string, path: string, sent: Sent = {}) {
	const { method = "GET", form, key } = sent;
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
const form = { amount: "500", currency: "usd" };

const everything: [string, Sent][] = [
	["/", {}],
	["/state", {}],
	["/controls", { method: "POST", form: { control: "calm" } }],
	["/stripe.js", {}],
	["/card-frame", {}],
	["/v1/payment_intents", { key: SECRET_KEY }],
	["/v1/payment_intents", { method: "POST", form, key: SECRET_KEY }],
	["/nothing", {}],
];

test.each(everything)("%s %o returns 404 on any other host name, and on all while disabled", async (path, sent) => {
	for (const name of ["shop.example.com", "localhost.example.com", `x.${publicHost}`]) {
		expect(await send(hosts.usual, name, `/stripe-emulator${path}`, sent)).toMatchObject(notFound);
	}
	for (const name of ["localhost", publicHost]) {
		expect(await send(hosts.disabled, name, `/stripe-emulator${path}`, sent)).toMatchObject(notFound);
	}
});

test.each([
	["/", 200, 404],
	["/state", 200, 404],
	["/controls", 404, 404],
	["/stripe.js", 200, 200],
	["/card-frame", 200, 200],
	["/three-d-secure", 200, 200],
])("GET %s returns %d on loopback host names and %d on a public host", async (path, loopback, onPublic) => {
	for (const name of ["localhost", "127.0.0.1", "[::1]", "shop.localhost"]) {
		expect(await send(hosts.usual, name, `/stripe-emulator${path}`)).toMatchObject({ status: loopback });
	}
	expect(await send(hosts.usual, publicHost, `/stripe-emulator${path}`)).toMatchObject({ status: onPublic });
});

test("on a public host, the API accepts the publishable key but not the secret key, and no control runs", async () => {
	const { id, client_secret } = await hosts.usual.stripe.paymentIntents.create({ amount: 500, currency: "usd" });
	const at = (path: string, sent?: Sent) => send(hosts.usual, publicHost, `/stripe-emulator${path}`, sent);
	const query = new URLSearchParams({ key: PUBLISHABLE_KEY, client_secret: client_secret ?? "" });
	expect(await at(`/v1/payment_intents/${id}?${query}`)).toMatchObject({ status: 200 });
	for (const path of ["/v1/payment_intents", "/v1/refunds", "/v1/events", `/v1/payment_intents/${id}`]) {
		expect(await at(path, { key: SECRET_KEY })).toMatchObject({ status: 401 });
		expect(await at(`${path}?key=${SECRET_KEY}`)).toMatchObject({ status: 401 });
	}
	const posted: Sent = { method: "POST", form: { ...form, key: SECRET_KEY }, key: SECRET_KEY };
	expect(await at("/v1/payment_intents", posted)).toMatchObject({ status: 401 });
	const control = { control: "clock", advance: "86400" };
	expect(await at("/controls", { method: "POST", form: control })).toMatchObject(notFound);
	expect((await hosts.usual.state()).settings.clockAdvance).toBe(0);
});

test("limitCall rate-limits only API calls, and only on a public host", async () => {
	const path = "/stripe-emulator/v1/payment_intents";
	const { status, headers, body } = await send(hosts.limited, publicHost, path);
	expect([status, headers]).toMatchObject([429, { "retry-after": "42", "access-control-allow-origin": "*" }]);
	const message = "Request rate limit exceeded.";
	expect(JSON.parse(body)).toMatchObject({ error: { type: "invalid_request_error", code: "rate_limit", message } });
	expect(await send(hosts.limited, "localhost", path, { key: SECRET_KEY })).toMatchObject({ status: 200 });
	expect(await send(hosts.limited, publicHost, path, { method: "OPTIONS" })).toMatchObject({ status: 204 });
	expect(await send(hosts.limited, publicHost, "/stripe-emulator/stripe.js")).toMatchObject({ status: 200 });
	expect((await hosts.limited.state()).journal).toHaveLength(1);
});

test("a body of 2 MB is read to its end before it is refused", async () => {
	const sent: Sent = { method: "POST", form: { long: "x".repeat(2_000_000) } };
	for (const [name, path, status] of [
		["shop.example.com", "/controls", 404],
		[publicHost, "/controls", 404],
		[publicHost, "/v1/refunds", 413],
		["localhost", "/controls", 413],
		["localhost", "/v1/refunds", 413],
		["localhost", "/nothing", 404],
	] as const) {
		expect(await send(hosts.usual, name, `/stripe-emulator${path}`, sent)).toMatchObject({ status });
	}
});

test("on a public host, an API call with a body or URL of more than 4 KiB returns 413 and is not stored", async () => {
	const before = (await hosts.usual.state()).journal.length;
	const path = "/stripe-emulator/v1/refunds";
	const post = (name: string, size: number) => {
		return send(hosts.usual, name, path, { method: "POST", form: { x: "y".repeat(size - 2) } });
	};
	for (const answer of [await post(publicHost, 4097), await send(hosts.usual, publicHost, path.padEnd(4097, "s"))]) {
		expect(answer).toMatchObject({ status: 413, headers: { "access-control-allow-origin": "*" } });
		const message = expect.stringContaining("exceeds 4096 bytes");
		expect(JSON.parse(answer.body)).toEqual({ error: { type: "invalid_request_error", message } });
	}
	expect((await hosts.usual.state()).journal).toHaveLength(before);
	for (const [name, size] of [
		[publicHost, 4096],
		["localhost", 65_536],
	] as const) {
		expect(await post(name, size)).toMatchObject({ status: 401 });
	}
});

test.each<[string, Sent]>([...everything, ["/three-d-secure", {}], ["/v1/payment_intents", { method: "OPTIONS" }]])(
	"the response to %s %o has the security headers on every host name",
	async (path, sent) => {
		for (const name of ["localhost", publicHost, "shop.example.com"]) {
			const { headers } = await send(hosts.usual, name, `/stripe-emulator${path}`, sent);
			expect(headers).toMatchObject({
				"cross-origin-resource-policy": "same-origin",
				"referrer-policy": "same-origin",
				"x-content-type-options": "nosniff",
				"cache-control": expect.stringMatching(/^no-(store|cache)$/),
				"content-security-policy": expect.stringContaining("default-src 'none'"),
			});
			if (!path.startsWith("/v1/")) expect(headers).not.toHaveProperty("access-control-allow-origin");
		}
	},
);

test("the API, the frames, the controls and the console are served at any base path", async () => {
	const { id } = await hosts.usual.stripe.paymentIntents.create({ amount: 1499, currency: "usd" });
	const at = (path: string, sent?: Sent) => send(hosts.usual, "localhost", `/pay/test${path}`, sent);
	expect(JSON.parse((await at(`/v1/payment_intents/${id}`, { key: SECRET_KEY })).body)).toMatchObject({ id });
	const policy = (await at("/card-frame")).headers["content-security-policy"];
	expect(policy).toContain("connect-src http://localhost/pay/test/v1/;");
	const control = await at("/controls", { method: "POST", form: { control: "calm" } });
	expect([control.status, control.headers["location"]]).toEqual([303, "/pay/test/"]);
	expect((await at("/")).body).toContain('action="controls"');
	// anything else is the host's
	const theHosts = { status: 404, body: "The host has no such page." };
	for (const path of ["/pay/test", "/pay/tests/"]) {
		expect(await send(hosts.usual, "localhost", path)).toMatchObject(theHosts);
	}
});

test("the console and the state show what the host adds, and the host's control runs", async () => {
	const console = async () => (await send(hosts.usual, "localhost", "/stripe-emulator/")).body;
	for (const part of ["The host's page", "The webhook endpoint", "Fail the next webhook", "Set failing webhooks"]) {
		expect(await console()).toContain(part.replace("'", "&#39;"));
	}
	expect(await hosts.usual.state()).toMatchObject({ received: expect.any(Array) });
	expect(await hosts.usual.control({ control: "fail_webhooks", times: 2 })).toBeNull();
	expect(await console()).toContain("fails 2 times");
	await expect(hosts.usual.control({ control: "fail_webhooks", times: -1 })).rejects.toThrow("times");
	await hosts.usual.control({ control: "calm" });
	expect(await console()).toContain("fails 0 times");
});
