import { type DataStrategyResult, RouterContextProvider, redirect } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { explanations, FailedRequest } from "./failed-request.ts";
import { forgetCustomer, forgetPage, keepShop } from "./keep-shop.client.ts";

type Results = Record<string, DataStrategyResult>;
type Next = () => Promise<Results>;

const loadPage = vi.hoisted(() => {
	vi.stubGlobal("location", { pathname: "/", search: "" });
	return vi.fn<(id: string) => Promise<void>>();
});
vi.mock("./page-code.tsx", async (original) => ({ ...(await original()), loadPage }));

const shop = "shell/frame";
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
	const routes = ["/", "/orders", "/checkout", "/login", "/logout"].map((page) => {
		const place = page === "/" ? { index: true } : { path: page.slice(1) };
		return [idOf(page), { id: idOf(page), hasLoader: page === "/" || page === "/orders", ...place }];
	});
	vi.stubGlobal("window", { __reactRouterManifest: { routes: Object.fromEntries(routes) } });
	loadPage.mockResolvedValue();
	await load("/");
});
afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

const noResponse = new TypeError("Failed to fetch");

const unreachable = { type: "error", result: expect.objectContaining({ reason: "unreachable" }) };

describe.each<[string, (page: string) => Promise<Results>]>([
	["gets no response", async (page) => failed(page, noResponse)],
	["is rejected", () => Promise.reject(noResponse)],
	["takes ten seconds", () => new Promise(() => queueMicrotask(() => vi.advanceTimersByTime(10_000)))],
	["returns no data", async (page) => failed(page, new Error("Unable to decode"))],
])("a request that %s", (_, next) => {
	test("keeps the page that it refreshes", async () => {
		await load("/orders");
		expect(await load("/orders", () => next("/orders"))).toEqual({});
	});

	test("shows an error page in place of the page that it opens, below the header", async () => {
		const errorPage = { [idOf("/orders")]: unreachable };
		expect(await load("/orders", () => next("/orders"))).toEqual(errorPage);
		// a failed refresh does not keep an error page
		expect(await load("/orders", () => next("/orders"))).toEqual(errorPage);
	});

	test("gives the form that it submits an error message", async () => {
		const { title, advice } = explanations.unreachable;
		const refusal = { data: { refusal: `${title}. ${advice}` }, init: { status: 503 } };
		const results = await request("POST", "/login", () => next("/login"));
		expect(results).toMatchObject({ [idOf("/login")]: { type: "data", result: refusal } });
	});

	test("replaces the page and the header if the customer may have changed", async () => {
		await load("/orders");
		forgetCustomer();
		const results = await load("/orders", () => next("/orders"));
		expect(results).toHaveProperty([shop], unreachable);
	});
});

test("a page without data opens although the customer is not reloaded, unless the customer may have changed", async () => {
	const rejected = () => Promise.reject(noResponse);
	expect(await load("/checkout", rejected)).toEqual({ [idOf("/checkout")]: { type: "data", result: null } });
	forgetCustomer();
	expect(await load("/checkout", rejected)).toHaveProperty([shop, "type"], "error");
});

test("a customer who is unknown to the server stays in the header, unless the customer may have changed", async () => {
	const unknown = async () => result("/orders", { type: "data", result: { customer: undefined } });
	const page = { [idOf("/orders")]: expect.anything() };
	expect(await load("/orders", unknown)).toEqual(page);
	forgetCustomer();
	for (const _ of [1, 2]) expect(await load("/orders", unknown)).toEqual({ ...page, [shop]: expect.anything() });
	await load("/orders");
	expect(await load("/orders", unknown)).toEqual(page);
});

test("a page whose code fails to load shows an error page with the reason", async () => {
	loadPage.mockRejectedValueOnce(noResponse);
	expect(await load("/checkout")).toEqual({ [idOf("/checkout")]: unreachable });
	const outdated = new FailedRequest("outdated");
	loadPage.mockRejectedValueOnce(outdated);
	expect(await load("/checkout")).toEqual({ [idOf("/checkout")]: { type: "error", result: outdated } });
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
	expect(await load("/", async () => failed("/", noResponse))).toEqual({});
});
