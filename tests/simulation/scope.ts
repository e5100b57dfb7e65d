import { AsyncLocalStorage } from "node:async_hooks";
import { hash } from "node:crypto";

/** Code that is killed as a unit: a tab, a request on the server, or a run of the cron. Several scopes can be one task:
 *  a tab and the requests that it waits for. Switching away from a task that could continue is a preemption. */
export class Scope {
	readonly name: string;
	/** The name of the task. */
	readonly task: string;
	alive = true;
	/** Whether this is a document in the back/forward cache: its timers do not fire, and nothing is delivered to it. */
	frozen = false;
	/** Whether this is a request from a browser, to which the shop responds within a time limit. */
	readonly isRequest: boolean;
	/** Whether the scope's code has returned. The scope's calls may still be in progress. */
	done = false;
	/** Runs when the scope is killed. */
	onDeath: (() => void) | null = null;
	/** A digest of everything this code has received. It determines the code's state, because the code is
	 *  deterministic. */
	history = "";
	#drawn = 0;
	#children = 0;

	constructor(name: string, task = name, isRequest = false) {
		this.name = name;
		this.task = task;
		this.isRequest = isRequest;
	}

	/** Returns a unique name for a request of this scope. */
	nextChild(label: string): string {
		this.#children += 1;
		return `${this.name} ${label} #${this.#children}`;
	}

	note(received: string): void {
		this.history = hash("md5", this.history + received);
	}

	/** Returns a number from 0 to 2^32 - 1. Each scope has its own sequence, so that ids do not depend on the order in
	 *  which tasks run. */
	random(): number {
		this.#drawn += 1;
		return Number.parseInt(hash("md5", `${this.name} ${this.#drawn}`).slice(0, 8), 16);
	}

	run<Result>(work: () => Result): Result {
		return storage.run(this, work);
	}
}

const storage = new AsyncLocalStorage<Scope>();

export function currentScope(): Scope {
	const scope = storage.getStore();
	if (!scope) throw new Error("This code runs outside of a scope. Start it with scope.run().");
	return scope;
}
