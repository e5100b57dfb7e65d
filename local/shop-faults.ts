import { z } from "zod";
import { d1CalledBy } from "./d1-calls.ts";

/** A fault of the shop's own calls to D1, Stripe or a feed. */
export const shopFaultShape = z.strictObject({
	/** The path of the requests to affect, such as "/payments/fulfill", or "cron" for the scheduled run. If absent, any
	 *  request is affected. */
	path: z
		.string()
		.regex(/^(\/.*|cron)$/, 'a path starts with "/"; the scheduled run is "cron"')
		.optional(),
	/** The service whose calls fail. */
	service: z.enum(["d1", "stripe", "feed", "any"]),
	/** Which of the request's calls to the service fails: the first is 1; "every" is all of them. A D1 statement or
	 *  batch is one call. Each retry of a Stripe call is another call. */
	call: z.literal("every").or(z.coerce.number().int().min(1)),
	/** before: the call fails without being made. after: the call is made and its response is lost. never: the call is
	 *  not made and gets no response. crash: the call is made, then the Worker ends: this call and every later call of
	 *  the request fail, and pending responses are lost. */
	fault: z.enum(["before", "after", "never", "crash"]),
	/** The error message of a failed call. By default, that the connection was lost. */
	message: z.string().optional(),
	/** Number of requests to affect. */
	times: z.coerce.number().int().min(1).default(1),
});

export type ShopFault = z.infer<typeof shopFaultShape>;

type Called = "d1" | "stripe" | "feed";
/** Wrappers that add the planned faults to the services of one request. */
interface Wraps {
	d1(d1: D1Database): D1Database;
	fetch(carry: typeof fetch): typeof fetch;
	/** Makes one call to a feed. */
	feed<T>(make: () => Promise<T>): Promise<T>;
}

/** Time after which a call without a response fails, in milliseconds; longer than any caller waits. */
const silenceTimeout = 5 * 60 * 1000;

/** The planned faults, in the isolate's memory. If two faults apply to the same call, the first is used and the second
 *  is kept for another request. */
export class ShopFaults {
	#plan: ShopFault[] = [];

	/** Replaces the plan. New faults do not affect requests in flight, and removed faults no longer affect them. */
	plan(faults: readonly ShopFault[]): void {
		this.#plan = faults.map((fault) => ({ ...fault }));
	}

	/** The remaining faults; `times` is the number of requests that each fault will still affect. */
	get planned(): ShopFault[] {
		return this.#plan.map((fault) => ({ ...fault }));
	}

	/** Returns wrappers for the services of one request. The wrappers change nothing if no fault is planned for this
	 *  path. A lost D1 call rejects with D1's "D1_ERROR: …", a lost fetch with a TypeError, and a lost call to a feed
	 *  with an Error. */
	openRequest(path: string): Wraps {
		const faults = this.#plan.filter((fault) => fault.path === undefined || fault.path === path);
		if (faults.length === 0) return { d1: (d1) => d1, fetch: (carry) => carry, feed: (make) => make() };
		const call = this.#openCalls(faults);
		return {
			d1: (d1) => d1CalledBy((make) => call("d1", make), d1),
			fetch: (carry) => (input: RequestInfo | URL, init?: RequestInit) => {
				const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
				return call("stripe", () => carry(input, init), signal);
			},
			feed: (make) => call("feed", make),
		};
	}

	/** Returns a function that counts the calls of one request, and makes each call or fails it. */
	#openCalls(faults: ShopFault[]) {
		const calls = { d1: 0, stripe: 0, feed: 0, any: 0 };
		/** The faults that affect every call of this request. */
		const begun = new Set<ShopFault>();
		let isCrashed = false;
		return async <T>(called: Called, make: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
			if (isCrashed) throw connectionLost(called);
			// before any await, so that calls are counted in the order in which they are made
			calls[called] += 1;
			calls.any += 1;
			const struck = faults.find(
				(fault) =>
					[called, "any"].includes(fault.service) &&
					(begun.has(fault) || (this.#plan.includes(fault) && [calls[fault.service], "every"].includes(fault.call))),
			);
			if (struck && !begun.has(struck)) this.#use(struck);
			if (struck?.call === "every") begun.add(struck);
			const fault = struck?.fault;
			if (fault === "crash") isCrashed = true;
			if (fault === "never") await silence(signal);
			if (fault === "before" || fault === "never") throw connectionLost(called, struck?.message);
			const [result] = await Promise.allSettled([make()]);
			// an error response is lost like any other response
			if (fault || isCrashed) throw connectionLost(called, struck?.message);
			if (result.status === "rejected") throw result.reason;
			return result.value;
		};
	}

	/** Counts a request that a fault affects. A fault that is used up affects no other request. */
	#use(fault: ShopFault): void {
		fault.times -= 1;
		if (fault.times === 0) this.#plan = this.#plan.filter((planned) => planned !== fault);
	}
}

function connectionLost(called: Called, message = "Network connection lost."): Error {
	if (called === "stripe") return new TypeError("fetch failed");
	return new Error(called === "d1" ? `D1_ERROR: ${message}` : message);
}

/** Resolves after `silenceTimeout`, or rejects as soon as the caller aborts. The timer is necessary, because workerd
 *  ends a request whose promise nothing can resolve. */
function silence(signal: AbortSignal | undefined): Promise<void> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(resolve, silenceTimeout);
		const giveUp = () => {
			clearTimeout(timer);
			reject(signal?.reason);
		};
		if (signal?.aborted) giveUp();
		else signal?.addEventListener("abort", giveUp);
	});
}
