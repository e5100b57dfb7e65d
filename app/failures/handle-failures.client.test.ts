import { data, RouterContextProvider, redirect } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { customerRoute } from "#app/auth/use-customer.ts";
import { failureMiddleware, handleFailure } from "./handle-failures.client.ts";

type Results = Parameters<typeof handleFailure>[2];
type Result = Results[string];

const idOf = (page: string) => (page === "/" ? "routes/home" : `routes${page}`);
const both = (page: string, result: Result): Results => ({ [idOf(page)]: result, [customerRoute]: result });
const error: Result = { type: "error", result: new TypeError("Failed to fetch") };
/** What React Router returns if the request of a page with a loader fails. */
const failed = (page: string) => both(page, error);
/** What it returns if the request of a page without a loader fails, which only reloads the customer. */
const failedCustomer = (page: string): Results => ({
	[idOf(page)]: { type: "data", result: null },
	[customerRoute]: error,
});

let shown: Parameters<typeof handleFailure>[0];
const forgetCustomer = () => Object.assign(shown, { isCustomerKnown: false });

/** Returns the results of a request of the router. */
function request(page: string, isForm: boolean, loaded: Results): Results {
	const [results, then] = handleFailure(shown, { page, isForm }, loaded);
	shown = then;
	return results;
}

/** Navigates to the page, or refreshes it if it is shown. */
const load = (page: string, loaded = both(page, { type: "data", result: {} })) => request(page, false, loaded);
const submit = (page: string, loaded: Results) => request(page, true, loaded);

beforeEach(() => {
	shown = { page: "/", isCustomerKnown: true };
});

afterEach(() => vi.unstubAllGlobals());

test("a request that the shopper leaves while its failure is being explained changes nothing", async () => {
	const url = new URL("https://shop.test/orders");
	const left = new AbortController();
	vi.stubGlobal("location", url);
	vi.stubGlobal("fetch", async () => {
		left.abort();
		return new Response("<h1>Sign in to this network</h1>", { headers: { "Content-Type": "text/html" } });
	});
	const request = new Request(url, { signal: left.signal });
	const context = new RouterContextProvider();
	const loaded = failed("/orders");
	const results = failureMiddleware({ request, url, pattern: "/orders", params: {}, context }, async () => loaded);
	expect(await results).toBe(loaded);
});

describe("a request that fails", () => {
	test("keeps the page that it refreshes", () => {
		load("/orders");
		expect(load("/orders", failed("/orders"))).toEqual({});
	});

	test("replaces the page that it opens, below the header", () => {
		const errorPage = { [idOf("/orders")]: error };
		expect(load("/orders", failed("/orders"))).toEqual(errorPage);
		// a failed refresh does not keep an error page
		expect(load("/orders", failed("/orders"))).toEqual(errorPage);
	});

	test("keeps the page of the form that it submits", () => {
		const results = { [idOf("/login")]: { type: "error", result: data(error.result) } } as const;
		expect(submit("/login", results)).toEqual(results);
		expect(shown).toEqual({ page: "/", isCustomerKnown: true });
	});

	test("replaces the page and the header if the customer may have changed", () => {
		load("/orders");
		forgetCustomer();
		expect(load("/orders", failed("/orders"))).toEqual(failed("/orders"));
	});
});

test("a page without data opens although the customer is not reloaded, unless the customer may have changed", () => {
	expect(load("/checkout", failedCustomer("/checkout"))).toEqual({
		[idOf("/checkout")]: { type: "data", result: null },
	});
	forgetCustomer();
	expect(load("/checkout", failedCustomer("/checkout"))).toHaveProperty([customerRoute, "type"], "error");
});

test("a customer who is unknown to the server stays in the header, unless the customer may have changed", () => {
	const unknown = () => both("/orders", { type: "data", result: { customer: undefined } });
	const page = { [idOf("/orders")]: expect.anything() };
	expect(load("/orders", unknown())).toEqual(page);
	forgetCustomer();
	for (const _ of [1, 2]) expect(load("/orders", unknown())).toEqual({ ...page, [customerRoute]: expect.anything() });
	load("/orders");
	expect(load("/orders", unknown())).toEqual(page);
});

test("a failed refresh replaces a page that failed to render", () => {
	shown.page = null;
	expect(load("/", failed("/"))).toHaveProperty([idOf("/"), "type"], "error");
});

test("after a form's redirect, a failed refresh replaces the customer's page until a customer has loaded", () => {
	submit("/login", { [idOf("/login")]: { type: "data", result: redirect("/") } });
	expect(load("/", failed("/"))).toHaveProperty([customerRoute, "type"], "error");
	load("/");
	expect(load("/", failed("/"))).toEqual({});
});

test("a sign-out refreshes the page on screen, and follows its redirect from an error page", () => {
	const signOut = () => submit("/logout", { [idOf("/logout")]: { type: "data", result: redirect("/") } });
	expect(signOut()).toEqual({ [idOf("/logout")]: { type: "data", result: null } });
	shown.page = null;
	expect(signOut()).toHaveProperty([idOf("/logout"), "result"], expect.any(Response));
});
