import { z } from "zod";
import { d1CalledBy } from "#drizzle/d1-calls.server.ts";

/** One thing that shall go wrong with the shop's own outside calls. */
export const shopFaultShape = z.strictObject({
	/** Of requests for this path only, such as "/payments/fulfill"; "cron" is the scheduled run. Absent: any. */
	path: z
		.string()
		.regex(/^(\/.*|cron)$/, 'a path starts with "/"; the scheduled run is "cron"')
		.optional(),
	/** Where the call goes. */
	service: z.enum(["d1", "stripe", "feed", "any"]),
	/** Which call of a request, from 1, of those that go there; or every one of them. A D1 call is a statement run or a
	 *  batch; a repeated Stripe call counts again. */
	call: z.literal("every").or(z.coerce.number().int().min(1)),
	/** before: it fails and was never made. after: it was made and its answer is lost. never: it was not made and no
	 *  answer comes. crash: it was made, and then the Worker is gone: this and every later call of the request fails,
	 *  and answers still under way are lost. */
	fault: z.enum(["before", "after", "never", "crash"]),
	/** How many requests it strikes before it is used up. */
	times: z.coerce.number().int().min(1).default(1),
});

export type ShopFault = z.infer<typeof shopFaultShape>;

type Called = "d1" | "stripe" | "feed";
/** Puts the plan around what one request may reach. */
interface Wraps {
	d1(d1: D1Database): D1Database;
	fetch(carry: typeof fetch): typeof fetch;
	/** Makes one call of a feed. */
	feed<T>(make: () => Promise<T>): Promise<T>;
}
type Calls = Record<ShopFault["service"], number>;

/** Milliseconds; longer than anybody waits for a call. */
const SILENCE = 5 * 60 * 1000;

/** What shall go wrong, for as long as this isolate lives. Of two faults that meet in one call the first of the plan
 *  strikes, and the other is left for another request. */
export class ShopFaults {
	#plan: ShopFault[] = [];

	/** Puts these faults in the place of all that were planned; requests already open feel neither. */
	plan(faults: readonly ShopFault[]): void {
		this.#plan = faults.map((fault) => ({ ...fault }));
	}

	/** What has yet to strike; `times` is what is left of it. */
	get planned(): ShopFault[] {
		return this.#plan.map((fault) => ({ ...fault }));
	}

	/** Wraps what one request may reach. Hands it back untouched when nothing is planned for this path. A lost D1 call
	 *  rejects with D1's "D1_ERROR: …", a lost fetch with a TypeError, a lost call of a feed with an Error. */
	openRequest(path: string): Wraps {
		const faults = this.#plan.filter((fault) => fault.path === undefined || fault.path === path);
		if (faults.length === 0) return { d1: (d1) => d1, fetch: (carry) => carry, feed: (make) => make() };
		const begun = new Set<ShopFault>();
		const request = new FaultyRequest((called, calls) => this.#strike(faults, begun, called, calls));
		return {
			d1: (d1) => d1CalledBy((make) => request.call("d1", make), d1),
			fetch: (carry) => (input: RequestInfo | URL, init?: RequestInit) => {
				const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
				return request.call("stripe", () => carry(input, init), signal);
			},
			feed: (make) => request.call("feed", make),
		};
	}

	/** The fault of a request's newest call, if one is planned. Another request may have used it up by now, unless it has
	 *  `begun` to strike every call of this one. */
	#strike(faults: ShopFault[], begun: Set<ShopFault>, called: Called, calls: Calls): ShopFault["fault"] | undefined {
		const struck = faults.find(
			(fault) =>
				[called, "any"].includes(fault.service) &&
				(fault.call === "every" || fault.call === calls[fault.service]) &&
				(begun.has(fault) || this.#plan.includes(fault)),
		);
		if (!struck) return undefined;
		if (begun.has(struck)) return struck.fault;
		if (struck.call === "every") begun.add(struck);
		struck.times -= 1;
		if (struck.times === 0) this.#plan = this.#plan.filter((fault) => fault !== struck);
		return struck.fault;
	}
}

/** Counts the calls of one request, and makes or loses each. */
class FaultyRequest {
	readonly #strike: (called: Called, calls: Calls) => ShopFault["fault"] | undefined;
	readonly #calls: Calls = { d1: 0, stripe: 0, feed: 0, any: 0 };
	#crashed = false;

	constructor(strike: (called: Called, calls: Calls) => ShopFault["fault"] | undefined) {
		this.#strike = strike;
	}

	async call<T>(called: Called, make: () => Promise<T>, signal?: AbortSignal): Promise<T> {
		if (this.#crashed) throw connectionLost(called);
		// before anything is awaited, so that calls are counted in the order they are made
		this.#calls[called] += 1;
		this.#calls.any += 1;
		const fault = this.#strike(called, this.#calls);
		if (fault === "crash") this.#crashed = true;
		if (fault === "never") await silence(signal);
		if (fault === "before" || fault === "never") throw connectionLost(called);
		const [answer] = await Promise.allSettled([make()]);
		// an error is an answer too, and lost like any other
		if (fault || this.#crashed) throw connectionLost(called);
		if (answer.status === "rejected") throw answer.reason;
		return answer.value;
	}
}

function connectionLost(called: Called): Error {
	if (called === "stripe") return new TypeError("fetch failed");
	return new Error(called === "d1" ? "D1_ERROR: Network connection lost." : "Network connection lost.");
}

/** No answer until the caller gives up, or nobody can be waiting any more. It is a timer because workerd ends a request
 *  that waits for what cannot happen. */
function silence(signal: AbortSignal | undefined): Promise<void> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(resolve, SILENCE);
		const giveUp = () => {
			clearTimeout(timer);
			reject(signal?.reason);
		};
		if (signal?.aborted) giveUp();
		else signal?.addEventListener("abort", giveUp);
	});
}
