import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { Customer } from "../support/customer.ts";
import { read, securityHeaders } from "../support/response.ts";
import { openShop, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop?.close());

const line = z.strictObject({
	event: z.literal("request"),
	method: z.string(),
	route: z.string(),
	status: z.number(),
	ms: z.number().nonnegative(),
	queries: z.number(),
	rows: z.number(),
	ray: z.string().optional(),
});

/** What the log says of the newest request. */
function lastLine() {
	const lines = shop.logs().matchAll(/\{"event":"request".*\}/g);
	const [newest = ""] = [...lines].at(-1) ?? [];
	return line.parse(JSON.parse(newest));
}

test.each<[string, string, RequestInit, object]>([
	["a page", "/login", {}, { method: "GET", route: "/login", status: 200 }],
	["a product", "/product/12321341", {}, { method: "GET", route: "/product/:id", status: 200 }],
	["a product that is none", "/product/x?email=a@b.c", {}, { method: "GET", route: "/product/:id", status: 404 }],
	["data for the router", "/orders.data", {}, { method: "GET", route: "/orders", status: 200 }],
	["a path that is none", "/a@b.c/secret", { method: "HEAD" }, { method: "HEAD", route: "*", status: 404 }],
	["a refusal of the guard", "/payments/place", {}, { method: "GET", route: "/payments/place", status: 405 }],
	[
		"a refusal of an action",
		"/payments/create?total=1",
		{ method: "POST" },
		{ route: "/payments/create", status: 400 },
	],
])("one line of the log tells of %s, and nothing that was sent", async (_, path, init, said) => {
	const before = shop.logs().length;
	const ray = crypto.randomUUID();
	const headers = { "CF-Ray": ray, Cookie: "__Host-session=secret-token" };
	await (await new Customer(shop).fetch(path, { ...init, headers })).text();
	const logged = shop.logs().slice(before);
	expect(logged.match(/"event":"request"/g)).toHaveLength(1);
	expect(lastLine()).toMatchObject({ ...said, ray });
	expect(logged).not.toMatch(/a@b|secret|total=/);
});

test("the log counts queries and rows, and Server-Timing says so in the browser", async () => {
	const customer = new Customer(shop);
	const created = await customer.createAccount();
	await created.text();
	const { queries, rows } = lastLine();
	// the user and the session at least; what else creating an account asks may change
	expect(queries).toBeGreaterThanOrEqual(2);
	expect(rows).toBeGreaterThanOrEqual(2);
	expect(created.headers.get("Server-Timing")).toBe(
		`total;dur=${lastLine().ms}, d1;dur=${d1Time(created)};desc="${queries} queries"`,
	);
	await customer.page("/");
	expect(lastLine()).toMatchObject({ route: "/", queries: 1, rows: 1 });
});

test("an error names the route of its request, and not the path as it was sent", async () => {
	const customer = new Customer(shop);
	await customer.createAccount();
	const before = shop.logs().length;
	await shop.control({ control: "shop_fault", path: "/%6Frders", service: "d1", call: "every", fault: "before" });
	const response = await customer.fetch("/%6Frders");
	await shop.control({ control: "calm" });
	expect([response.status, response.headers.get("Content-Type")]).toEqual([500, "text/html; charset=utf-8"]);
	const logged = shop.logs().slice(before);
	expect(logged).toContain('"event":"error","where":"GET /orders"');
	expect(logged).not.toContain("%6Frders");
});

const d1Time = ({ headers }: Response) => /d1;dur=(\d+)/.exec(headers.get("Server-Timing") ?? "")?.[1];

test("GET /healthz is 200 while D1 answers", async () => {
	const response = await new Customer(shop).fetch("/healthz");
	expect(JSON.parse(await read(response))).toEqual({ status: "ok" });
	expect([response.status, response.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
	expect(lastLine()).toMatchObject({ route: "/healthz", queries: 1 });
});

test.each(["before", "never"] as const)("GET /healthz is 503 when D1 fails: %s", async (fault) => {
	await shop.control({ control: "timeouts", timeouts: { request: 100 } });
	await shop.control({ control: "shop_fault", path: "/healthz", service: "d1", call: "every", fault });
	const response = await new Customer(shop).fetch("/healthz");
	await shop.control({ control: "calm" });
	expect([response.status, response.headers.get("Cache-Control")]).toEqual([503, "no-store"]);
	expect(Object.fromEntries(response.headers)).toMatchObject(securityHeaders);
	expect(await response.json()).toEqual({ error: { code: "unavailable", message: "The database does not answer." } });
	expect(lastLine()).toMatchObject({ route: "/healthz", status: 503 });
});
