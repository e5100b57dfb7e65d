import { afterEach, expect, test, vi } from "vitest";
import { type ShopFault, ShopFaults, shopFaultShape } from "./shop-faults.ts";

afterEach(() => void vi.useRealTimers());

/** Opens a request of /orders with fake services. `made` records the calls that reach them. */
function open(faults: ShopFaults) {
	const made: string[] = [];
	const respond = (call: string) => async () => void made.push(call);
	const services: { d1: D1Database } = { d1: Object.assign(Object.create(null), { exec: respond("d1") }) };
	const request = faults.openRequest("/orders");
	const send = request.fetch(async () => new Response(String(await respond("stripe")())));
	return { made, d1: request.d1(services.d1), fetch: send, notify: () => request.feed(respond("feed")) };
}

function planned(...faults: Partial<ShopFault>[]): ShopFaults {
	const shopFaults = new ShopFaults();
	shopFaults.plan(faults.map((fault) => ({ service: "any", call: 1, fault: "before", times: 1, ...fault })));
	return shopFaults;
}

type Call = (request: ReturnType<typeof open>) => Promise<unknown>;
const d1: Call = ({ d1 }) => d1.exec("q");
const stripe: Call = ({ fetch }) => fetch("https://api.stripe.com/");
const feed: Call = ({ notify }) => notify();
const d1Lost = new Error("D1_ERROR: Network connection lost.");
const errors = new Map<Call, Error>([
	[d1, d1Lost],
	[stripe, new TypeError("fetch failed")],
	[feed, new Error("Network connection lost.")],
]);

test.each([
	["before", 3],
	["never", 3],
	["after", 4],
	["crash", 1],
] as const)('fault "%s" fails one of four calls, or all, of which %i are made', async (fault, made) => {
	vi.useFakeTimers({ now: 0 });
	for (const [call, error] of errors) {
		const faults = planned({ fault });
		const [request, other] = [open(faults), open(faults)];
		const failing = expect(call(request)).rejects.toStrictEqual(error);
		await vi.runAllTimersAsync();
		await failing;
		for (const [later, error] of errors) {
			if (fault === "crash") await expect(later(request)).rejects.toStrictEqual(error);
			else await later(request);
			await later(other);
		}
		expect(request.made).toHaveLength(made);
	}
	expect(Date.now()).toBe(fault === "never" ? errors.size * 5 * 60_000 : 0);
});

test("a call without a response ends when its caller aborts, and a crash ends pending calls", async () => {
	const signal = AbortSignal.abort(new Error("The caller aborted"));
	const { fetch } = open(planned({ fault: "never" }));
	await expect(fetch(new Request("https://api.stripe.com/", { signal }))).rejects.toBe(signal.reason);
	const crashing = open(planned({ service: "stripe", fault: "crash" }));
	const [pending] = await Promise.allSettled([d1(crashing), stripe(crashing)]);
	expect(pending).toEqual({ status: "rejected", reason: d1Lost });
});

test.each<[Partial<ShopFault>[], number[], number[]]>([
	[[{ service: "d1", call: 2 }], [3], []],
	[[{ service: "feed", call: "every", times: 2 }], [5, 6], [1]],
	[[{ call: 3 }, { call: 1 }], [1, 3], []],
	[[{ service: "d1" }, {}], [1], [1]],
	[[{ times: 3 }, { call: 7 }], [1], [2, 1]],
	[[{ path: "cron" }, { path: "/orders", call: 2 }], [2], [1]],
])("with the plan %j, of calls to D1, Stripe, D1, Stripe and a feed, %j fail", async (plan, failed, left) => {
	const faults = planned(...plan);
	const request = open(faults);
	const results = await Promise.allSettled([d1, stripe, d1, stripe, feed, feed].map((call) => call(request)));
	expect(results.flatMap(({ status }, index) => (status === "rejected" ? index + 1 : []))).toEqual(failed);
	expect(faults.planned.map(({ times }) => times)).toEqual(left);
});

test("a fault's numbers can be strings, and an invalid fault is rejected", () => {
	const fault = { service: "d1", call: "2", fault: "after" };
	expect(shopFaultShape.parse(fault)).toEqual({ ...fault, call: 2, times: 1 });
	for (const part of [{ call: 0 }, { call: "" }, { times: 0 }, { path: "a" }])
		expect(shopFaultShape.safeParse({ ...fault, ...part }).success).toBe(false);
});
