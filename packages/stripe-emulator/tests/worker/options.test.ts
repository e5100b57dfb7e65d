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
const cardPart = { method: "POST", form: { key: PUBLISHABLE_KEY, "part[cvc]": "123" } } as const;

const everything: [string, Sent][] = [
	["/", {}],
	["/state", {}],
	["/controls", { method: "POST", form: { control: "calm" } }],
	["/stripe.js", {}],
	["/card-frame", {}],
	["/v1/payment_intents", { key: SECRET_KEY }],
	["/v1/card_parts", cardPart],
];

test.each(everything)("%s %o returns 404 on a host name that is neither loopback nor public", async (path, sent) => {
	for (const name of ["shop.example.com", "localhost.example.com", `x.${publicHost}`, "10.0.0.1"]) {
		expect(await send(hosts.usual, name, `/stripe-emulator${path}`, sent)).toMatchObject(notFound);
	}
});

test.each(everything)("%s %o returns 404 on any host name while isEnabled returns false", async (path, sent) => {
	for (const name of ["localhost", "127.0.0.1", publicHost]) {
		expect(await send(hosts.disabled, name, `/stripe-emulator${path}`, sent)).toMatchObject(notFound);
	}
});

test.each([
	["/", 404],
	["/state", 404],
	["/controls", 404],
	["/stripe.js", 200],
	["/card-frame", 200],
	["/three-d-secure", 200],
])("GET %s returns %d on a public host", async (path, status) => {
	expect(await send(hosts.usual, publicHost, `/stripe-emulator${path}`)).toMatchObject({ status });
});

test("on a public host, the API accepts the publishable key but not the secret key", async () => {
	const path = "/stripe-emulator/v1/payment_intents";
	expect(await send(hosts.usual, publicHost, path, { key: SECRET_KEY })).toMatchObject({ status: 401 });
	expect(await send(hosts.usual, "localhost", path, { key: SECRET_KEY })).toMatchObject({ status: 200 });
	const posted = await send(hosts.usual, publicHost, "/stripe-emulator/v1/card_parts", cardPart);
	expect(posted).toMatchObject({ status: 200 });
});

test("limitCall rate-limits only API calls, and only on a public host", async () => {
	const path = "/stripe-emulator/v1/card_parts";
	const limited = await send(hosts.limited, publicHost, path, cardPart);
	expect(limited).toMatchObject({
		status: 429,
		headers: { "retry-after": "42", "access-control-allow-origin": "*" },
	});
	expect(JSON.parse(limited.body)).toMatchObject({ error: { code: "rate_limit" } });
	expect(await send(hosts.limited, "localhost", path, cardPart)).toMatchObject({ status: 200 });
	expect(await send(hosts.limited, publicHost, path, { method: "OPTIONS" })).toMatchObject({ status: 204 });
	expect(await send(hosts.limited, publicHost, "/stripe-emulator/stripe.js")).toMatchObject({ status: 200 });
});

test.each(["/", "/state", "/stripe.js", "/card-frame", "/v1/payment_intents", "/nothing"])(
	"the response to %s has the security headers",
	async (path) => {
		for (const name of ["localhost", publicHost, "shop.example.com"]) {
			const { headers } = await send(hosts.usual, name, `/stripe-emulator${path}`);
			expect(headers).toMatchObject({
				"cross-origin-resource-policy": "same-origin",
				"referrer-policy": "same-origin",
				"x-content-type-options": "nosniff",
				"cache-control": expect.stringMatching(/^no-(store|cache)$/),
				"content-security-policy": expect.stringContaining("default-src 'none'"),
			});
		}
	},
);

test("a request outside the base path is passed through to the host", async () => {
	for (const path of ["/stripe-emulator", "/stripe-emulators/", "/v1/payment_intents"]) {
		expect(await send(hosts.usual, "localhost", path)).toMatchObject({
			status: 404,
			body: "The host has no such page.",
		});
	}
});

test("the API, the frames, the controls and the console are served at any base path", async () => {
	const { id } = await hosts.usual.stripe.paymentIntents.create({ amount: 1499, currency: "usd" });
	const at = (path: string, sent?: Sent) => send(hosts.usual, "localhost", `/pay/test${path}`, sent);
	expect(JSON.parse((await at(`/v1/payment_intents/${id}`, { key: SECRET_KEY })).body)).toMatchObject({ id });
	expect((await at("/card-frame")).headers["content-security-policy"]).toContain(
		"connect-src http://localhost/pay/test/v1/;",
	);
	const control = await at("/controls", { method: "POST", form: { control: "calm" } });
	expect([control.status, control.headers["location"]]).toEqual([303, "/pay/test/"]);
	expect((await at("/")).body).toContain('action="controls"');
});

test("the console shows the host's link, setting, button and form, and the state has the host's fields", async () => {
	const { body } = await send(hosts.usual, "localhost", "/stripe-emulator/");
	for (const part of ["The host's page", "The webhook endpoint", "Fail the next webhook", "Set failing webhooks"]) {
		expect(body).toContain(part.replace("'", "&#39;"));
	}
	expect(await hosts.usual.state()).toMatchObject({ received: expect.any(Array) });
});

test("a host's control runs, and its validation errors are returned", async () => {
	expect(await hosts.usual.control({ control: "fail_webhooks", times: 2 })).toBeNull();
	expect((await send(hosts.usual, "localhost", "/stripe-emulator/")).body).toContain("fails 2 times");
	await expect(hosts.usual.control({ control: "fail_webhooks", times: -1 })).rejects.toThrow("times");
	await hosts.usual.control({ control: "calm" });
	expect((await send(hosts.usual, "localhost", "/stripe-emulator/")).body).toContain("fails 0 times");
});
