import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { PUBLISHABLE_KEY, SECRET_KEY } from "stripe-emulator/keys.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop, type Shop } from "../support/shop.ts";

const demoHost = "demo.example.com";

/** One server that also serves a public demo's host, and one with real Stripe keys. */
let demo: Shop;
let real: Shop;
beforeAll(async () => {
	[demo, real] = await Promise.all([
		openShop({ secrets: { STRIPE_EMULATOR_HOSTS: `other.example.com, ${demoHost}` } }),
		openShop({
			secrets: {
				STRIPE_SECRET_KEY: "sk_test_real",
				STRIPE_PUBLISHABLE_KEY: "pk_test_real",
				STRIPE_WEBHOOK_SECRET: "whsec_real",
			},
		}),
	]);
});
afterAll(() => Promise.all([demo?.close(), real?.close()]));

interface Asked {
	method?: "GET" | "POST" | "OPTIONS";
	form?: Record<string, string>;
	json?: unknown;
	key?: string;
	/** The client's IP address. */
	address?: string;
}

/** Sends a request with this Host header, regardless of the address that the server listens on. */
async function send(shop: Shop, host: string, path: string, asked: Asked = {}): Promise<IncomingMessage> {
	const { method = "GET", form, json, key, address } = asked;
	const { hostname, port } = shop.url;
	const body = form ? new URLSearchParams(form).toString() : json ? JSON.stringify(json) : "";
	const headers = {
		Host: host,
		"Content-Length": Buffer.byteLength(body),
		...(form && { "Content-Type": "application/x-www-form-urlencoded" }),
		...(key && { Authorization: `Bearer ${key}` }),
		...(address && { "CF-Connecting-IP": address }),
	};
	const sent = httpRequest({ hostname, port, path: `/stripe-emulator${path}`, method, headers }).end(body);
	const [response] = await once(sent, "response");
	return response;
}

async function ask(shop: Shop, host: string, path: string, asked?: Asked) {
	const response = await send(shop, host, path, asked);
	return { status: response.statusCode, body: await text(response) };
}

const notFound = { status: 404, body: "Not found" };
const clock = { control: "clock", advance: 86_400 };

const everything: [string, Asked][] = [
	["/", {}],
	["/state", {}],
	["/controls", { method: "POST", json: clock }],
	["/stripe.js", {}],
	["/card-frame", {}],
	["/v1/payment_intents", { key: SECRET_KEY }],
	["/v1/events", { key: SECRET_KEY }],
	["/v1/payment_intents", { method: "POST", key: SECRET_KEY, form: { amount: "500", currency: "usd" } }],
	["/v1/payment_methods", { method: "POST", form: { key: PUBLISHABLE_KEY } }],
	["/nothing", {}],
];

test.each(everything)("an unconfigured host returns 404 for %s %o", async (path, asked) => {
	for (const host of ["shop.example.com", "localhost.example.com", `x.${demoHost}`, "10.0.0.1"]) {
		expect(await ask(demo, host, path, asked)).toEqual(notFound);
	}
});

test.each(everything)("with real keys, %s %o returns 404 even on localhost", async (path, asked) => {
	for (const host of ["localhost", "127.0.0.1", demoHost]) expect(await ask(real, host, path, asked)).toEqual(notFound);
});

test.each<[string, Asked]>([
	...everything,
	["/three-d-secure", {}],
	["/controls", { method: "POST", form: { control: "calm" } }],
	["/controls", { method: "POST", json: {} }],
	["/v1/payment_intents", { method: "OPTIONS" }],
])("%s %o has the security headers on every host", async (path, asked) => {
	for (const [shop, host] of [
		[demo, "localhost"],
		[demo, demoHost],
		[demo, "shop.example.com"],
		[real, "localhost"],
	] as const) {
		const response = await send(shop, host, path, asked);
		const { headers } = response.resume();
		expect(headers, host).toMatchObject({
			"cross-origin-resource-policy": "same-origin",
			"referrer-policy": "same-origin",
			"strict-transport-security": "max-age=63072000; includeSubDomains; preload",
			"x-content-type-options": "nosniff",
			"cache-control": path === "/stripe.js" && response.statusCode === 200 ? "no-cache" : "no-store",
			"content-security-policy": expect.stringMatching(
				/^(sandbox allow-scripts; .*frame-ancestors 'self'|default-src 'none'; .*frame-ancestors 'none')/,
			),
		});
		if (!path.startsWith("/v1/")) expect(headers).not.toHaveProperty("access-control-allow-origin");
	}
});

test.each(["localhost", "127.0.0.1", "[::1]", "shop.localhost"])(
	"the console, state and stripe.js are served on the loopback host %s",
	async (host) => {
		for (const path of ["/", "/state", "/stripe.js"]) expect((await ask(demo, host, path)).status).toBe(200);
	},
);

test("a public demo serves no console, state or controls", async () => {
	const before = await demo.fetch("/stripe-emulator/state");
	const { now } = await before.json<{ now: number }>();
	for (const path of ["/", "/state", "/controls"]) expect(await ask(demo, demoHost, path)).toEqual(notFound);
	expect(await ask(demo, demoHost, "/controls", { method: "POST", json: clock })).toEqual(notFound);
	expect(await ask(demo, demoHost, "/controls", { method: "POST", form: { control: "calm" } })).toEqual(notFound);
	const after = await demo.fetch("/stripe-emulator/state");
	expect((await after.json<{ now: number }>()).now - now).toBeLessThan(3600);
});

test("a public demo rejects the secret key with 401", async () => {
	const { id } = await demo.stripe.paymentIntents.create({ amount: 1499, currency: "usd" });
	const calls: [string, Asked][] = [
		["/v1/payment_intents", {}],
		[`/v1/payment_intents/${id}`, {}],
		["/v1/events", {}],
		["/v1/charges", {}],
		["/v1/refunds", {}],
		["/v1/payment_intents", { method: "POST", form: { amount: "500", currency: "usd" } }],
		[`/v1/payment_intents/${id}/cancel`, { method: "POST" }],
		["/v1/refunds", { method: "POST", form: { payment_intent: id } }],
	];
	for (const [path, asked] of calls) {
		expect((await ask(demo, demoHost, path, { ...asked, key: SECRET_KEY })).status, path).toBe(401);
		const form = { ...asked.form, key: SECRET_KEY };
		const inQuery = `${path}?key=${SECRET_KEY}`;
		const asParameter = asked.method ? ask(demo, demoHost, path, { ...asked, form }) : ask(demo, demoHost, inQuery);
		expect((await asParameter).status, path).toBe(401);
	}
	expect((await demo.stripe.paymentIntents.retrieve(id)).status).toBe("requires_payment_method");
});

test("a shopper can pay in a public demo, including with 3-D Secure", async () => {
	for (const path of ["/stripe.js", "/card-frame"]) expect((await ask(demo, demoHost, path)).status).toBe(200);
	const { id, client_secret } = await demo.stripe.paymentIntents.create({ amount: 1499, currency: "usd" });
	const browser = { key: PUBLISHABLE_KEY, client_secret: client_secret ?? "" };
	const card = { number: "4000002760003184", exp_month: "12", exp_year: "2040", cvc: "123" };
	const fields = Object.entries(card).map(([name, value]) => [`payment_method_data[card][${name}]`, value]);
	const form = { ...browser, "payment_method_data[type]": "card", ...Object.fromEntries(fields) };
	const confirmed = await ask(demo, demoHost, `/v1/payment_intents/${id}/confirm`, { method: "POST", form });
	const source = JSON.parse(confirmed.body).next_action.use_stripe_sdk.source;
	const answer = { ...browser, outcome: "complete" };
	const answered = await ask(demo, demoHost, `/v1/three_d_secure/${source}`, { method: "POST", form: answer });
	expect([confirmed.status, answered.status]).toEqual([200, 200]);
	const seen = await ask(demo, demoHost, `/v1/payment_intents/${id}?${new URLSearchParams(browser)}`);
	expect(JSON.parse(seen.body)).toMatchObject({ id, status: "succeeded" });
	expect(JSON.parse(seen.body)).not.toHaveProperty("metadata");
});

test("a 2 MB request is read to its end before it is rejected with 404 or 413", async () => {
	const form = { long: "x".repeat(2_000_000) };
	const post = (host: string, path: string, key?: string) =>
		ask(demo, host, path, { method: "POST", form, ...(key && { key }) });
	const statuses = await Promise.all([
		post("shop.example.com", "/controls"),
		post(demoHost, "/controls"),
		post("localhost", "/nothing"),
		post("localhost", "/controls"),
		post("localhost", "/v1/nothing", SECRET_KEY),
		post(demoHost, "/v1/refunds", SECRET_KEY),
	]);
	expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 413, 413, 413]);
});

test("a public demo returns 429 for the 31st API call from one IP address in a minute", async () => {
	const limited = await openShop({ limited: true, secrets: { STRIPE_EMULATOR_HOSTS: demoHost } });
	try {
		const create: Asked = { method: "POST", form: { key: PUBLISHABLE_KEY, "part[cvc]": "123" }, address: "10.0.0.1" };
		const call = (host: string, asked: Asked) => ask(limited, host, "/v1/card_parts", asked);
		const statuses = async (count: number, host: string, asked: Asked) =>
			(await Promise.all(Array.from({ length: count }, () => call(host, asked)))).map(({ status }) => status);
		expect(await statuses(30, demoHost, create)).toEqual(Array.from({ length: 30 }, () => 200));
		const response = await send(limited, demoHost, "/v1/payment_intents", { address: "10.0.0.1" });
		expect(response.statusCode).toBe(429);
		expect(response.headers).toMatchObject({ "access-control-allow-origin": "*", "retry-after": "60" });
		expect(JSON.parse(await text(response))).toEqual({
			error: {
				type: "invalid_request_error",
				code: "rate_limit",
				doc_url: expect.any(String),
				message: "Request rate limit exceeded.",
			},
		});
		expect(await call(demoHost, { ...create, address: "10.0.0.2" })).toMatchObject({ status: 200 });
		expect(await ask(limited, demoHost, "/stripe.js", { address: "10.0.0.1" })).toMatchObject({ status: 200 });
		expect(await statuses(31, "localhost", create)).not.toContain(429);
		const { journal } = await limited.emulator();
		expect(journal.filter(({ endpoint }) => endpoint === "payment_intents.list")).toEqual([]);
	} finally {
		await limited.close();
	}
});
