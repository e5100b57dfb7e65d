import { afterAll, beforeAll, expect, test } from "vitest";
import { book } from "../support/catalogue.ts";
import { Customer } from "../support/customer.ts";
import { sendRaw } from "../support/raw-request.ts";
import { dumpTables, read, readProblem } from "../support/response.ts";
import { openShop, type Shop } from "../support/shop.ts";
import { ofOwnPage, upgrade } from "../support/socket.ts";

let shop: Shop;
let customer: Customer;
beforeAll(async () => {
	shop = await openShop();
	customer = new Customer(shop);
	await customer.createAccount();
});
afterAll(() => shop?.close());

// guard.server.test.ts has the rules of every route; these requests show that the Worker applies them
test.each([
	["GET", "/payments/create", "POST"],
	["HEAD", "/payments/fulfill", "POST"],
	["PUT", "/payments/place", "POST"],
	["DELETE", "/stripe/webhook", "POST"],
	["GET", "/logout.data", "POST"],
	["POST", "/orders/feed/", "GET"],
	["POST", "/LOGIN", "GET, HEAD"],
	["DELETE", "/orders.data", "GET, HEAD"],
	["POST", "/nowhere", "GET, HEAD"],
])("%s %s returns 405 with Allow: %s and changes nothing", async (method, path, allowed) => {
	const before = await dumpTables(shop);
	const response = await customer.fetch(path, { method });
	if (method === "HEAD") await read(response);
	else expect(await readProblem(response)).toBe("method_not_allowed");
	expect([response.status, response.headers.get("Allow")]).toEqual([405, allowed]);
	expect(await dumpTables(shop)).toEqual(before);
});

test.each<[string, Record<string, string>]>([
	["from another site", { Origin: "https://evil.test" }],
	["from another site without an Origin header", { "Sec-Fetch-Site": "cross-site" }],
])("every POST of the shop's own pages, sent %s, returns 403 and changes nothing", async (_, headers) => {
	const { email, password } = customer;
	const ownRequests: [string, BodyInit?][] = [
		["/login", new URLSearchParams({ email, password, intent: "create-account" })],
		["/login.data", new URLSearchParams({ email, password, intent: "sign-in" })],
		["/logout"],
		["/logout.data"],
		[`/payments/create?total=${book.priceCents}`],
		["/payments/place", "{}"],
		["/payments/fulfill", "{}"],
	];
	const before = await dumpTables(shop);
	for (const [path, body] of ownRequests) {
		const Cookie = `__Host-session=${customer.cookie("__Host-session")}`;
		// avoids customer.fetch, which sends an Origin header
		const init = { method: "POST", headers: { ...headers, Cookie }, ...(body && { body }) };
		const response = await shop.fetch(path, init);
		expect([path, response.status, await readProblem(response)]).toEqual([path, 403, "cross_origin"]);
		expect(response.headers.getSetCookie()).toEqual([]);
	}
	expect(await dumpTables(shop)).toEqual(before);
});

test.each([
	["JSON instead of a form", "/login", "application/json"],
	["a Content-Type that only starts like a form's", "/login.data", "application/x-www-form-urlencodedish"],
	["no Content-Type", "/login", ""],
	["a form instead of JSON", "/payments/place", "application/x-www-form-urlencoded"],
])("POST with %s returns 415", async (_, path, type) => {
	// a body of bytes has no Content-Type of its own
	const init = { body: new TextEncoder().encode("{}"), headers: new Headers(type ? { "Content-Type": type } : {}) };
	const response = await new Customer(shop).fetch(path, { method: "POST", ...init });
	expect([response.status, await readProblem(response)]).toEqual([415, "wrong_content_type"]);
});

test("a body of 65 KiB or 5 MB returns 413, with or without Content-Length, and changes nothing", async () => {
	const before = await dumpTables(shop);
	for (const size of [65 * 1024, 5_000_000]) {
		const bytes = new Uint8Array(size).fill(97);
		for (const body of [bytes, new Blob([bytes]).stream()]) {
			const init: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half" };
			const response = await new Customer(shop).fetch("/payments/place", init);
			expect([response.status, await readProblem(response)]).toEqual([413, "body_too_large"]);
		}
	}
	expect(await dumpTables(shop)).toEqual(before);
});

test("a stalled body returns 408 and changes nothing", async () => {
	const before = await dumpTables(shop);
	await shop.control({ control: "timeouts", timeouts: { response: 300 } });
	const headers: [string, string][] = [
		["Host", shop.url.host],
		["Connection", "close"],
	];
	const stalled = { method: "POST", target: "/payments/place", headers, body: "{", framing: "length, stalls" } as const;
	const answer = await sendRaw(shop.url, stalled);
	await shop.control({ control: "calm" });
	if (!answer) throw new Error("The connection was closed without a response.");
	expect([answer.status, await readProblem(answer)]).toEqual([408, "body_too_slow"]);
	expect(await dumpTables(shop)).toEqual(before);
});

test.each<[string, (own: { Origin: string; Cookie?: string }) => Record<string, string>, number, string]>([
	["from another site", (own) => ({ ...own, Origin: "https://evil.test" }), 403, "cross_origin"],
	["without an Origin header", ({ Origin, ...own }) => own, 403, "cross_origin"],
	["without a session", ({ Origin }) => ({ Origin }), 401, "sign_in_required"],
	["with an empty session", ({ Origin }) => ({ Origin, Cookie: "__Host-session=" }), 401, "sign_in_required"],
	["with a forged session", (own) => ({ ...own, Cookie: "__Host-session=forged" }), 401, "sign_in_required"],
	[
		"with a session in another cookie",
		({ Cookie = "", ...own }) => ({ ...own, Cookie: Cookie.replace("__Host-", "") }),
		401,
		"sign_in_required",
	],
])("a WebSocket upgrade of /orders/feed %s is rejected", async (_, change, status, code) => {
	const before = await dumpTables(shop);
	const response = await upgrade(shop, change(ofOwnPage(shop, customer)));
	expect([response.status, await readProblem(response)]).toEqual([status, code]);
	expect(JSON.stringify(response.headers.getSetCookie())).not.toContain(customer.cookie("__Host-session"));
	expect(await dumpTables(shop)).toEqual(before);
});

test("a WebSocket upgrade of /orders/feed with an expired session returns 401", async () => {
	const late = new Customer(shop);
	await late.createAccount();
	const expire = "update sessions set expires_at = unixepoch() - 1 where user_id = ?";
	await shop.d1
		.prepare(expire)
		.bind(await late.userId())
		.run();
	const response = await upgrade(shop, ofOwnPage(shop, late));
	expect([response.status, await readProblem(response)]).toEqual([401, "sign_in_required"]);
});

test("GET /orders/feed and an upgrade of its .data path return 426", async () => {
	const plain = await customer.fetch("/orders/feed");
	const data = await upgrade(shop, ofOwnPage(shop, customer), "/orders/feed/_.data");
	for (const response of [plain, data]) {
		expect([response.status, await readProblem(response)]).toEqual([426, "upgrade_required"]);
	}
});

test("sources, configuration and other files of the build return 404", async () => {
	for (const path of [
		...["/.env", "/.dev.vars", "/.dev.vars.example", "/wrangler.toml", "/wrangler.json", "/package.json"],
		...["/.git/config", "/.git/HEAD", "/_headers", "/index.js", "/index.js.map", "/server/index.js"],
		...["/migrations/0000_shop.sql", "/app/auth/common-passwords.txt"],
	]) {
		const response = await new Customer(shop).fetch(path);
		await read(response);
		expect([path, response.status]).toEqual([path, 404]);
	}
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

const everyByte = String.fromCharCode(...Array.from({ length: 256 }, (_, n) => n)).replace(/[\0\r\n]/g, "");

test.each<[string, string[]]>([
	["a Cookie header of 10 kB", [`a=${"x".repeat(10_000)}`]],
	["malformed cookies", ["=;;=,\u00ff\u00e9%;%E0%A4;__proto__=1;constructor"]],
	["a cookie repeated 40 times", [Array.from({ length: 40 }, (_, n) => `__Host-session=${n}`).join("; ")]],
	["a malformed guest token", ["__Host-guest=' OR 1=1--"]],
	["two Cookie headers", ["__Host-session=a", "__Host-session=b; __Host-guest=c"]],
	["a cookie of every byte except NUL, CR and LF", [everyByte]],
	["a session token of invalid UTF-8", ["__Host-session=\xff\xfe; __Host-bookmark=\xc0\xaf"]],
	["an empty Cookie header", [""]],
])("GET / with %s returns the guest page", async (_, cookies) => {
	// fetch cannot send some of these headers
	const headers = [["Host", shop.url.host], ...cookies.map((cookie) => ["Cookie", cookie])].map(
		([name = "", value = ""]): [string, string] => [name, value],
	);
	const answer = await sendRaw(shop.url, { method: "GET", target: "/", headers, body: "", framing: "nothing" });
	if (!answer) throw new Error("The connection was closed without a response.");
	expect(await read(answer)).toContain("Hello Guest");
	expect(answer.status).toBe(200);
});

test("headers of intermediaries change neither a page nor the redirect after sign-out", async () => {
	const forged = {
		"X-Forwarded-Host": "evil.test",
		"X-Forwarded-For": "203.0.113.7",
		"X-Forwarded-Proto": "ftp",
		Forwarded: "for=203.0.113.7;host=evil.test;proto=ftp",
		"X-Original-URL": "/nowhere",
		"X-Rewrite-URL": "/nowhere",
		"X-HTTP-Method-Override": "DELETE",
	};
	const visitor = new Customer(shop);
	const see = async (headers: Record<string, string>) => {
		const response = await visitor.fetch("/orders", { headers });
		// matches nonces and the durations in Server-Timing
		const chance = /(?<=nonce(-|="))[a-z2-7]{32}|(?<=dur=)\d+/g;
		const page = (await read(response)).replaceAll(chance, "RANDOM");
		return [response.status, page, [...response.headers].map(([, value]) => value.replaceAll(chance, "RANDOM"))];
	};
	expect(await see(forged)).toEqual(await see({}));
	const redirect = await visitor.fetch("/logout", { method: "POST", headers: forged });
	expect([redirect.status, redirect.headers.get("Location")]).toEqual([302, "/"]);
});

test("no URL of /orders returns a customer's data to a guest", async () => {
	await customer.pay([book.id]);
	expect(await customer.page("/orders")).toContain(customer.email);
	const queries = ["", "?_routes=routes%2Forders", "?_routes=root"];
	for (const path of ["/orders", ...queries.map((query) => `/orders.data${query}`), "/_.data"]) {
		const body = await read(await new Customer(shop).fetch(path));
		expect(body, path).not.toMatch(/pi_\w|customer-/);
	}
});
