import { expect, test, vi } from "vitest";
import { createStore } from "#app/ui/store.ts";
import { runWork, wait } from "./work.ts";

test("starts the work of a state once, and aborts what is not part of the next state", async () => {
	const log: string[] = [];
	const store = createStore((_: string, next: string) => next, "");
	const reports: Record<string, (event: string) => void> = {};
	const work = (name: string) => ({
		key: ["letter", name],
		start(dispatch: (event: string) => void, signal: AbortSignal) {
			log.push(`starts ${name}`);
			signal.addEventListener("abort", () => log.push(`aborts ${name}`));
			reports[name] = dispatch;
		},
	});
	runWork(store, (state) => [null, ...[...state].map(work)]);
	store.dispatch("ab");
	store.dispatch("ba");
	expect(log.splice(0)).toEqual(["starts a", "starts b"]);
	store.dispatch("a");
	expect(log.splice(0)).toEqual(["aborts b"]);
	reports["b"]?.("d");
	expect(store.getState()).toBe("a");
	reports["a"]?.("b");
	expect(log.splice(0)).toEqual(["aborts a", "starts b"]);
	store.dispatch("a");
	expect(log).toEqual(["aborts b", "starts a"]);
});

test("wait resolves after the delay, or at once when it is aborted", async () => {
	vi.useFakeTimers();
	const controller = new AbortController();
	const waits = [wait(1000, new AbortController().signal), wait(1000, controller.signal)];
	const log: string[] = [];
	for (const [index, waiting] of waits.entries()) void waiting.then(() => log.push(`wait ${index}`));
	controller.abort();
	await vi.advanceTimersByTimeAsync(999);
	expect(log).toEqual(["wait 1"]);
	expect(vi.getTimerCount()).toBe(1);
	await vi.advanceTimersByTimeAsync(1);
	expect(log).toEqual(["wait 1", "wait 0"]);
	vi.useRealTimers();
});
