import type { Clock } from "./clock.ts";
import { currentScope } from "./scope.ts";

/** A line of the shop's log, and how it was logged. */
export type Logged = { level: "info" | "warn" | "error" } & Record<string, unknown>;

/** Replaces the globals that the shop and the emulator use with virtual time, repeatable random numbers and a console
 *  that writes to `logs`. Returns a function that restores them. */
export function replaceGlobals(clock: Clock, logs: Logged[]): () => void {
	const setTimer = (work: (...args: unknown[]) => void, delay = 0, ...args: unknown[]) =>
		clock.set(currentScope(), delay, () => work(...args));
	const restore = [
		replace(globalThis, "setTimeout", setTimer),
		replace(globalThis, "clearTimeout", (timer: unknown) => clock.clear(timer)),
		replace(globalThis, "scheduler", { wait: (delay: number) => wait(clock, delay) }),
		replace(AbortSignal, "timeout", (delay: number) => {
			const controller = new AbortController();
			setTimer(() => controller.abort(new DOMException("The operation timed out.", "TimeoutError")), delay);
			return controller.signal;
		}),
		replace(Date, "now", () => clock.ms),
		replace(performance, "now", () => clock.ms),
		replace(Math, "random", () => currentScope().random() / 2 ** 32),
		replace(crypto, "getRandomValues", fillRandom),
		replace(crypto, "randomUUID", randomUuid),
		...(["info", "warn", "error"] as const).map((level) =>
			replace(console, level, (line: string) => void logs.push({ level, ...JSON.parse(line) })),
		),
	];
	return () => {
		for (const undo of restore.toReversed()) undo();
	};
}

function wait(clock: Clock, delay: number): Promise<void> {
	// a timer would add a step to the schedule
	if (delay === 0) return Promise.resolve();
	return new Promise((resolve) => clock.set(currentScope(), delay, resolve));
}

function fillRandom<Values extends ArrayBufferView>(values: Values): Values {
	const scope = currentScope();
	const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
	bytes.set(bytes.map(() => scope.random()));
	return values;
}

function randomUuid(): string {
	const hex = Buffer.from(fillRandom(new Uint8Array(16))).toString("hex");
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

function replace(target: object, name: string, value: unknown): () => void {
	const before = Object.getOwnPropertyDescriptor(target, name);
	Object.defineProperty(target, name, { value, configurable: true, writable: true });
	return () => {
		if (before) Object.defineProperty(target, name, before);
		else Reflect.deleteProperty(target, name);
	};
}
