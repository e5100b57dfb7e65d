import { drizzle } from "drizzle-orm/d1";
import { integer, sqliteTable } from "drizzle-orm/sqlite-core";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import Stripe from "stripe";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type ShopFault, ShopFaults, shopFaultShape } from "./shop-faults.ts";

/** Returns a fake D1, Stripe and feed. Each call returns its own name, and `made` records the names in order. */
function outsideWorld() {
	const made: string[] = [];
	const respond = async (call: string) => {
		made.push(call);
		return call;
	};
	const statement = (query: string): D1PreparedStatement =>
		Object.assign(Object.create(null), {
			query,
			bind: (...values: unknown[]) => statement(`${query} with ${values}`),
			first: (...column: string[]) => respond(["first", ...column, query].join(" ")),
			run: () => respond(`run ${query}`),
			all: () => respond(`all ${query}`),
			raw: (options?: { columnNames?: boolean }) => respond(`raw ${options?.columnNames ? "names " : ""}${query}`),
		});
	const queries = {
		prepare: statement,
		batch: (statements: { query: string }[]) => respond(`batch ${statements.map(({ query }) => query).join(", ")}`),
	};
	const d1: D1Database = Object.assign(Object.create(null), {
		...queries,
		exec: (query: string) => respond(`exec ${query}`),
		dump: () => respond("dump"),
		withSession: (from: string) => ({ ...queries, getBookmark: () => `bookmark from ${from}` }),
	});
	const carry = async (input: RequestInfo | URL) =>
		new Response(await respond(`fetch ${input instanceof Request ? input.url : input}`));
	return { made, d1, fetch: carry, notify: () => respond("notify") };
}

const fault = (planned: Partial<ShopFault>): ShopFault => ({
	service: "any",
	call: 1,
	fault: "before",
	times: 1,
	...planned,
});

/** Opens a request with its own fake services. */
function open(faults: ShopFaults, path = "/") {
	const world = outsideWorld();
	const request = faults.openRequest(path);
	return {
		made: world.made,
		d1: request.d1(world.d1),
		fetch: request.fetch(world.fetch),
		notify: () => request.feed(world.notify),
	};
}

function planned(...faults: ShopFault[]): ShopFaults {
	const shopFaults = new ShopFaults();
	shopFaults.plan(faults);
	return shopFaults;
}

const stripe = "https://api.stripe.com/";
const d1Lost = new Error("D1_ERROR: Network connection lost.");
const fetchLost = new TypeError("fetch failed");
const feedLost = new Error("Network connection lost.");

type OpenRequest = ReturnType<typeof open>;

/** Every way to make a call: its name in `made`, and its error if the response is lost. */
const ways: { made: string; lost: Error; call(request: OpenRequest): Promise<unknown> }[] = [
	{ made: "first q", lost: d1Lost, call: ({ d1 }) => d1.prepare("q").first() },
	{ made: "first id q", lost: d1Lost, call: ({ d1 }) => d1.prepare("q").first("id") },
	{ made: "run q", lost: d1Lost, call: ({ d1 }) => d1.prepare("q").run() },
	{ made: "all q", lost: d1Lost, call: ({ d1 }) => d1.prepare("q").all() },
	{ made: "raw q", lost: d1Lost, call: ({ d1 }) => d1.prepare("q").raw() },
	{ made: "raw names q", lost: d1Lost, call: ({ d1 }) => d1.prepare("q").raw({ columnNames: true }) },
	{ made: "run q with 1,2", lost: d1Lost, call: ({ d1 }) => d1.prepare("q").bind(1, 2).run() },
	{
		made: "batch q, r with 1",
		lost: d1Lost,
		call: ({ d1 }) => d1.batch([d1.prepare("q"), d1.prepare("r").bind(1)]),
	},
	{ made: "exec q", lost: d1Lost, call: ({ d1 }) => d1.exec("q") },
	{ made: "dump", lost: d1Lost, call: ({ d1 }) => d1.dump() },
	{ made: "all session q", lost: d1Lost, call: ({ d1 }) => d1.withSession().prepare("session q").all() },
	{ made: "batch session q", lost: d1Lost, call: ({ d1 }) => d1.withSession().batch([d1.prepare("session q")]) },
	{ made: `fetch ${stripe}`, lost: fetchLost, call: async ({ fetch }) => (await fetch(stripe)).text() },
	{
		made: `fetch ${stripe}request`,
		lost: fetchLost,
		call: async ({ fetch }) => (await fetch(new Request(`${stripe}request`))).text(),
	},
	{ made: "notify", lost: feedLost, call: ({ notify }) => notify() },
];

afterEach(() => {
	vi.useRealTimers();
});

describe.each(ways)("$made", ({ made, lost, call }) => {
	test('fault "before" fails the call without making it', async () => {
		const request = open(planned(fault({ fault: "before" })));
		await expect(call(request)).rejects.toStrictEqual(lost);
		expect(request.made).toEqual([]);
	});

	test('fault "after" makes the call and loses its response', async () => {
		const request = open(planned(fault({ fault: "after" })));
		await expect(call(request)).rejects.toStrictEqual(lost);
		expect(request.made).toEqual([made]);
	});

	test('fault "never" skips the call, and rejects its promise after five minutes', async () => {
		vi.useFakeTimers();
		const request = open(planned(fault({ fault: "never" })));
		let ended = false;
		const calling = expect(call(request).finally(() => (ended = true))).rejects.toStrictEqual(lost);
		await vi.advanceTimersByTimeAsync(2 * 60 * 1000);
		expect(ended).toBe(false);
		await vi.runAllTimersAsync();
		await calling;
		expect(request.made).toEqual([]);
	});

	test('fault "crash" makes the call, then rejects it and every later call', async () => {
		const request = open(planned(fault({ fault: "crash" })));
		await expect(call(request)).rejects.toStrictEqual(lost);
		await expect(call(request)).rejects.toStrictEqual(lost);
		await expect(request.fetch(stripe)).rejects.toStrictEqual(fetchLost);
		await expect(request.d1.exec("later")).rejects.toStrictEqual(d1Lost);
		await expect(request.notify()).rejects.toStrictEqual(feedLost);
		expect(request.made).toEqual([made]);
	});

	test("the call after a fault succeeds", async () => {
		const request = open(planned(fault({ fault: "before" })));
		await expect(call(request)).rejects.toStrictEqual(lost);
		expect(await call(request)).toBe(made);
	});
});

test("a failing D1 call rejects with its own error, unless its response is lost", async () => {
	const own = new Error("D1_ERROR: no such table: nothing: SQLITE_ERROR");
	const failing: D1Database = Object.assign(Object.create(null), { exec: () => Promise.reject(own) });
	const d1 = planned(fault({ call: 2, fault: "after" }))
		.openRequest("/")
		.d1(failing);
	await expect(d1.exec("q")).rejects.toBe(own);
	await expect(d1.exec("q")).rejects.toStrictEqual(d1Lost);
});

test("getBookmark returns the session's bookmark and does not count as a call", async () => {
	const request = open(planned(fault({})));
	expect(request.d1.withSession("first-primary").getBookmark()).toBe("bookmark from first-primary");
	await expect(request.d1.exec("q")).rejects.toStrictEqual(d1Lost);
});

describe("a fetch without a response", () => {
	type Fetch = typeof fetch;
	const reason = new Error("The caller aborted");

	test.each([
		["its signal", (fetch: Fetch, signal: AbortSignal) => fetch(stripe, { signal })],
		["its Request's signal", (fetch: Fetch, signal: AbortSignal) => fetch(new Request(stripe, { signal }))],
	])("rejects when the caller aborts %s", async (_, call) => {
		vi.useFakeTimers();
		const { fetch, made } = open(planned(fault({ fault: "never" })));
		const controller = new AbortController();
		const calling = call(fetch, controller.signal);
		controller.abort(reason);
		await expect(calling).rejects.toBe(reason);
		expect(vi.getTimerCount()).toBe(0);
		expect(made).toEqual([]);
	});

	test("rejects immediately if the signal is already aborted", async () => {
		const { fetch } = open(planned(fault({ fault: "never" })));
		await expect(fetch(stripe, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
	});
});

test.each(["before", "never"] as const)("a retry by the Stripe SDK counts as the second call (%s)", async (when) => {
	vi.useFakeTimers();
	const faults = planned(fault({ service: "stripe", call: 1, fault: when }), fault({ service: "stripe", call: 2 }));
	const { fetch, made } = open(faults);
	const httpClient = Stripe.createFetchHttpClient(fetch);
	const sdk = new Stripe("sk_test_x", { httpClient, timeout: 3000, maxNetworkRetries: 1, telemetry: false });
	const retrieving = expect(sdk.paymentIntents.retrieve("pi_1")).rejects.toThrow(Stripe.errors.StripeConnectionError);
	await vi.advanceTimersByTimeAsync(10_000);
	await retrieving;
	expect(faults.planned).toEqual([]);
	expect(made).toEqual([]);
});

test("a crash loses the responses of pending calls", async () => {
	const { d1, fetch, made } = open(planned(fault({ service: "stripe", fault: "crash" })));
	const pending = d1.exec("q");
	const crashing = fetch(stripe);
	await expect(pending).rejects.toStrictEqual(d1Lost);
	await expect(crashing).rejects.toStrictEqual(fetchLost);
	expect(made).toEqual(["exec q", `fetch ${stripe}`]);
});

describe("call numbers", () => {
	/** Calls D1, Stripe, D1, Stripe, and the feed twice. Returns the numbers of the calls that fail, from 1. */
	async function failing(request: OpenRequest): Promise<number[]> {
		const { d1, fetch, notify } = request;
		const stripes = () => fetch(stripe);
		const calls = [() => d1.exec("q"), stripes, () => d1.prepare("q").all(), stripes, notify, notify];
		const failed: number[] = [];
		for (const [index, call] of calls.entries()) {
			await call().catch(() => failed.push(index + 1));
		}
		return failed;
	}

	test.each([
		["d1", 1, [1]],
		["d1", 2, [3]],
		["stripe", 1, [2]],
		["stripe", 2, [4]],
		["feed", 1, [5]],
		["feed", 2, [6]],
		["any", 2, [2]],
		["any", 3, [3]],
		["any", 5, [5]],
		["any", 7, []],
	] as const)("of six calls, a fault of %s call %i fails %j", async (service, call, failed) => {
		expect(await failing(open(planned(fault({ service, call, times: 2 }))))).toEqual(failed);
	});

	test("two faults for different calls both affect the same request", async () => {
		const faults = planned(fault({ call: 1, fault: "before" }), fault({ call: 3, fault: "after" }));
		const request = open(faults);
		expect(await failing(request)).toEqual([1, 3]);
		expect(request.made).toEqual([`fetch ${stripe}`, "all q", `fetch ${stripe}`, "notify", "notify"]);
		expect(faults.planned).toEqual([]);
	});

	test("if two faults match one call, the first affects it and the second remains for another request", async () => {
		const second = fault({ fault: "after" });
		const faults = planned(fault({ service: "d1", fault: "before" }), second);
		expect(await failing(open(faults))).toEqual([1]);
		expect(faults.planned).toEqual([second]);
		const next = open(faults);
		expect(await failing(next)).toEqual([1]);
		expect(next.made).toContain("exec q");
	});

	test("concurrent calls are counted in the order in which they are made", async () => {
		const { d1, made } = open(planned(fault({ service: "d1", call: 2 }), fault({ call: 3 })));
		const calls = await Promise.allSettled([d1.exec("1"), d1.exec("2"), d1.exec("3")]);
		expect(calls.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
		expect(made).toEqual(["exec 1"]);
	});

	test("concurrent requests count their calls separately", async () => {
		const faults = planned(fault({ call: 2, times: 2 }));
		const [one, two] = [open(faults), open(faults)];
		await one.d1.exec("1");
		await two.d1.exec("1");
		await expect(one.d1.exec("2")).rejects.toStrictEqual(d1Lost);
		await expect(two.d1.exec("2")).rejects.toStrictEqual(d1Lost);
	});

	test("a crash in one request does not affect another request", async () => {
		const faults = planned(fault({ fault: "crash" }));
		const [one, two] = [open(faults), open(faults)];
		await expect(one.d1.exec("1")).rejects.toStrictEqual(d1Lost);
		await two.d1.exec("1");
		expect(two.made).toEqual(["exec 1"]);
	});
});

describe("the plan", () => {
	test("a fault planned for several requests fails one call in each of them", async () => {
		const faults = planned(fault({ times: 2 }));
		for (const left of [1, 0]) {
			const { d1 } = open(faults);
			await expect(d1.exec("1")).rejects.toStrictEqual(d1Lost);
			await d1.exec("2");
			expect(faults.planned.map(({ times }) => times)).toEqual(left ? [left] : []);
		}
		await open(faults).d1.exec("1");
	});

	test("if a request does not make the call, the fault remains for the next request", async () => {
		const faults = planned(fault({ call: 2 }));
		await open(faults).d1.exec("1");
		expect(faults.planned).toEqual([fault({ call: 2 })]);
	});

	test("the first of two concurrent requests to make the call uses up the fault", async () => {
		const faults = planned(fault({}));
		const [one, two] = [open(faults), open(faults)];
		await expect(two.d1.exec("1")).rejects.toStrictEqual(d1Lost);
		await one.d1.exec("1");
	});

	test("a crash counts once toward `times`, regardless of the number of calls that fail", async () => {
		const faults = planned(fault({ fault: "crash", times: 2 }));
		const { d1 } = open(faults);
		await Promise.allSettled([d1.exec("1"), d1.exec("2"), d1.exec("3")]);
		expect(faults.planned).toEqual([fault({ fault: "crash" })]);
	});

	test("a fault with a path affects only that path", async () => {
		const faults = planned(fault({ path: "/payments/fulfill" }));
		for (const path of ["/", "/payments/place", "/payments/fulfill/", "cron"]) await open(faults, path).d1.exec("1");
		await expect(open(faults, "/payments/fulfill").d1.exec("1")).rejects.toStrictEqual(d1Lost);
	});

	test("a fault without a path also affects the scheduled run", async () => {
		await expect(open(planned(fault({})), "cron").d1.exec("1")).rejects.toStrictEqual(d1Lost);
	});

	test.each([
		["an empty plan", []],
		["a plan for another path", [fault({ path: "/payments/fulfill" })]],
	])("%s leaves D1, fetch and the feed's result unchanged", async (_, faults) => {
		const world = outsideWorld();
		const request = planned(...faults).openRequest("/");
		expect(request.d1(world.d1)).toBe(world.d1);
		expect(request.fetch(world.fetch)).toBe(world.fetch);
		expect(await request.feed(world.notify)).toBe("notify");
	});

	test("a new plan replaces the faults of the old one, including for requests in flight", async () => {
		const faults = planned(fault({}));
		const { d1 } = open(faults);
		faults.plan([]);
		expect(faults.planned).toEqual([]);
		await d1.exec("1");
	});

	test("plan() and planned copy the faults, so callers cannot change the plan", async () => {
		const mine = fault({ times: 2 });
		const faults = planned(mine);
		await expect(open(faults).d1.exec("1")).rejects.toStrictEqual(d1Lost);
		expect(mine.times).toBe(2);
		for (const fault of faults.planned) fault.times = 9;
		expect(faults.planned).toEqual([fault({ times: 1 })]);
	});
});

describe("shopFaultShape", () => {
	test("parses numbers in strings, and sets `times` to 1 by default", () => {
		expect(shopFaultShape.parse({ service: "d1", call: "2", fault: "after" })).toEqual(
			fault({ service: "d1", call: 2, fault: "after" }),
		);
	});

	test.each(["d1", "stripe", "feed", "any"] as const)("accepts service %s", (service) => {
		expect(shopFaultShape.parse(fault({ service }))).toEqual(fault({ service }));
	});

	test.each([
		{ call: 0 },
		{ call: 1.5 },
		{ call: "" },
		{ times: 0 },
		{ fault: "slow" },
		{ service: "kv" },
		{ path: "payments/fulfill" },
		{ paths: "/" },
	])("rejects %o", (wrong) => {
		expect(shopFaultShape.safeParse({ ...fault({}), ...wrong }).success).toBe(false);
	});
});

describe("on a real D1", () => {
	const things = sqliteTable("things", { id: integer().primaryKey() });
	let miniflare: Miniflare;
	let real: D1Database;

	beforeAll(async () => {
		const options = convertV4MiniflareOptions({ modules: true, script: "export default {}", d1Databases: ["DB"] });
		// skips the network request that looks up this machine's location
		miniflare = new Miniflare({ ...options, cf: false });
		real = await miniflare.getD1Database("DB");
		await real.exec("create table things (id integer primary key) strict");
	});
	afterEach(() => real.exec("delete from things"));
	afterAll(() => miniflare?.dispose());

	/** Opens Drizzle on one session, as the shop does. */
	function openDrizzle(...faults: ShopFault[]) {
		const d1 = planned(...faults)
			.openRequest("/")
			.d1(real);
		return drizzle(Object.assign(d1, d1.withSession("first-primary")));
	}
	const stored = async () => (await real.prepare("select id from things order by id").raw()).flat();

	test("Drizzle queries before and after the fault succeed", async () => {
		const database = openDrizzle(fault({ call: 4 }));
		await database.insert(things).values({ id: 1 });
		const [inserted, listed] = await database.batch([
			database.insert(things).values({ id: 2 }).returning(),
			database.select().from(things).orderBy(things.id),
		]);
		expect(inserted).toEqual([{ id: 2 }]);
		expect(listed).toEqual([{ id: 1 }, { id: 2 }]);
		expect(await database.select().from(things).get()).toEqual({ id: 1 });
		await expect(database.delete(things).run()).rejects.toMatchObject({ cause: d1Lost });
		await database.insert(things).values({ id: 3 });
		expect(await stored()).toEqual([1, 2, 3]);
	});

	test.each([
		["before", []],
		["after", [1, 2]],
		["crash", [1, 2]],
	] as const)('a batch with fault "%s" is stored completely or not at all', async (when, left) => {
		const database = openDrizzle(fault({ fault: when }));
		const batch = database.batch([
			database.insert(things).values({ id: 1 }),
			database.insert(things).values({ id: 2 }),
		]);
		await expect(batch).rejects.toStrictEqual(d1Lost);
		expect(await stored()).toEqual(left);
	});

	test("a failing statement rejects with D1's own error", async () => {
		const d1 = planned(fault({ call: 2 }))
			.openRequest("/")
			.d1(real);
		await expect(d1.prepare("select nope").all()).rejects.toThrow("D1_ERROR: no such column: nope");
		await expect(d1.prepare("select nope").all()).rejects.toStrictEqual(d1Lost);
	});
});

test('a fault with call "every" fails every call of one request and no call of another request', async () => {
	const faults = new ShopFaults();
	faults.plan([{ service: "stripe", call: "every", fault: "before", times: 1 }]);
	const [first, second] = [faults.openRequest("/"), faults.openRequest("/")];
	const upstream = async () => new Response("made");
	const carry = first.fetch(upstream);
	for (let call = 1; call <= 3; call++) await expect(carry("https://api.test/")).rejects.toThrow(TypeError);
	expect(faults.planned).toEqual([]);
	expect(await (await second.fetch(upstream)("https://api.test/")).text()).toBe("made");
});
