import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import { PUBLISHABLE_KEY, SECRET_KEY } from "stripe-emulator/keys.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RawRequest, sendRaw } from "../support/raw-request.ts";
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
	method?: "GET" | "POST";
	form?: Record<string, string>;
	json?: unknown;
	key?: string;
	/** The client's IP address. */
	address?: string;
}

/** Sends a request with this Host header, regardless of the address that the server listens on. */
async function send(shop: Shop, host: string, path: string, asked: Asked = {}) {
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
	return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

async function expectNotFound(...sent: Parameters<typeof send>): Promise<void> {
	expect(await send(...sent)).toMatchObject({ status: 404, body: "Not found" });
}

const newIntent = { amount: "1499", currency: "usd" };

// the emulator's own tests have every path on every kind of host
test.each<[string, Asked]>([
	["/", {}],
	["/controls", { method: "POST", json: { control: "calm" } }],
	["/stripe.js", {}],
	["/v1/payment_intents", { method: "POST", key: SECRET_KEY, form: newIntent }],
])("with real keys, or on a host that STRIPE_EMULATOR_HOSTS does not list, %s %o returns 404", async (path, asked) => {
	for (const host of ["localhost", "127.0.0.1", demoHost]) await expectNotFound(real, host, path, asked);
	for (const host of ["shop.example.com", `x.${demoHost}`, "10.0.0.1"]) await expectNotFound(demo, host, path, asked);
	const { headers } = await send(demo, demoHost, path, asked);
	expect(headers["strict-transport-security"]).toBe("max-age=63072000; includeSubDomains; preload");
});

test("a public demo serves no console, state or controls, and rejects the secret key with 401", async () => {
	const { id } = await demo.stripe.paymentIntents.create({ amount: 1499, currency: "usd" });
	for (const path of ["/", "/state"]) await expectNotFound(demo, demoHost, path);
	await expectNotFound(demo, demoHost, "/controls", { method: "POST", json: { control: "calm" } });
	const calls: [string, Record<string, string>][] = [
		["/v1/payment_intents", newIntent],
		[`/v1/payment_intents/${id}/cancel`, {}],
		["/v1/refunds", { payment_intent: id }],
	];
	for (const [path, form] of calls) {
		for (const asked of [{ form, key: SECRET_KEY }, { form: { ...form, key: SECRET_KEY } }]) {
			expect((await send(demo, demoHost, path, { method: "POST", ...asked })).status, path).toBe(401);
		}
	}
	expect((await demo.stripe.paymentIntents.retrieve(id)).status).toBe("requires_payment_method");
});

test("a shopper can pay in a public demo, including with 3-D Secure", async () => {
	for (const path of ["/stripe.js", "/card-frame"]) expect((await send(demo, demoHost, path)).status).toBe(200);
	const { id, client_secret } = await demo.stripe.paymentIntents.create({ amount: 1499, currency: "usd" });
	const browser = { key: PUBLISHABLE_KEY, client_secret: client_secret ?? "" };
	const card = { number: "4000002760003184", exp_month: "12", exp_year: "2040", cvc: "123" };
	const fields = Object.entries(card).map(([name, value]) => [`payment_method_data[card][${name}]`, value]);
	const form = { ...browser, "payment_method_data[type]": "card", ...Object.fromEntries(fields) };
	const confirmed = await send(demo, demoHost, `/v1/payment_intents/${id}/confirm`, { method: "POST", form });
	const source = JSON.parse(confirmed.body).next_action.use_stripe_sdk.source;
	const answer = { ...browser, outcome: "complete" };
	const answered = await send(demo, demoHost, `/v1/three_d_secure/${source}/answer`, { method: "POST", form: answer });
	expect([confirmed.status, answered.status]).toEqual([200, 200]);
	const seen = await send(demo, demoHost, `/v1/payment_intents/${id}?${new URLSearchParams(browser)}`);
	expect(JSON.parse(seen.body)).toMatchObject({ id, status: "succeeded" });
	expect(JSON.parse(seen.body)).not.toHaveProperty("metadata");
});

const evil = "evil.example";
const names = ["return_url", "return_to", "redirect", "redirect_url", "next", "url", "parent", "path"];
const evilQueries = [`https://${evil}/`, `//${evil}`, `/\\${evil}`].map((value) =>
	new URLSearchParams(names.map((name) => [name, value])).toString(),
);
const paths = ["/", "/login", "/login.data", "/logout", "/logout.data", "/payment", "/orders", "/nowhere"];

test.each([...paths, `//${evil}/login`, `/\\${evil}`, "/stripe-emulator/three-d-secure", "/stripe-emulator/controls"])(
	"no response of a public demo to %s redirects to another site",
	async (path) => {
		const origin = `http://${demoHost}`;
		const account = { email: `${crypto.randomUUID()}@example.com`, password: "correct horse battery" };
		const body = new URLSearchParams({ ...account, intent: "create-account", key: PUBLISHABLE_KEY }).toString();
		const headers: [string, string][] = [
			["Host", demoHost],
			["Origin", origin],
			["Referer", `${origin}//${evil}/?return_url=https://${evil}/`],
			["Content-Type", "application/x-www-form-urlencoded"],
		];
		for (const query of evilQueries) {
			const target = `${path}?${query}`;
			const get: RawRequest = { method: "GET", target, headers, body: "", framing: "nothing" };
			const post: RawRequest = { method: "POST", target, headers, body: `${body}&${query}`, framing: "length" };
			// Cloudflare sends CF-Visitor, and the shop redirects a GET over http to https
			const overHttp: RawRequest = { ...get, headers: [...headers, ["CF-Visitor", "{}"]] };
			for (const request of [get, overHttp, post]) {
				const response = await sendRaw(demo.url, request);
				if (!response) throw new Error("The connection was closed without a response.");
				const { location, refresh } = Object.fromEntries(response.headers);
				if (location !== undefined) expect(new URL(location, origin + target).host).toBe(demoHost);
				expect(refresh).toBeUndefined();
				const text = await response.text();
				expect(text).not.toMatch(/http-equiv=["']?refresh/i);
				// a redirect of a .data request is in its body
				if (path.endsWith(".data")) expect(text).not.toMatch(/"(https?:)?[/\\]{2}/);
			}
		}
	},
);

test("a public demo returns 429 for the 31st API call from one IP address in a minute", async () => {
	const limited = await openShop({ limited: true, secrets: { STRIPE_EMULATOR_HOSTS: demoHost } });
	try {
		const { id, client_secret } = await limited.stripe.paymentIntents.create({ amount: 1499, currency: "usd" });
		const query = new URLSearchParams({ key: PUBLISHABLE_KEY, client_secret: client_secret ?? "" });
		const path = `/v1/payment_intents/${id}?${query}`;
		const retrieve = (address: string) => send(limited, demoHost, path, { address });
		const answers = await Promise.all(Array.from({ length: 30 }, () => retrieve("10.0.0.1")));
		expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 30 }, () => 200));
		const refused = await retrieve("10.0.0.1");
		expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "60" } });
		expect(JSON.parse(refused.body)).toMatchObject({ error: { code: "rate_limit" } });
		const { journal } = await limited.emulator();
		expect(journal.filter(({ endpoint }) => endpoint === "payment_intents.retrieve")).toHaveLength(30);
		expect(await retrieve("10.0.0.2")).toMatchObject({ status: 200 });
	} finally {
		await limited.close();
	}
});
