import { RouterContextProvider } from "react-router";
import { expect, test, vi } from "vitest";
import { passwordCost } from "#app/auth/password.server.ts";
import { CookieJar, cookiesContext } from "#app/http/cookies.server.ts";
import { databasesContext, openDatabases } from "#app/http/databases.server.ts";
import { type Services, servicesContext } from "#app/services.server.ts";
import { shopWorker } from "#app/worker.server.ts";
import { middleware, loader as orders } from "./orders.tsx";
import { action as create } from "./payments.create.ts";
import { action as fulfill } from "./payments.fulfill.ts";
import { action as place } from "./payments.place.ts";

// A replica may lag behind the primary. If it lacked an order, the order's payment would appear to have no order.

vi.mock("virtual:react-router/server-build", () => ({}));
// create may read the cheapest price from the nearest replica
vi.mock("#app/catalogue/catalogue.server.ts", async (original) => ({
	...(await original<typeof import("#app/catalogue/catalogue.server.ts")>()),
	readCatalogue: async () => ({ products: [{ priceCents: 1196 }], descriptions: [], details: [] }),
}));

const bookmark = "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683";
const clientSecret = "pi_1_secret_1";

/** Creates a request whose external calls all fail. `opened` records the constraint of each D1 session. */
function open(path: string, body?: object, otherCookies = "") {
	const opened: (string | undefined)[] = [];
	const refuse = () => {
		throw new Error("nothing is there");
	};
	const session = { prepare: refuse, batch: refuse, getBookmark: () => null };
	const withSession = (constraint?: string) => {
		opened.push(constraint);
		return session;
	};
	const services: Services = {
		now: () => 0,
		d1: { prepare: refuse, batch: refuse, exec: refuse, dump: refuse, withSession },
		stripe: {
			secretKey: "sk_test_1",
			publishableKey: "pk_test_1",
			webhookSecret: "whsec_1",
			fetch: refuse,
			scriptUrl: null,
			sources: { script: [], frame: [], connect: [] },
			shopId: "half-dozen",
		},
		orderFeed: refuse,
		rateLimits: { address: { limit: refuse }, account: { limit: refuse }, order: { limit: refuse } },
		timeouts: {
			request: 5000,
			response: 5000,
			cron: 5000,
			stripeCall: 1000,
			feed: 1000,
			rateLimit: 1000,
			hashQueue: 8000,
		},
		passwordCost,
	};
	const url = new URL(path, "https://shop.test");
	// the bookmark of a recent write, which a session at the nearest replica would use
	const headers = { Cookie: `__Host-bookmark=${bookmark}${otherCookies}`, "Content-Type": "application/json" };
	const init = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
	const request = new Request(url, init);
	const cookies = new CookieJar(request);
	const context = new RouterContextProvider();
	context.set(servicesContext, services);
	context.set(cookiesContext, cookies);
	context.set(databasesContext, openDatabases(services.d1, cookies).databases);
	return { opened, services, args: { request, url, context, params: {} } };
}

test.each([
	["create", create, "/payments/create" as const, "?total=9899", {}],
	["place", place, "/payments/place" as const, "", { clientSecret, productIds: ["23445930"], customer: null }],
	["fulfill", fulfill, "/payments/fulfill" as const, "", { clientSecret }],
])("%s reads from the primary", async (_, action, pattern, query, body) => {
	vi.spyOn(console, "error").mockReturnValue();
	const { opened, args } = open(pattern + query, body);
	await action({ ...args, pattern });
	expect(opened).toEqual(["first-primary"]);
});

test("/orders reads from the primary", async () => {
	vi.spyOn(console, "warn").mockReturnValue();
	const { opened, args } = open("/orders", undefined, "; __Host-session=1");
	const page = { ...args, pattern: "/orders" as const };
	for (const run of middleware) await run(page, async () => new Response());
	await expect(orders(page)).rejects.toThrow();
	// then the visitor's session at the nearest replica, because the query that lists the orders has failed
	expect(opened).toEqual(["first-primary", bookmark]);
});

test("reconcile reads from the primary", async () => {
	const { opened, services } = open("/");
	const env: Env = Object.create(null);
	await expect(shopWorker(() => services).scheduled(null, env)).rejects.toThrow();
	expect(opened).toEqual(["first-primary"]);
});
