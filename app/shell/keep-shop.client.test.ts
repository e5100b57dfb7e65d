import { type DataStrategyResult, RouterContextProvider, redirect } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { forgetCustomer } from "#app/auth/known-customer.ts";
import { explanations, FailedRequest } from "./failed-request.ts";
import { forgetPage, keepShop } from "./keep-shop.client.ts";

type Results = Record<string, DataStrategyResult>;
type Next = () => Promise<Results>;

const loadPage = vi.hoisted(() => {
	vi.stubGlobal("location", { pathname: "/", search: "" });
	return vi.fn<(id: string) => Promise<void>>();
});
vi.mock("./page-code.tsx", async (original) => ({ ...(await original()), loadPage }));

const browser = { onLine: true };
const requestFailed = vi.fn();

const shop = "shell/shop";
const idOf = (page: string) => (page === "/" ? "routes/home" : `routes${page}`);
const result = (page: string, result: DataStrategyResult): Results => ({ [idOf(page)]: result, [shop]: result });
const loaded = (page: string) => result(page, { type: "data", result: {} });
const failed = (page: string, error: unknown) => result(page, { type: "error", result: error });

/** Runs the middleware around a request of the router, which `next` sends. */
function request(method: "GET" | "POST", page: string, next: Next, signal: AbortSignal | null = null) {
	const url = new URL(page, "https://shop.test");
	const args = { url, pattern: page === "/" ? page : page.slice(1), params: {}, context: new RouterContextProvider() };
	return keepShop({ ...args, request: new Request(url, { method, signal }) }, next);
}

/** Navigates to the page, or refreshes it if it is shown. */
const load = (page: string, next: Next = async () => loaded(page)) => request("GET", page, next);

beforeEach(async () => {
	vi.useFakeTimers();
	vi.stubGlobal("navigator", browser);
	vi.stubGlobal("dispatchEvent", requestFailed);
	const routes = ["/", "/orders", "/checkout", "/login", "/logout"].map((page) => {
		const place = page === "/" ? { index: true } : { path: page.slice(1) };
		return [idOf(page), { id: idOf(page), hasLoader: page === "/" || page === "/orders", ...place }];
	});
	vi.stubGlobal("window", { __reactRouterManifest: { routes: Object.fromEntries(routes) } });
	browser.onLine = true;
	loadPage.mockResolvedValue();
	await load("/");
	requestFailed.mockReset();
});
afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

const noResponse = new TypeError("Failed to fetch");

interface Failure {
	name: string;
	next(page: string): Promise<Results>;
	reason: FailedRequest["reason"];
}

const failures: Failure[] = [
	{ name: "gets no response", next: async (page) => failed(page, noResponse), reason: "unreachable" },
	{ name: "is rejected", next: () => Promise.reject(noResponse), reason: "unreachable" },
	{
		name: "takes ten seconds",
		next: () => new Promise(() => queueMicrotask(() => vi.advanceTimersByTime(10_000))),
		reason: "unreachable",
	},
	{ name: "returns no data", next: async (page) => failed(page, new Error("Unable to decode")), reason: "failed" },
	{
		name: "is sent offline",
		async next(page) {
			browser.onLine = false;
			return failed(page, noResponse);
		},
		reason: "offline",
	},
];

describe.each(failures)("a request that $name", ({ next, reason }) => {
	test("keeps the page that it refreshes, and is retried", async () => {
		await load("/orders");
		expect(await load("/orders", () => next("/orders"))).toEqual({});
		expect(requestFailed).toHaveBeenCalled();
	});

	test("shows an error page in place of the page that it opens, below the header, and is retried", async () => {
		const errorPage = { [idOf("/orders")]: { type: "error", result: new FailedRequest(reason) } };
		expect(await load("/orders", () => next("/orders"))).toEqual(errorPage);
		expect(requestFailed).toHaveBeenCalled();
		// a failed refresh does not keep an error page
		expect(await load("/orders", () => next("/orders"))).toEqual(errorPage);
	});

	test("gives the form that it submits an error message, and is retried", async () => {
		const { title, advice } = explanations[reason];
		const refusal = { data: { refusal: `${title}. ${advice}` }, init: { status: 503 } };
		const results = await request("POST", "/login", () => next("/login"));
		expect(results).toMatchObject({ [idOf("/login")]: { type: "data", result: refusal } });
		expect(requestFailed).toHaveBeenCalled();
	});

	test("replaces the page and the header if the customer may have changed", async () => {
		await load("/orders");
		forgetCustomer();
		const results = await load("/orders", () => next("/orders"));
		expect(results).toHaveProperty([shop], { type: "error", result: new FailedRequest(reason) });
	});
});

test("a page without data opens although the customer is not reloaded, unless the customer may have changed", async () => {
	const rejected = () => Promise.reject(noResponse);
	expect(await load("/checkout", rejected)).toEqual({ [idOf("/checkout")]: { type: "data", result: null } });
	forgetCustomer();
	expect(await load("/checkout", rejected)).toHaveProperty([shop, "type"], "error");
});

test("a page whose code fails to load shows an error page, and is retried unless a newer build has replaced it", async () => {
	for (const reason of ["unreachable", "outdated"] as const) {
		requestFailed.mockReset();
		loadPage.mockRejectedValueOnce(new FailedRequest(reason));
		expect(await load("/checkout")).toEqual({
			[idOf("/checkout")]: { type: "error", result: new FailedRequest(reason) },
		});
		expect(requestFailed).toHaveBeenCalledTimes(reason === "outdated" ? 0 : 1);
	}
});

test("a failed refresh replaces a page that failed to render", async () => {
	forgetPage();
	expect(await load("/", async () => failed("/", noResponse))).toHaveProperty([idOf("/"), "type"], "error");
});

test("after a form's redirect, a failed refresh replaces the customer's page until a customer has loaded", async () => {
	const redirected = async () => result("/login", { type: "data", result: redirect("/") });
	await request("POST", "/login", redirected);
	const replaced = await load("/", async () => failed("/", noResponse));
	expect(replaced).toHaveProperty([shop, "type"], "error");
	await load("/");
	expect(await load("/", async () => failed("/", noResponse))).toEqual({});
});

test("a sign-out refreshes the page on screen, and follows its redirect from an error page", async () => {
	const signOut = () =>
		request("POST", "/logout", async () => ({ [idOf("/logout")]: { type: "data", result: redirect("/") } }));
	expect(await signOut()).toEqual({ [idOf("/logout")]: { type: "data", result: null } });
	forgetPage();
	expect(await signOut()).toHaveProperty([idOf("/logout"), "result"], expect.any(Response));
});

test("a canceled request changes nothing", async () => {
	const canceled = failed("/orders", noResponse);
	expect(await request("GET", "/orders", async () => canceled, AbortSignal.abort())).toBe(canceled);
	expect(requestFailed).not.toHaveBeenCalled();
	expect(await load("/", async () => failed("/", noResponse))).toEqual({});
});
