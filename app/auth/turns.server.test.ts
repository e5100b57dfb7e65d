import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { inTurn, isTurnSoon } from "./turns.server.ts";

let started = 0;
beforeAll(() => void vi.useFakeTimers());
afterAll(() => void vi.useRealTimers());
beforeEach(async () => {
	// whatever was waited for before is long done
	await vi.advanceTimersByTimeAsync(60_000);
	started = 0;
});

/** Asks for so many turns at once; each takes `milliseconds`, in which nothing else happens. */
const ask = (count: number, milliseconds = 0) =>
	Promise.all(
		Array.from({ length: count }, () =>
			inTurn(async () => {
				vi.setSystemTime(Date.now() + milliseconds);
				return ++started;
			}),
		),
	);

test("the first turn is now", async () => {
	const answers = ask(1);
	expect(started).toBe(1);
	expect(await answers).toEqual([1]);
});

test("turns that are asked for together come one after the other, with time for pages in between", async () => {
	const answers = ask(3);
	for (const turn of [1, 2, 3]) {
		expect(started).toBe(turn);
		await vi.advanceTimersByTimeAsync(159);
		expect(started).toBe(turn);
		await vi.advanceTimersByTimeAsync(1);
	}
	expect(await answers).toEqual([1, 2, 3]);
});

test("after one that took long there is time for pages too", async () => {
	await ask(1, 1000);
	const answers = ask(1);
	await vi.advanceTimersByTimeAsync(49);
	expect(started).toBe(1);
	await vi.advanceTimersByTimeAsync(1);
	expect(started).toBe(2);
	await vi.runAllTimersAsync();
	await answers;
});

test("50 turns are had in time, and one more is not soon", async () => {
	const answers = ask(49);
	expect(isTurnSoon(8000)).toBe(true);
	const last = ask(1);
	expect(isTurnSoon(8000)).toBe(false);
	await vi.advanceTimersByTimeAsync(8000);
	expect(started).toBe(50);
	await Promise.all([answers, last]);
	expect(isTurnSoon(8000)).toBe(true);
});

test("work that fails gives the next its turn, and says why", async () => {
	const failed = inTurn(() => Promise.reject(new Error("no memory")));
	const next = ask(1);
	await expect(failed).rejects.toThrow("no memory");
	await vi.runAllTimersAsync();
	expect(await next).toEqual([1]);
});
