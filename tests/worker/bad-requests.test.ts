import { afterAll, beforeAll, expect, test } from "vitest";
import { book } from "../support/catalogue.ts";
import { Customer } from "../support/customer.ts";
import { sendRaw } from "../support/raw-request.ts";
import { dumpTables, read, readProblem } from "../support/response.ts";
import { openShop, type Shop } from "../support/shop.ts";
import { ofOwnPage, upgrade } from "../support/socket.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop?.close());

const actions = ["/logout", `/payments/create?total=${book.priceCents}`, "/payments/place", "/payments/fulfill"];

test.each([...actions, "/stripe/webhook", "/logout.data", "/logout/"])(
	"methods other than POST on %s return 405 with Allow: POST",
	async (path) => {
		const visitor = new Customer(shop);
		await visitor.createAccount();
		const before = await dumpTables(shop);
		for (const method of ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
			const response = await visitor.fetch(path, { method, headers: { Origin: shop.url.origin } });
			await read(response);
			expect([method, response.status, response.headers.get("Allow")]).toEqual([method, 405, "POST"]);
		}
		expect(await dumpTables(shop)).toEqual(before);
	},
);

test.each(["/LOGOUT", "/%6Cogout", "/Payments/Create", "/payments/%70lace", "/STRIPE/webhook"])(
	"GET %s, which React Router matches to a POST-only route, returns 405",
	async (path) => {
		const response = await new Customer(shop).fetch(path);
		await read(response);
		expect(response.status).toBe(405);
	},
);

test.each(["/orders/feed", "/ORDERS/Feed/"])(
	"methods other than GET on %s return 405 with Allow: GET",
	async (path) => {
		for (const method of ["HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
			const response = await new Customer(shop).fetch(path, { method, headers: { Origin: shop.url.origin } });
			await read(response);
			expect([method, response.status, response.headers.get("Allow")]).toEqual([method, 405, "GET"]);
		}
	},
);

test("POST, PUT and DELETE on pages return 405 with Allow: GET, HEAD", async () => {
	for (const path of ["/", "/orders", "/checkout", "/product/12321341", "/nowhere", "/orders.data"]) {
		for (const method of ["POST", "PUT", "DELETE"]) {
			const response = await new Customer(shop).fetch(path, { method });
			expect(await readProblem(response)).toBe("method_not_allowed");
			expect([response.status, response.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
		}
	}
});

/** The POST requests that the shop's own pages send, with their bodies. */
const ownRequests: [string, (visitor: Customer) => RequestInit][] = [
	["/login", ({ email, password }) => ({ body: new URLSearchParams({ email, password, intent: "create-account" }) })],
	["/login.data", ({ email, password }) => ({ body: new URLSearchParams({ email, password, intent: "sign-in" }) })],
	["/logout", () => ({})],
	["/logout.data", () => ({})],
	[`/payments/create?total=${book.priceCents}`, () => ({})],
	["/payments/place", () => ({ body: "{}" })],
	["/payments/fulfill", () => ({ body: "{}" })],
];

const elsewhere: [string, Record<string, string>][] = [
	["another site", { Origin: "https://evil.test" }],
	["another port of the same host", { Origin: "http://127.0.0.1:1" }],
	["a sandboxed frame", { Origin: "null" }],
	["another site without an Origin header", { "Sec-Fetch-Site": "cross-site" }],
	["another host of the same site", { "Sec-Fetch-Site": "same-site" }],
];

test.each(elsewhere)("a POST from %s returns 403 and changes nothing", async (_, headers) => {
	const visitor = new Customer(shop);
	await visitor.createAccount();
	const before = await dumpTables(shop);
	for (const [path, init] of ownRequests) {
		const cookie = { Cookie: `__Host-session=${visitor.cookie("__Host-session")}` };
		// avoids visitor.fetch, which sends an Origin header
		const response = await shop.fetch(path, { method: "POST", ...init(visitor), headers: { ...headers, ...cookie } });
		expect(await readProblem(response), path).toBe("cross_origin");
		expect(response.status).toBe(403);
		expect(response.headers.getSetCookie()).toEqual([]);
	}
	expect(await dumpTables(shop)).toEqual(before);
});

test.each<[string, (own: { Origin: string; Cookie?: string }) => Record<string, string>, number, string]>([
	["from another site", (own) => ({ ...own, Origin: "https://evil.test" }), 403, "cross_origin"],
	["from another port of the same host", (own) => ({ ...own, Origin: "http://127.0.0.1:1" }), 403, "cross_origin"],
	["from a sandboxed frame", (own) => ({ ...own, Origin: "null" }), 403, "cross_origin"],
	["without an Origin header", ({ Origin, ...own }) => own, 403, "cross_origin"],
	["from another site by a guest", () => ({ Origin: "https://evil.test" }), 403, "cross_origin"],
	["without a session", ({ Origin }) => ({ Origin }), 401, "sign_in_required"],
	["with an empty session cookie", ({ Origin }) => ({ Origin, Cookie: "__Host-session=" }), 401, "sign_in_required"],
	[
		"with a forged session",
		({ Origin }) => ({ Origin, Cookie: `__Host-session=${"a".repeat(40)}` }),
		401,
		"sign_in_required",
	],
	[
		"with a session in another cookie",
		({ Cookie = "", ...own }) => ({ ...own, Cookie: Cookie.replace("__Host-", "") }),
		401,
		"sign_in_required",
	],
])("a WebSocket upgrade of /orders/feed %s is rejected", async (_, change, status, code) => {
	const visitor = new Customer(shop);
	await visitor.createAccount();
	const before = await dumpTables(shop);
	const response = await upgrade(shop, change(ofOwnPage(shop, visitor)));
	expect([response.status, await readProblem(response)]).toEqual([status, code]);
	expect(JSON.stringify(response.headers.getSetCookie())).not.toContain(visitor.cookie("__Host-session"));
	expect(await dumpTables(shop)).toEqual(before);
});

test("a WebSocket upgrade of /orders/feed with an expired session returns 401 and clears the cookie", async () => {
	const visitor = new Customer(shop);
	await visitor.createAccount();
	await shop.d1.prepare("update sessions set expires_at = unixepoch() - 1").run();
	const response = await upgrade(shop, ofOwnPage(shop, visitor));
	expect([response.status, await readProblem(response)]).toEqual([401, "sign_in_required"]);
	expect(response.headers.getSetCookie()).toEqual([expect.stringContaining("__Host-session=; Max-Age=0;")]);
});

test.each(["/orders/feed", "/orders/feed.data"])("GET %s without an Upgrade header returns 426", async (path) => {
	const response = await new Customer(shop).fetch(path, { headers: { Origin: shop.url.origin } });
	expect([response.status, await readProblem(response)]).toEqual([426, "upgrade_required"]);
});

test.each(["/orders/feed.data", "/orders/feed/_.data"])("a WebSocket upgrade of %s returns 426", async (path) => {
	const visitor = new Customer(shop);
	await visitor.createAccount();
	const response = await upgrade(shop, ofOwnPage(shop, visitor), path);
	expect([response.status, await readProblem(response)]).toEqual([426, "upgrade_required"]);
});

test.each<[string, string, RequestInit, number]>([
	["GET /logout", "/logout", {}, 405],
	["POST /orders", "/orders", { method: "POST" }, 405],
	["GET /orders/feed", "/orders/feed", {}, 426],
	["a cross-site POST /login", "/login", { method: "POST", headers: { Origin: "https://evil.test" } }, 403],
	["POST /login with 65 KiB", "/login", { method: "POST", body: new Uint8Array(66_560) }, 413],
])("%s as a document request returns a styled error page", async (_, path, init, status) => {
	const headers = { ...init.headers, Accept: "text/html,application/xhtml+xml" };
	const response = await new Customer(shop).fetch(path, { ...init, headers });
	const page = await read(response);
	expect(response.status).toBe(status);
	expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
	expect(page).toMatch(/<link rel="stylesheet"/);
});

test.each([
	"/.env",
	"/.dev.vars",
	"/.dev.vars.example",
	"/wrangler.toml",
	"/wrangler.json",
	"/package.json",
	"/.git/config",
	"/.git/HEAD",
	"/_headers",
	"/index.js",
	"/index.js.map",
	"/server/index.js",
	"/migrations/0000_shop.sql",
	"/app/auth/common-passwords.txt",
])("GET %s returns 404", async (path) => {
	const response = await new Customer(shop).fetch(path);
	await read(response);
	expect(response.status).toBe(404);
});

test("no script or stylesheet of / has a source map", async () => {
	const html = await (await shop.fetch("/")).text();
	const scripts = new Set([...html.matchAll(/"(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path = ""]) => path));
	expect(scripts.size).toBeGreaterThan(3);
	for (const path of scripts) {
		expect((await shop.fetch(`${path}.map`)).status).toBe(404);
		expect(await (await shop.fetch(path)).text()).not.toContain("sourceMappingURL");
	}
});

test.each([
	["10 kB", `a=${"x".repeat(10_000)}`],
	["malformed pairs", "=;;=,\u00ff\u00e9%;%E0%A4;__proto__=1;constructor"],
	["one name repeated 40 times", Array.from({ length: 40 }, (_, n) => `__Host-session=${n}`).join("; ")],
	["a malformed guest token", "__Host-guest=' OR 1=1--"],
])("GET / with a Cookie header of %s returns the guest page", async (_, cookie) => {
	const response = await shop.fetch("/", { headers: { Cookie: cookie } });
	expect(await read(response)).toContain("Hello Guest");
	expect(response.status).toBe(200);
});

/** Cookie headers that fetch cannot send: duplicates and non-text bytes. */
test.each<[string, string[]]>([
	["two Cookie headers", ["__Host-session=a", "__Host-session=b; __Host-guest=c"]],
	[
		"a cookie of every byte except NUL, CR and LF",
		[String.fromCharCode(...Array.from({ length: 256 }, (_, n) => n)).replace(/[\0\r\n]/g, "")],
	],
	["a session token of invalid UTF-8", ["__Host-session=\xff\xfe; __Host-bookmark=\xc0\xaf"]],
	["an empty Cookie header", [""]],
])("GET / with %s returns the guest page", async (_, cookies) => {
	const headers = [["Host", shop.url.host], ...cookies.map((cookie) => ["Cookie", cookie])].map(
		([name = "", value = ""]): [string, string] => [name, value],
	);
	const answer = await sendRaw(shop.url, { method: "GET", target: "/", headers, body: "", framing: "nothing" });
	if (!answer) throw new Error("The connection was closed without a response.");
	expect(await read(answer)).toContain("Hello Guest");
	expect(answer.status).toBe(200);
});

test.each([
	["X-Forwarded-Host", "evil.test"],
	["X-Forwarded-For", "203.0.113.7"],
	["X-Forwarded-Proto", "ftp"],
	["Forwarded", "for=203.0.113.7;host=evil.test;proto=ftp"],
	["X-Original-URL", "/nowhere"],
	["X-Rewrite-URL", "/nowhere"],
	["X-HTTP-Method-Override", "DELETE"],
])("the %s header changes neither the page nor the redirect after sign-out", async (name, value) => {
	const visitor = new Customer(shop);
	const see = async (headers: Record<string, string>) => {
		const response = await visitor.fetch("/orders", { headers });
		// matches nonces and the durations in Server-Timing
		const chance = /(?<=nonce(-|="))[a-z2-7]{32}|(?<=dur=)\d+/g;
		const page = (await read(response)).replaceAll(chance, "RANDOM");
		return [response.status, page, [...response.headers].map(([, value]) => value.replaceAll(chance, "RANDOM"))];
	};
	expect(await see({ [name]: value })).toEqual(await see({}));
	const redirect = await visitor.fetch("/logout", { method: "POST", headers: { [name]: value } });
	expect([redirect.status, redirect.headers.get("Location")]).toEqual([302, "/"]);
});

test.each(["/orders", "/orders.data", "/orders.data?_routes=routes%2Forders", "/orders.data?_routes=root", "/_.data"])(
	"GET %s as a guest returns no customer data",
	async (path) => {
		const customer = new Customer(shop);
		await customer.createAccount();
		await shop.d1
			.prepare(
				`insert into orders (payment_intent_id, user_id, amount, status, created, placed_at, due_at)
				select 'pi_of_' || id, id, 1196, 'paid', 1, 1, 1 from users where email = ?`,
			)
			.bind(customer.email)
			.run();
		const body = await read(await new Customer(shop).fetch(path));
		expect(body).not.toMatch(/pi_of_|visitor-/);
	},
);

test("the log of these tests contains no error or unavailable event", () => {
	expect(shop.logs()).not.toMatch(/"event":"(error|unavailable)"/);
});

test.each(["/login", "/payments/place", "/stripe/webhook", "/"])(
	"POST %s with a stalled body returns 408 and changes nothing",
	async (target) => {
		const before = await dumpTables(shop);
		await shop.control({ control: "timeouts", timeouts: { response: 300 } });
		const headers: [string, string][] = [
			["Host", shop.url.host],
			["Connection", "close"],
		];
		const answer = await sendRaw(shop.url, { method: "POST", target, headers, body: "{", framing: "length, stalls" });
		await shop.control({ control: "calm" });
		if (!answer) throw new Error("The connection was closed without a response.");
		expect([answer.status, await readProblem(answer)]).toEqual([408, "body_too_slow"]);
		expect(await dumpTables(shop)).toEqual(before);
	},
);
