import { redirect } from "react-router";
import { beforeEach, describe, expect, test } from "vitest";
import { explanations, FailedRequest } from "./failed-request.ts";
import { handleFailure } from "./handle-failures.client.ts";

type Shown = Parameters<typeof handleFailure>[0];
type RouterRequest = Parameters<typeof handleFailure>[1];
type Code = Parameters<typeof handleFailure>[2];
type Loaded = Parameters<typeof handleFailure>[3];
type Results = ReturnType<typeof handleFailure>[0];
type Result = Results[string];

const frame = "shell/frame";
const idOf = (page: string) => (page === "/" ? "routes/home" : `routes${page}`);
const resolved = (value: Results): Loaded => ({ value });
const imported: Code = { value: undefined };
const rejected = { error: new TypeError("Failed to fetch") };
const result = (page: string, result: Result): Loaded => resolved({ [idOf(page)]: result, [frame]: result });
const loaded = (page: string) => result(page, { type: "data", result: {} });
const failed = (page: string, error: unknown) => result(page, { type: "error", result: error });

let shown: Shown;
const forgetCustomer = () => Object.assign(shown, { isCustomerKnown: false });
const forgetPage = () => Object.assign(shown, { page: null });

/** Returns the results of a request of the router, with which the page and its code have been loaded. */
function request(page: string, kind: Partial<RouterRequest>, data: Loaded, code: Code = imported): Results {
	const hasLoader = page === "/" || page === "/orders";
	const sent = { page, id: idOf(page), hasLoader, isForm: false, isCanceled: false, ...kind };
	const [results, then] = handleFailure(shown, sent, code, data);
	shown = then;
	return results;
}

/** Navigates to the page, or refreshes it if it is shown. */
const load = (page: string, data = loaded(page), code?: Code) => request(page, {}, data, code);
const submit = (page: string, data: Loaded) => request(page, { isForm: true }, data);

beforeEach(() => {
	shown = { page: "/", isCustomerKnown: true };
});

const unreachable = { type: "error", result: expect.objectContaining({ reason: "unreachable" }) };

describe.each<[string, (page: string) => Loaded]>([
	["gets no response", (page) => failed(page, rejected.error)],
	["is rejected", () => rejected],
	["returns no data", (page) => failed(page, new Error("Unable to decode"))],
])("a request that %s", (_, response) => {
	test("keeps the page that it refreshes", () => {
		load("/orders");
		expect(load("/orders", response("/orders"))).toEqual({});
	});

	test("shows an error page in place of the page that it opens, below the header", () => {
		const errorPage = { [idOf("/orders")]: unreachable };
		expect(load("/orders", response("/orders"))).toEqual(errorPage);
		// a failed refresh does not keep an error page
		expect(load("/orders", response("/orders"))).toEqual(errorPage);
	});

	test("gives the form that it submits an error message", () => {
		const { title, advice } = explanations.unreachable;
		const refusal = { data: { refusal: `${title}. ${advice}` }, init: { status: 503 } };
		const results = submit("/login", response("/login"));
		expect(results).toMatchObject({ [idOf("/login")]: { type: "data", result: refusal } });
	});

	test("replaces the page and the header if the customer may have changed", () => {
		load("/orders");
		forgetCustomer();
		expect(load("/orders", response("/orders"))).toHaveProperty([frame], unreachable);
	});
});

test("a page without data opens although the customer is not reloaded, unless the customer may have changed", () => {
	expect(load("/checkout", rejected)).toEqual({ [idOf("/checkout")]: { type: "data", result: null } });
	forgetCustomer();
	expect(load("/checkout", rejected)).toHaveProperty([frame, "type"], "error");
});

test("a customer who is unknown to the server stays in the header, unless the customer may have changed", () => {
	const unknown = () => result("/orders", { type: "data", result: { customer: undefined } });
	const page = { [idOf("/orders")]: expect.anything() };
	expect(load("/orders", unknown())).toEqual(page);
	forgetCustomer();
	for (const _ of [1, 2]) expect(load("/orders", unknown())).toEqual({ ...page, [frame]: expect.anything() });
	load("/orders");
	expect(load("/orders", unknown())).toEqual(page);
});

test("a page whose code fails to load shows an error page with the reason", () => {
	expect(load("/checkout", loaded("/checkout"), rejected)).toEqual({ [idOf("/checkout")]: unreachable });
	const error = new FailedRequest("outdated");
	const errorPage = { [idOf("/checkout")]: { type: "error", result: error } };
	expect(load("/checkout", loaded("/checkout"), { error })).toEqual(errorPage);
});

test("a failed refresh replaces a page that failed to render", () => {
	forgetPage();
	expect(load("/", failed("/", rejected.error))).toHaveProperty([idOf("/"), "type"], "error");
});

test("after a form's redirect, a failed refresh replaces the customer's page until a customer has loaded", () => {
	submit("/login", result("/login", { type: "data", result: redirect("/") }));
	expect(load("/", failed("/", rejected.error))).toHaveProperty([frame, "type"], "error");
	load("/");
	expect(load("/", failed("/", rejected.error))).toEqual({});
});

test("a sign-out refreshes the page on screen, and follows its redirect from an error page", () => {
	const signOut = () => submit("/logout", resolved({ [idOf("/logout")]: { type: "data", result: redirect("/") } }));
	expect(signOut()).toEqual({ [idOf("/logout")]: { type: "data", result: null } });
	forgetPage();
	expect(signOut()).toHaveProperty([idOf("/logout"), "result"], expect.any(Response));
});

test("a canceled request changes nothing", () => {
	const canceled = failed("/orders", rejected.error);
	expect(request("/orders", { isCanceled: true }, canceled)).toEqual({
		[idOf("/orders")]: { type: "error", result: rejected.error },
		[frame]: { type: "error", result: rejected.error },
	});
	expect(load("/", failed("/", rejected.error))).toEqual({});
});
