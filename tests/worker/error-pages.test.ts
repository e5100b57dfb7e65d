import { afterEach, expect, test } from "vitest";
import { sessionCookieName } from "#app/auth/sessions.server.ts";
import { pageTitle } from "#app/brand.ts";
import { Customer } from "../support/customer.ts";
import { between, frameOf } from "../support/page.ts";
import { leaks, securityHeaders } from "../support/response.ts";
import { openShop } from "../support/shop.ts";
import { closeAfterAll, newCustomer } from "./setup.ts";

// A failed document request returns an error page with the shop's layout and a next step. A refused one returns a small
// page without a script of React.

const shop = closeAfterAll(await openShop());
const customer = await newCustomer(shop);
afterEach(() => shop.control({ control: "calm" }));

const asDocument = { headers: { Accept: "text/html,application/xhtml+xml" } };

/** Returns the HTML of a response, with plain apostrophes. */
const htmlOf = async (response: Response) => (await response.text()).replaceAll("&#x27;", "'");

/** Returns the parts of a page that identify it as the shop's. */
function frameIn(html: string) {
	return {
		title: between(html, "<title>", "</title>"),
		...frameOf(html),
		mark: between(html, "<main", "</main>").includes('<i class="mark" data-lit="5">'),
		home: /<a class="logo" href="\/"/.test(html),
		orders: /href="\/orders"[^>]*><small>Returns/.test(html),
		theme: /localStorage\.getItem\(.theme.\)/.test(html),
		themeColors: html.match(/<meta name="theme-color" content="#\w{6}" media="[^"]+"/g)?.length,
		styled: /<link rel="stylesheet"/.test(html),
		icons: html.match(/<link rel="(?:apple-touch-)?icon"/g)?.length,
		headings: html.match(/<h1/g)?.length,
	};
}

const branded = {
	...{ header: true, footerBar: true, mark: true, home: true, orders: true },
	...{ theme: true, themeColors: 2, styled: true, icons: 3, headings: 1 },
};

test("GET /orders while D1 fails returns a 503 page with the shop's layout, no greeting and no error details", async () => {
	const fault = { service: "d1", call: "every", fault: "before", times: 2 } as const;
	await shop.control({ control: "shop_fault", path: "/orders", ...fault });
	const response = await customer.fetch("/orders", asDocument);
	const html = await htmlOf(response);
	const data = await customer.fetch("/orders.data");
	for (const { status, headers } of [response, data]) {
		expect([status, headers.get("Cache-Control")]).toEqual([503, "no-store"]);
		expect(Object.fromEntries(headers)).toMatchObject(securityHeaders);
	}
	for (const text of [html, await data.text()]) expect(text).not.toMatch(leaks);
	expect(frameIn(html)).toEqual({ ...branded, title: pageTitle("Something's wrong on our end") });
	expect(html).toContain("The shop isn't responding right now. Please try again. Your orders are safe.");
	expect(html).toContain(">Try again</button>");
	// the server could not load who is signed in
	expect(html).not.toMatch(/Hello|Guest|Sign In|Sign Out/);
});

test("GET /orders when only listing the orders fails, twice, returns a 503 page that greets the customer", async () => {
	// the second call reads the session
	for (const call of [1, 3]) {
		await shop.control({ control: "shop_fault", path: "/orders", service: "d1", call, fault: "before" });
	}
	const response = await customer.fetch("/orders", asDocument);
	expect(response.status).toBe(503);
	expect(await response.text()).toContain(customer.email);
	expect(response.headers.getSetCookie().join()).not.toContain(sessionCookieName);
});

test("a page that times out returns a 503 page", async () => {
	await shop.control({ control: "timeouts", timeouts: { response: 100 } });
	await shop.control({ control: "shop_fault", path: "/orders", service: "d1", call: 1, fault: "never" });
	const response = await customer.fetch("/orders", asDocument);
	expect(response.status).toBe(503);
	expect(await response.text()).toContain("<p>The shop isn't responding right now. Please try again.</p>");
});

test.each<[string, string, RequestInit, number, string]>([
	["405", "/orders", { method: "DELETE" }, 405, "Nothing was changed."],
	["426", "/orders/feed", {}, 426, "only WebSocket connections"],
	["413", "/login", { method: "POST", body: new Uint8Array(20_000) }, 413, "can have at most"],
	["415", "/login", { method: "POST", body: "email=a" }, 415, "content type"],
	["cross-site 403", "/logout", { method: "POST", headers: { Origin: "https://a.test" } }, 403, "another site"],
])("a %s page has the shop's styles and theme, a message and a link to the shop", async (...args) => {
	const [, path, init, status, message] = args;
	const response = await new Customer(shop).fetch(path, {
		...init,
		headers: { ...asDocument.headers, ...init.headers },
	});
	const html = await response.text();
	expect(response.status).toBe(status);
	expect(Object.fromEntries(response.headers)).toMatchObject(securityHeaders);
	const { title, theme, styled, headings } = frameIn(html);
	expect({ title, theme, styled, headings }).toEqual({
		...{ title: pageTitle("Something went wrong"), theme: true, styled: true, headings: 1 },
	});
	expect(between(html, "<p>", "</p>")).toContain(message);
	expect(html).toMatch(/<a class="button main" href="\/">Back to the /);
});
