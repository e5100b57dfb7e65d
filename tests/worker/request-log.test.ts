import { expect, test } from "vitest";
import { z } from "zod";
import { sessionCookieName } from "#app/auth/sessions.server.ts";
import { book } from "../support/catalogue.ts";
import { Customer, idOf } from "../support/customer.ts";
import { read, securityHeaders } from "../support/response.ts";
import { newCustomer, openFileShop } from "./setup.ts";

const shop = await openFileShop();

const line = z.strictObject({
	event: z.literal("request"),
	method: z.string(),
	route: z.string(),
	status: z.number(),
	ms: z.number().nonnegative(),
	ray: z.string().optional(),
});

/** Returns the log line of the newest request. */
function lastLine() {
	const lines = shop.logs().matchAll(/\{"event":"request".*\}/g);
	const [newest = ""] = [...lines].at(-1) ?? [];
	return line.parse(JSON.parse(newest));
}

test.each<[string, RequestInit, object]>([
	["/product/x?email=a@b.c", {}, { method: "GET", route: "/product/:id", status: 404 }],
	["/orders.data", {}, { method: "GET", route: "/orders", status: 200 }],
	["/a@b.c/secret", { method: "HEAD" }, { method: "HEAD", route: "*", status: 404 }],
	["/payments/create?total=1", { method: "POST" }, { route: "/payments/create", status: 400 }],
])("a request of %s is logged in one line without its query, path values or cookies", async (path, init, expected) => {
	const before = shop.logs().length;
	const ray = crypto.randomUUID();
	const headers = { "CF-Ray": ray, Cookie: `${sessionCookieName}=secret-token` };
	await (await new Customer(shop).fetch(path, { ...init, headers })).text();
	const logged = shop.logs().slice(before);
	expect(logged.match(/"event":"request"/g)).toHaveLength(1);
	expect(lastLine()).toMatchObject({ ...expected, ray });
	expect(logged).not.toMatch(/a@b|secret|total=/);
});

test("Server-Timing has the duration that is logged", async () => {
	const response = await new Customer(shop).fetch("/");
	expect(response.headers.get("Server-Timing")).toBe(`total;dur=${lastLine().ms}`);
});

test("GET /healthz returns 200 while D1 responds", async () => {
	const response = await new Customer(shop).fetch("/healthz");
	expect(JSON.parse(await read(response))).toEqual({ status: "ok" });
	expect([response.status, response.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
	expect(lastLine()).toMatchObject({ route: "/healthz" });
});

test.each(["before", "never"] as const)("GET /healthz returns 503 if D1 fails (fault: %s)", async (fault) => {
	await shop.control({ control: "timeouts", timeouts: { work: 100 } });
	await shop.control({ control: "shop_fault", path: "/healthz", service: "d1", call: "every", fault });
	const response = await new Customer(shop).fetch("/healthz");
	await shop.control({ control: "calm" });
	expect([response.status, response.headers.get("Cache-Control")]).toEqual([503, "no-store"]);
	expect(Object.fromEntries(response.headers)).toMatchObject(securityHeaders);
	expect(await response.json()).toEqual({ error: { code: "unavailable", message: "The database does not answer." } });
	expect(lastLine()).toMatchObject({ route: "/healthz", status: 503 });
});

test("the log of a purchase has the ids of the payment and of Stripe's event, but no secret, card, key, password or token", async () => {
	const customer = await newCustomer(shop);
	await shop.control({ control: "webhooks", mode: "before_response" });
	const clientSecret = await customer.pay([book.id]);
	expect((await customer.fulfill(clientSecret)).status).toBe(200);
	const [paid] = (await shop.stripe.events.list({ type: "payment_intent.succeeded", limit: 1 })).data;
	const logs = shop.logs();
	expect(logs).toContain(`"event":"fulfilled","payment_intent":"${idOf(clientSecret)}"`);
	expect(logs).toContain(`"event":"webhook","stripe_event":"${paid?.id}"`);
	expect(logs).not.toMatch(/_secret_|\b\d{13,19}\b|sk_test_|whsec_|__Host-|correct horse/);
	expect(logs).not.toContain(customer.cookie(sessionCookieName));
});
