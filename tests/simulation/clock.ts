import type { Scope } from "./scope.ts";

/** One pending `setTimeout`. */
export interface Timer {
	/** Virtual milliseconds since 1970. */
	due: number;
	scope: Scope;
	fire: () => void;
}

/** Virtual time. It advances only when a timer fires or `ms` is set. */
export class Clock {
	ms = 0;
	#timers: Timer[] = [];

	reset(ms: number): void {
		this.ms = ms;
		this.#timers = [];
	}

	get timers(): readonly Timer[] {
		return this.#timers;
	}

	/** Returns the timer that fires first. If two are due at the same time, returns the one set first. */
	next(): Timer | undefined {
		let next: Timer | undefined;
		for (const timer of this.#timers) if (!timer.scope.frozen && (!next || timer.due < next.due)) next = timer;
		return next;
	}

	/** Returns the timer, which `clear` receives. */
	set(scope: Scope, delay: number, fire: () => void): Timer {
		const timer = { due: this.ms + Math.max(delay, 0), scope, fire };
		this.#timers.push(timer);
		return timer;
	}

	clear(cleared: unknown): void {
		this.#timers = this.#timers.filter((timer) => timer !== cleared);
	}

	clearOf(scope: Scope): void {
		this.#timers = this.#timers.filter((timer) => timer.scope !== scope);
	}

	/** Runs the timer, after advancing time to when it is due unless that has already passed. */
	fire(timer: Timer): void {
		this.clear(timer);
		this.ms = Math.max(this.ms, timer.due);
		timer.scope.note(`timer at ${this.ms}`);
		timer.scope.run(timer.fire);
	}
}
