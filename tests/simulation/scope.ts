import { AsyncLocalStorage } from "node:async_hooks";
import { hash } from "node:crypto";

/** A thread of the simulation: switching away from one that could continue is a preemption. A tab and the requests that
 *  it waits for are one task. */
export interface Task {
	readonly name: string;
}

/** Code that lives and dies together: a tab, one request at the server, one run of the cron. */
export class Scope {
	readonly name: string;
	readonly task: Task;
	alive = true;
	/** A request from a browser: the shop answers it within a time limit, whatever is late. */
	readonly isRequest: boolean;
	/** Its code has returned; a call of it may still be under way. */
	done = false;
	/** Runs when the scope is killed. */
	onDeath: (() => void) | null = null;
	/** A digest of everything this code has received. Code is deterministic, so this and the start determine its state. */
	history = "";
	#random: number;
	#children = 0;

	constructor(name: string, task: Task, isRequest = false) {
		this.name = name;
		this.task = task;
		this.isRequest = isRequest;
		this.#random = seedOf(name);
	}

	/** The name for one more request of this scope. */
	nextChild(label: string): string {
		this.#children += 1;
		return `${this.name} ${label} #${this.#children}`;
	}

	note(received: string): void {
		this.history = hash("md5", this.history + received);
	}

	/** A number from 0 to 2^32 - 1. Each scope draws from a sequence of its own, so that ids do not depend on the order
	 *  in which tasks run. */
	random(): number {
		this.#random = (this.#random + 0x6d2b79f5) | 0;
		let mixed = Math.imul(this.#random ^ (this.#random >>> 15), 1 | this.#random);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return (mixed ^ (mixed >>> 14)) >>> 0;
	}

	run<Result>(work: () => Result): Result {
		return storage.run(this, work);
	}
}

const storage = new AsyncLocalStorage<Scope>();

/** The scope whose code is running. */
export function currentScope(): Scope {
	const scope = storage.getStore();
	if (!scope) throw new Error("This code runs outside of every scope; start it with scope.run().");
	return scope;
}

function seedOf(name: string): number {
	let seed = 0x811c9dc5;
	for (let index = 0; index < name.length; index++) seed = Math.imul(seed ^ name.charCodeAt(index), 0x01000193);
	return seed | 0;
}
