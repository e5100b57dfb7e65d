import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { pageRule, requestRules } from "#app/worker/request-rules.server.ts";
import { streamedBody } from "../../tests/support/streamed-body.ts";
import { rateLimits, timeouts } from "../../tests/support/unit-request.ts";
import routes from "../routes.ts";
import { guard as guardRoute } from "./guard.server.ts";
import { matchRoute } from "./route-match.server.ts";

const shop = "https://shop.test";

const paths = routes.flatMap(({ children = [] }) => children).map(({ path, index }) => (index ? "/" : `/${path}`));
const patterns = paths.filter((path) => path !== "/*");

/** Runs the guard with the shop's rules, as the Worker does. */
async function guardWith(request: Request, services: Parameters<typeof guardRoute>[3]) {
	const { pattern } = matchRoute(patterns, new URL(request.url));
	return guardRoute(request, pattern, requestRules.get(pattern) ?? pageRule, services);
}

/** Creates a request with a Content-Type that the path accepts. It is same-origin unless `headers` are given. */
function send(method: string, path: string, { headers, ...init }: RequestInit = {}): Request {
	const type = /login/i.test(path) ? "application/x-www-form-urlencoded" : "application/json";
	const sent = new Headers(headers ?? { "Sec-Fetch-Site": "same-origin" });
	if (method === "POST" && !sent.has("Content-Type")) sent.set("Content-Type", type);
	return new Request(shop + path, { method, ...init, headers: sent });
}

/** Returns timeouts, and fake rate limiters that allow `limit` requests per key. */
function limitedTo(limit: number) {
	const counts = new Map<string, number>();
	const count = (key: string) => {
		counts.set(key, (counts.get(key) ?? 0) + 1);
		return (counts.get(key) ?? 0) <= limit;
	};
	return { rateLimits: rateLimits(count), timeouts };
}

const guard = (request: Request) => guardWith(request, limitedTo(Number.POSITIVE_INFINITY));

const post = (path: string, init?: RequestInit) => send("POST", path, init);

/** Returns the status of the guard's response, or 200 if the request passes. */
async function statusOf(request: Request, services = limitedTo(Number.POSITIVE_INFINITY)): Promise<number> {
	const guarded = await guardWith(request, services);
	return guarded instanceof Request ? 200 : guarded.status;
}

/** The headers of the shop's own feed. */
const own = { Upgrade: "websocket", Origin: shop };
const actions = ["/logout", "/payments/create", "/payments/place", "/payments/fulfill", "/payments/outcome"];

test("a route accepts only its methods, and returns 405 with Allow for others", async () => {
	for (const [path, allowed] of [
		...[...actions, "/stripe/webhook"].map((path) => [path, "POST"] as const),
		...["/login", "/orders"].map((path) => [path, "GET, HEAD, POST"] as const),
		["/orders/feed", "GET"] as const,
		...["/", "/checkout", "/payment", "/product/1", "/nowhere"].map((path) => [path, "GET, HEAD"] as const),
	]) {
		for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
			const guarded = await guard(send(method, path, { headers: own }));
			if (allowed.split(", ").includes(method)) expect(guarded, `${method} ${path}`).toBeInstanceOf(Request);
			else {
				const message = expect.stringContaining(
					/GET|HEAD/.test(method) ? "only works from a button" : "doesn't accept what was sent",
				);
				expect(guarded, `${method} ${path}`).toMatchObject({ status: 405, headers: { Allow: allowed }, message });
			}
		}
	}
});

const foreignOrigins = ["null", "", "http://shop.test", "https://shop.test:8443", "https://shop.test.evil.test"];

test("a POST passes only if each of Sec-Fetch-Site and Origin is same-origin or absent, or Referrer-Policy: no-referrer has made Origin null", async () => {
	for (const path of ["/login", "/login.data", "/LOGIN", "/%6Cogout/", ...actions]) {
		for (const site of [null, "same-origin", "cross-site", "same-site", "none", ""]) {
			for (const origin of [null, shop, ...foreignOrigins]) {
				const headers = new Headers({ Host: "evil.test", "X-Forwarded-Host": "evil.test" });
				if (site !== null) headers.set("Sec-Fetch-Site", site);
				if (origin !== null) headers.set("Origin", origin);
				const isOwn = origin === null || origin === shop;
				const passes = site === "same-origin" ? isOwn || origin === "null" : site === null && isOwn;
				const status = await statusOf(post(path, { headers }));
				expect({ path, site, origin, status }).toEqual({ path, site, origin, status: passes ? 200 : 403 });
			}
		}
	}
});

describe("/orders/feed", () => {
	const open = (headers: Record<string, string>, path = "/orders/feed") => guard(send("GET", path, { headers }));

	test("passes on a same-origin WebSocket upgrade", async () => {
		expect(await open({ ...own, Upgrade: "WebSocket" })).toBeInstanceOf(Request);
	});

	test("returns 403 for a WebSocket upgrade without an Origin or with a foreign one", async () => {
		for (const origin of [null, ...foreignOrigins]) {
			const headers = { "Sec-Fetch-Site": "same-origin", ...(origin !== null && { Origin: origin }) };
			expect(await open({ Upgrade: "websocket", ...headers }), String(origin)).toHaveProperty("status", 403);
		}
	});

	test.each<[string, Record<string, string>, string?]>([
		["an upgrade to another protocol", { Origin: shop, Upgrade: "h2c" }],
		["a cross-origin request without an upgrade", { Origin: "https://evil.test" }],
		["a .data request", own, "/orders/feed.data"],
	])("returns 426 with Upgrade: websocket for %s", async (_, headers, path) => {
		expect(await open(headers, path)).toMatchObject({ status: 426, headers: { Upgrade: "websocket" } });
	});
});

test("a cross-site POST to the webhook and a cross-site GET of a page pass", async () => {
	const headers = { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.test" };
	expect(await statusOf(post("/stripe/webhook", { headers }))).toBe(200);
	expect(await statusOf(post("/stripe/webhook.data", { headers }))).toBe(403);
	expect(await statusOf(send("GET", "/product/1", { headers }))).toBe(200);
});

test("over plain HTTP, GET, HEAD and upgrades return a 301 redirect to HTTPS, and a POST returns 403", async () => {
	const inTheClear = (method: string, path: string, headers: Record<string, string> = {}) =>
		new Request(`http://shop.test${path}`, { method, headers: { "CF-Visitor": '{"scheme":"http"}', ...headers } });
	for (const method of ["GET", "HEAD"]) {
		const redirect = await guard(inTheClear(method, "/product/1?from=http://a.test"));
		expect(redirect).toHaveProperty("status", 301);
		expect(new Headers(redirect.headers).get("Location")).toBe(`${shop}/product/1?from=http://a.test`);
	}
	const upgrade = { Upgrade: "websocket", Origin: "http://shop.test" };
	expect(await statusOf(inTheClear("GET", "/orders/feed", upgrade))).toBe(301);
	expect(await statusOf(inTheClear("POST", "/login"))).toBe(403);
	// a local machine sends no CF-Visitor
	expect(await statusOf(new Request("http://localhost:8787/"))).toBe(200);
});

test.each([
	["/login.data", 16384],
	["/logout", 1024],
	["/payments/create", 0],
	["/payments/place", 16384],
	["/payments/fulfill", 16384],
	["/payments/outcome", 16384],
	["/orders", 1024],
	["/stripe/webhook", 262144],
])("POST %s passes on a body of up to %i bytes unchanged, and returns 413 beyond", async (path, limit) => {
	const sent = new Uint8Array(limit).map((_, index) => index % 251);
	const guarded = await guard(post(path, streamedBody(sent)));
	if (!(guarded instanceof Request)) throw new Error(`The request was rejected with ${guarded.status}.`);
	expect(Buffer.compare(new Uint8Array(await guarded.arrayBuffer()), sent)).toBe(0);
	// a Content-Length that is too small has no effect
	const headers = { "Sec-Fetch-Site": "same-origin", "Content-Length": "5" };
	expect(await statusOf(post(path, { ...streamedBody(new Uint8Array(limit + 1)), headers }))).toBe(413);
});

/** Returns a body that is read from a stream of bytes. */
function streamOf(source: Omit<UnderlyingByteSource, "type">): RequestInit & { duplex: "half" } {
	return { body: new ReadableStream({ ...source, type: "bytes" }), duplex: "half" };
}

test("a request with an endless body returns 413, and the body is canceled", async () => {
	let bytes = 0;
	const cancel = vi.fn();
	const endless = streamOf({
		pull: (controller) => {
			bytes += 65_536;
			controller.enqueue(new Uint8Array(65_536));
		},
		cancel,
	});
	expect(await statusOf(post("/login", endless))).toBe(413);
	expect(bytes).toBeLessThan(16 * 1024 * 1024);
	expect(cancel).toHaveBeenCalledOnce();
});

test("a request whose body takes longer than a response may returns 408", async () => {
	vi.useFakeTimers();
	const respond = vi.fn();
	const services = { ...limitedTo(1), timeouts: { ...timeouts, response: 5 } };
	expect(await statusOf(post("/login", { body: "x" }), services)).toBe(200);
	expect(vi.getTimerCount()).toBe(0);
	void statusOf(post("/login", streamOf({})), services).then(respond);
	await vi.advanceTimersByTimeAsync(5);
	expect(respond).toHaveBeenCalledWith(408);
	vi.useRealTimers();
});

test("an incomplete body uses memory only for the bytes that have arrived", async () => {
	const { promise: breaksOff, resolve: breakOff } = Promise.withResolvers<void>();
	const before = process.memoryUsage().arrayBuffers;
	const statuses = Array.from({ length: 100 }, () => {
		const stalled = streamOf({
			start: (controller) => {
				controller.enqueue(new Uint8Array(1));
				void breaksOff.then(() => controller.error(new Error("The connection was lost.")));
			},
		});
		return statusOf(post("/stripe/webhook", stalled));
	});
	await new Promise((resolve) => setImmediate(resolve));
	expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * 32 * 1024);
	breakOff();
	expect(new Set(await Promise.all(statuses))).toEqual(new Set([400]));
});

const form = "application/x-www-form-urlencoded";

test.each<[string, string[], string[]]>([
	["/login", [form, `${form.toUpperCase()} ;a=b`, "multipart/form-data; boundary=x"], [`${form}ish`, "text/plain"]],
	["/payments/place", ["application/json"], ["application/jsonp", "application/json-seq", form]],
	["/payments/fulfill", ["application/json;charset=utf-8"], ["text/plain"]],
	["/payments/outcome", ["application/json"], ["text/plain"]],
	["/stripe/webhook", ["text/plain"], []],
])(
	"POST %s with a Content-Type of %j passes, and of %j returns 415, also without a body",
	async (path, accepted, rejected) => {
		for (const type of [...accepted, ...rejected]) {
			const headers = { "Sec-Fetch-Site": "same-origin", "Content-Type": type };
			for (const body of ["x", null]) {
				const status = await statusOf(post(path, { headers, body }));
				expect([type, body, status]).toEqual([type, body, accepted.includes(type) ? 200 : 415]);
			}
		}
	},
);

describe("rate limits per address", () => {
	beforeEach(() => void vi.spyOn(console, "info").mockReturnValue());
	afterEach(() => {
		vi.restoreAllMocks();
		vi.useRealTimers();
	});

	const from = (address: string | null, path = "/payments/create", more: Record<string, string> = {}) =>
		post(path, { headers: { ...more, ...(address !== null && { "CF-Connecting-IP": address }) } });
	const statuses = async (services: ReturnType<typeof limitedTo>, ...requests: Request[]) => {
		const sent: number[] = [];
		for (const request of requests) sent.push(await statusOf(request, services));
		return sent;
	};

	test("each path has its own limit, shared by all spellings of its URL", async () => {
		const paths = ["/payments/create?total=1", "/PAYMENTS/create/", "/payments/create.data", "/payments/fulfill"];
		expect(await statuses(limitedTo(2), ...paths.map((path) => from("10.0.0.1", path)))).toEqual([200, 200, 429, 200]);
	});

	test("requests are counted by CF-Connecting-IP, not by X-Forwarded-For", async () => {
		const forged = (n: number) => from("10.0.0.1", "/payments/create", { "X-Forwarded-For": `10.9.9.${n}` });
		expect(await statuses(limitedTo(1), forged(1), forged(2))).toEqual([200, 429]);
	});

	test("requests without CF-Connecting-IP share a limit, and only those beyond it log no_client_address", async () => {
		const log = vi.spyOn(console, "error").mockReturnValue();
		const services = limitedTo(1);
		expect(await statuses(services, from("10.0.0.1"), from("10.0.0.1"), from(null))).toEqual([200, 429, 200]);
		expect(log).not.toHaveBeenCalled();
		expect(await statuses(services, from(null))).toEqual([429]);
		const action = "Turn off the rule in Cloudflare that removes CF-Connecting-IP: all visitors share one limit.";
		expect(log.mock.calls).toEqual([[JSON.stringify({ event: "no_client_address", per: "address", action })]]);
	});

	test.each([
		["2001:db8::1", "2001:db8:0:0:1::", 429],
		["2001:db8:1:2:3:4:5:6", "2001:db8:1::", 429],
		["2001:db8:1:200::1", "2001:db8:1:2ff::1", 429],
		["2001:db8:1:200::1", "2001:db8:1:300::1", 200],
		["2001:db8:1:20::1", "2001:db8:1:2000::1", 200],
		["::ffff:10.0.0.1", "10.0.0.1", 429],
	])("IPv6 addresses in one /56 network share a limit: after %s, %s returns %i", async (first, second, status) => {
		expect(await statuses(limitedTo(1), from(first), from(second))).toEqual([200, status]);
	});

	test("a request rejected for another reason does not count toward the limit", async () => {
		const crossOrigin = from("10.0.0.1", "/payments/create", { Origin: "https://evil.test" });
		expect(await statuses(limitedTo(1), crossOrigin, from("10.0.0.1"))).toEqual([403, 200]);
	});

	test("requests other than payments are not rate-limited", async () => {
		const requests = ["/logout", "/stripe/webhook", "/login"].map((path) => from("10.0.0.1", path));
		expect(await statuses(limitedTo(0), ...requests, send("GET", "/"))).toEqual([200, 200, 200, 200]);
	});

	test("a request passes if the rate limiter fails or times out", async () => {
		const log = vi.spyOn(console, "error").mockReturnValue();
		vi.useFakeTimers();
		const pass = vi.fn();
		for (const limit of [() => Promise.reject(new Error("down")), () => new Promise<never>(() => undefined)]) {
			const services = {
				rateLimits: { address: { limit }, account: { limit }, order: { limit } },
				timeouts: { ...timeouts, rateLimit: 5 },
			};
			void statuses(services, from("10.0.0.1")).then(pass);
			await vi.advanceTimersByTimeAsync(5);
		}
		expect(pass.mock.calls).toEqual([[[200]], [[200]]]);
		expect(log).toHaveBeenCalledTimes(2);
	});
});
