import type { Clock, Timer } from "./clock.ts";
import type { Scope } from "./scope.ts";

/** A fault of a call. fail: the call is not sent. lose: the call takes effect, but its response is lost. crash: the
 *  call takes effect and then the caller stops. late: the call takes effect after a delay. late response: the call
 *  takes effect immediately, but its response arrives after a delay. clock: a timer fires while calls are in
 *  progress. */
export type Fault = "fail" | "lose" | "crash" | "late" | "late response" | "clock";

/** Returns the possible faults of a server's call. Requests and calls to Stripe have a timeout, after which the call
 *  may still take effect. Reads are never late, because a late read is equivalent to preempting its task or to a timer
 *  that fires meanwhile. */
export function faultsOf({ isRequest }: Scope, service: "D1" | "Stripe", writes: boolean): Fault[] {
	const faults: Fault[] = writes ? ["fail", "lose", "crash"] : ["fail"];
	if (writes && (isRequest || service === "Stripe")) faults.push("late");
	if (isRequest) faults.push("clock");
	return faults;
}

/** The names of what a call reads and writes, or null if it may touch anything. Calls that do not conflict commute. */
type Footprint = { reads: readonly string[]; writes: readonly string[] } | null;

/** A call from the code under test to the outside. */
export interface Outgoing<Result> {
	/** Returns the call's description for the trace. */
	label: () => string;
	/** None by default. */
	faults?: readonly Fault[];
	touches: Footprint;
	/** Performs the call. */
	make: () => Result | Promise<Result>;
	/** Returns the error that the caller receives when the response is lost. */
	lost?: () => Error;
	/** Returns the received result as text. */
	textOf?: (result: Result) => string;
	signal?: AbortSignal | null | undefined;
	/** Returns whether the call can be performed yet. If omitted, the call can be performed immediately. */
	ready?: (() => boolean) | undefined;
	/** Whether the call is delayed even if no fault is injected. */
	slow?: boolean | undefined;
	/** Runs when the caller stops right after the call. */
	onCrash?: () => void;
}

/** A possible next step and its cost in preemptions and faults. */
export interface Option {
	call?: Parked;
	timer?: Timer;
	fault: Fault | null;
	preemptions: number;
	/** Whether the call's task was preempted and nothing that the call touches has changed since. Performing the call
	 *  before the preemption has the same result. */
	asleep?: boolean;
}

interface Parked extends Pick<Outgoing<unknown>, "label" | "touches" | "ready" | "onCrash"> {
	scope: Scope;
	faults: readonly Fault[];
	/** Performs the call and keeps the outcome. */
	make: () => Promise<void>;
	/** Returns the outcome to the caller. */
	deliver: () => string;
	lose: () => string;
	/** For a late call: the number of timers that had fired when it was delayed, and whether it has taken effect. */
	late: { since: number; made: boolean } | null;
}

/** Holds every outgoing call of the code under test until the call is chosen. */
export class Scheduler {
	readonly #clock: Clock;
	#parked: Parked[] = [];
	#current: string | null = null;
	#fired = 0;
	#asleep = new Set<Parked>();
	readonly scopes = new Set<Scope>();

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	reset(): void {
		this.#parked = [];
		this.#current = null;
		this.#fired = 0;
		this.#asleep.clear();
		this.scopes.clear();
	}

	/** Parks a call until it is chosen. Calls of a killed scope are never performed. */
	call<Result>(scope: Scope, outgoing: Outgoing<Result>): Promise<Result> {
		return new Promise((resolve, reject) => {
			if (!scope.alive) return;
			const { signal, label, faults = [], touches, ready, onCrash } = outgoing;
			if (signal?.aborted) return reject(signal.reason);
			signal?.addEventListener("abort", () => reject(signal.reason));
			let outcome: PromiseSettledResult<Result> | undefined;
			this.#parked.push({
				...{ scope, label, faults, touches, ready, ...(onCrash && { onCrash }) },
				late: outgoing.slow ? { since: this.#fired - 1, made: false } : null,
				make: async () => {
					[outcome] = await Promise.allSettled([scope.run(async () => outgoing.make())]);
				},
				deliver: () => {
					if (outcome?.status === "fulfilled") {
						resolve(outcome.value);
						return outgoing.textOf?.(outcome.value) ?? "";
					}
					reject(outcome?.reason);
					return String(outcome?.reason);
				},
				lose: () => {
					const error = outgoing.lost?.() ?? new Error("The response was lost.");
					reject(error);
					return String(error);
				},
			});
		});
	}

	/** Runs `work` in a scope. `work` must not reject. */
	start(scope: Scope, work: () => Promise<unknown>): void {
		this.scopes.add(scope);
		void scope.run(work).finally(() => {
			scope.done = true;
		});
	}

	/** Stops a scope and drops its timers and parked calls, except late ones. */
	kill(scope: Scope): void {
		scope.alive = false;
		this.#clock.clearOf(scope);
		this.#parked = this.#parked.filter((parked) => parked.late || parked.scope !== scope);
		scope.onDeath?.();
	}

	/** Lists the possible next steps: the default first, then the others without a preemption, then those with one, then
	 *  all of these with faults. Excludes timers that are due after `horizon`. */
	options(horizon: number, withFaults: boolean): Option[] {
		const ready = this.#parked.filter(({ scope, late, ready }) => !scope.frozen && !late && (ready?.() ?? true));
		// a late call of a frozen document takes effect, and is delivered when the document is shown again
		const late = this.#parked.filter(({ scope, late }) => late && !(scope.frozen && late.made));
		const overdue = late.filter(({ late }) => late && late.since < this.#fired);
		const timer = this.#clock.next();
		const timely = timer && timer.due <= horizon ? timer : undefined;
		if (ready.length === 0) {
			const options: Option[] = timely ? [{ timer: timely, fault: null, preemptions: 0 }] : [];
			for (const call of timely ? overdue : late) options.push({ call, fault: null, preemptions: 0 });
			return options;
		}
		const calls = this.#inOrder(ready);
		for (const call of overdue) calls.push({ call, fault: null, preemptions: 1 });
		if (!withFaults) return calls;
		const isTimed = calls.some(({ call }) => call?.faults.includes("clock"));
		const faulty: Option[] = timely && isTimed ? [{ timer: timely, fault: "clock", preemptions: 0 }] : [];
		for (const option of calls) {
			if (option.call?.late) continue;
			for (const fault of option.call?.faults ?? []) {
				if (fault !== "clock") faulty.push({ ...option, fault });
			}
		}
		return [...calls, ...faulty];
	}

	/** Lists the ready calls, those without a preemption first. */
	#inOrder(ready: Parked[]): Option[] {
		const continues = ready.some(({ scope }) => scope.task === this.#current);
		const seen = new Set<string>();
		const free: Option[] = [];
		const preempting: Option[] = [];
		for (const call of ready) {
			const { task } = call.scope;
			const isFree = !seen.has(task) && (!continues || task === this.#current);
			seen.add(task);
			const option = { call, fault: null, asleep: this.#asleep.has(call) };
			if (isFree) free.push({ ...option, preemptions: 0 });
			else preempting.push({ ...option, preemptions: 1 });
		}
		return [...free, ...preempting];
	}

	/** Performs a step and waits until all code is blocked again. Returns the result as text. */
	async take({ call, timer, fault, preemptions }: Option): Promise<string> {
		let text = "";
		if (preemptions > 0) this.#sleep();
		// also the task that this step preempts
		this.#wake(call?.touches ?? null);
		if (timer) {
			this.#fired += 1;
			this.#current = timer.scope.task;
			this.#clock.fire(timer);
		} else if (call) {
			text = await this.#perform(call, fault);
		}
		await this.settle();
		return text;
	}

	/** Puts the preempted task to sleep until something that its next call touches changes. */
	#sleep(): void {
		const own = this.#parked.filter(({ scope, late }) => !late && scope.task === this.#current);
		const [next, ...others] = own;
		if (next && others.length === 0) this.#asleep.add(next);
	}

	#wake(touched: Footprint): void {
		for (const call of this.#asleep) if (conflict(call.touches, touched)) this.#asleep.delete(call);
	}

	async #perform(call: Parked, fault: Fault | null): Promise<string> {
		const { scope } = call;
		this.#current = scope.task;
		if (fault === "late" || fault === "late response") {
			call.late = { since: this.#fired, made: fault === "late response" };
			if (call.late.made) await call.make();
			return "";
		}
		if (scope.frozen && call.late) {
			call.late.made = true;
			await call.make();
			return "";
		}
		this.#parked = this.#parked.filter((parked) => parked !== call);
		if (fault !== "fail" && !call.late?.made) await call.make();
		if (fault === "crash") {
			call.onCrash?.();
			this.kill(scope);
			return "";
		}
		// a late call whose scope was killed meanwhile
		if (!scope.alive) return "";
		const text = fault === null ? call.deliver() : call.lose();
		scope.note(`${text} at ${this.#clock.ms}`);
		return text;
	}

	/** Resolves when all code is blocked on a call or a timer. */
	async settle(): Promise<void> {
		await new Promise<void>((resolve) => setImmediate(resolve));
	}

	/** The state that determines the next steps of the code under test: what each scope has received and is blocked on. */
	get state(): string {
		const live = [...this.scopes].filter(({ alive, done, frozen }) => alive && (!done || frozen));
		const scopes = live.map(({ name, history, frozen }) => `${name} ${history} ${frozen}`);
		const calls = this.#parked.map(
			({ scope, label, late }) =>
				`${scope.name} ${scope.history} ${late ? `${label()} ${late.made} ${late.since < this.#fired}` : ""}`,
		);
		const timers = this.#clock.timers.map(({ scope, due }) => `${scope.name} ${due}`);
		const asleep = [...this.#asleep].map(({ scope }) => scope.name);
		return [this.#current, asleep.toSorted(), scopes.toSorted(), calls.toSorted(), timers.toSorted()].join("\n");
	}
}

function conflict(one: Footprint, other: Footprint): boolean {
	if (!one || !other) return true;
	const meet = (names: readonly string[], others: readonly string[]) => names.some((name) => others.includes(name));
	return meet(one.writes, [...other.reads, ...other.writes]) || meet(one.reads, other.writes);
}
