import type { Clock, Timer } from "./clock.ts";
import type { Scope, Task } from "./scope.ts";

/** What can go wrong with a call. fail: it never happens. lose: it happens, and its response is lost. crash: it
 *  happens, and then the caller is gone. late: it happens only after time has passed. late response: it happens, and its
 *  response arrives only after time has passed. clock: a timer fires although calls are under way. */
export type Fault = "fail" | "lose" | "crash" | "late" | "late response" | "clock";

/** What can go wrong with a server's call. A request has a time limit, and so has every call to Stripe; beyond it the call
 *  may still happen. Nothing is gained from a late read: its task is preempted, or a timer fires meanwhile. */
export function faultsOf({ isRequest }: Scope, service: "D1" | "Stripe", writes: boolean): Fault[] {
	const faults: Fault[] = writes ? ["fail", "lose", "crash"] : ["fail"];
	if (writes && (isRequest || service === "Stripe")) faults.push("late");
	if (isRequest) faults.push("clock");
	return faults;
}

/** What a call reads and writes, by any names; null: anything. Calls that do not touch the same can be swapped. */
export type Footprint = { reads: readonly string[]; writes: readonly string[] } | null;

/** A call that leaves the code under test. */
export interface Outgoing<Result> {
	/** For the trace. */
	label: () => string;
	faults: readonly Fault[];
	touches: Footprint;
	/** Has the call's effect. */
	make: () => Result | Promise<Result>;
	/** What the caller gets when the response is lost. */
	lost: () => Error;
	/** The result as text: what the caller has learned. */
	textOf: (result: Result) => string;
	signal?: AbortSignal | null | undefined;
	/** Whether the call can go; absent: at once. */
	ready?: () => boolean;
	/** The call is late, and that is no fault. */
	slow?: boolean | undefined;
}

/** What may happen next, and what that costs of the bounds. */
export interface Option {
	call?: Parked;
	timer?: Timer;
	fault: Fault | null;
	preemptions: number;
	/** It has been preempted, and nothing has happened since that its next call could notice: the same would come of
	 *  making the call first. */
	asleep?: boolean;
}

interface Parked {
	scope: Scope;
	label: () => string;
	faults: readonly Fault[];
	touches: Footprint;
	ready: (() => boolean) | undefined;
	/** Has the effect, and keeps the outcome. */
	make: () => Promise<void>;
	/** Hands the outcome, or the loss of it, to the caller. */
	deliver: () => string;
	lose: () => string;
	/** For a late call: how many timers had fired by then, and whether its effect has happened. */
	late: { since: number; made: boolean } | null;
}

const nextTurn = setImmediate;

/** Decides which call goes next. Every outgoing call of the code under test waits here. */
export class Scheduler {
	readonly #clock: Clock;
	#parked: Parked[] = [];
	#current: Task | null = null;
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

	/** Parks a call until it is chosen. The calls of a scope that is gone never happen. */
	call<Result>(scope: Scope, outgoing: Outgoing<Result>): Promise<Result> {
		return new Promise((resolve, reject) => {
			if (!scope.alive) return;
			const { signal, label, faults, touches, ready, textOf } = outgoing;
			if (signal?.aborted) return reject(signal.reason);
			signal?.addEventListener("abort", () => reject(signal.reason));
			let outcome: PromiseSettledResult<Result> | undefined;
			this.#parked.push({
				...{ scope, label, faults, touches, ready },
				late: outgoing.slow ? { since: this.#fired - 1, made: false } : null,
				make: async () => {
					[outcome] = await Promise.allSettled([scope.run(outgoing.make)]);
				},
				deliver: () => {
					if (outcome?.status === "fulfilled") {
						const text = textOf(outcome.value);
						resolve(outcome.value);
						return text;
					}
					reject(outcome?.reason);
					return String(outcome?.reason);
				},
				lose: () => {
					const error = outgoing.lost();
					reject(error);
					return String(error);
				},
			});
		});
	}

	/** Starts code of its own. Its failure is for `work` to handle. */
	start(scope: Scope, work: () => Promise<void>): void {
		this.scopes.add(scope);
		void scope.run(work).finally(() => {
			scope.done = true;
		});
	}

	/** Ends a scope: its timers and its calls that have not gone out yet never happen. */
	kill(scope: Scope): void {
		scope.alive = false;
		this.#clock.clearOf(scope);
		this.#parked = this.#parked.filter((parked) => parked.late || parked.scope !== scope);
		scope.onDeath?.();
	}

	/** What may happen next: the default first, then what is free, then preemptions, then the same with faults. No timer
	 *  later than `horizon` fires. */
	options(horizon: number, withFaults: boolean): Option[] {
		const ready = this.#parked.filter(({ late, ready }) => !late && (ready?.() ?? true));
		const late = this.#parked.filter((parked) => parked.late);
		const timer = this.#clock.next();
		const timely = timer && timer.due <= horizon ? timer : undefined;
		if (ready.length === 0) {
			const options: Option[] = timely ? [{ timer: timely, fault: null, preemptions: 0 }] : [];
			for (const call of late) {
				if (timely && call.late?.since === this.#fired) continue;
				options.push({ call, fault: null, preemptions: 0 });
			}
			return options;
		}
		const calls = this.#inOrder(ready);
		for (const call of late) {
			if (call.late && call.late.since < this.#fired) calls.push({ call, fault: null, preemptions: 1 });
		}
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

	/** The ready calls, those that cost nothing first. */
	#inOrder(ready: Parked[]): Option[] {
		const continues = ready.some(({ scope }) => scope.task === this.#current);
		const seen = new Set<Task>();
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

	/** Lets it happen, and waits until all code waits again. Returns the result as text. */
	async take({ call, timer, fault, preemptions }: Option): Promise<string> {
		let text = "";
		this.#wake(call?.touches ?? null);
		if (preemptions > 0) this.#sleep();
		if (timer) {
			this.#fired += 1;
			this.#current = timer.scope.task;
			this.#clock.fire(timer);
		} else if (call) {
			text = await this.#perform(call, fault);
		}
		await this.quiet();
		return text;
	}

	/** The current task is preempted: it sleeps until something happens that its next call touches. */
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
		this.#parked = this.#parked.filter((parked) => parked !== call);
		if (fault !== "fail" && !call.late?.made) await call.make();
		if (fault === "crash") {
			this.kill(scope);
			return "";
		}
		// a late call of code that is gone by now
		if (!scope.alive) return "";
		const text = fault === null ? call.deliver() : call.lose();
		scope.note(`${text} at ${this.#clock.ms}`);
		return text;
	}

	/** Resolves when everything that runs has come to wait for a call or a timer. */
	async quiet(): Promise<void> {
		await new Promise<void>((resolve) => nextTurn(resolve));
	}

	/** A digest of what the code under test will do next: for each scope what it has received, and what it waits for. */
	get state(): string {
		const live = [...this.scopes].filter((scope) => scope.alive && !scope.done);
		const scopes = live.map(({ name, history }) => `${name} ${history}`);
		const calls = this.#parked.map(
			({ scope, label, late }) =>
				`${scope.name} ${scope.history} ${late ? `${label()} ${late.made} ${late.since < this.#fired}` : ""}`,
		);
		const timers = this.#clock.timers.map(({ scope, due }) => `${scope.name} ${due}`);
		const asleep = [...this.#asleep].map(({ scope }) => scope.name);
		return [this.#current?.name, asleep.toSorted(), scopes.toSorted(), calls.toSorted(), timers.toSorted()].join("\n");
	}
}

function conflict(one: Footprint, other: Footprint): boolean {
	if (!one || !other) return true;
	const writes = (by: NonNullable<Footprint>, name: string) => by.writes.includes(name);
	return (
		one.writes.some((name) => writes(other, name) || other.reads.includes(name)) ||
		one.reads.some((name) => writes(other, name))
	);
}
