import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { hashInTurn } from "./hash-queue.server.ts";

const timeout = 4000;
/** Number of hashes that can start within the timeout. */
const capacity = 25;

let started: string[] = [];
beforeAll(() => void vi.useFakeTimers());
afterAll(() => void vi.useRealTimers());
beforeEach(async () => {
	// lets all earlier waits time out
	await vi.advanceTimersByTimeAsync(60_000);
	started = [];
});

/** Requests `count` concurrent hashes from one address. Each hash blocks for `milliseconds`. */
const request = (count: number, address = "a", milliseconds = 0) =>
	Promise.all(
		Array.from({ length: count }, () =>
			hashInTurn(address, timeout, async () => {
				started.push(address);
				// lets the other requests join the queue first
				await Promise.resolve();
				vi.setSystemTime(Date.now() + milliseconds);
				return "hash";
			}),
		),
	);

const busy = (results: string[]) => results.filter((result) => result === "busy").length;

test("the first hash starts immediately", async () => {
	const results = request(1);
	expect(started).toEqual(["a"]);
	expect(await results).toEqual(["hash"]);
});

test("concurrent hashes start one at a time, 160 ms apart", async () => {
	const results = request(3);
	for (const turn of [1, 2, 3]) {
		expect(started).toHaveLength(turn);
		await vi.advanceTimersByTimeAsync(159);
		expect(started).toHaveLength(turn);
		await vi.advanceTimersByTimeAsync(1);
	}
	expect(await results).toEqual(["hash", "hash", "hash"]);
});

test("after a long hash, the next one starts only after 50 ms", async () => {
	await request(1, "a", 1000);
	const results = request(1);
	await vi.advanceTimersByTimeAsync(49);
	expect(started).toHaveLength(1);
	await vi.advanceTimersByTimeAsync(1);
	expect(started).toHaveLength(2);
	await vi.runAllTimersAsync();
	await results;
});

test("of 300 concurrent hashes, those that can start in time run, and the rest return busy immediately", async () => {
	let refused = 0;
	const results = Array.from({ length: 300 }, () =>
		request(1).then(([result]) => {
			if (result === "busy") refused++;
		}),
	);
	await vi.advanceTimersByTimeAsync(20);
	expect(refused).toBe(300 - capacity - 1);
	await vi.advanceTimersByTimeAsync(timeout);
	await Promise.all(results);
	expect(started).toHaveLength(capacity);
});

test("an address that floods the queue delays another address by one hash, even if the queue is full", async () => {
	const flood = request(300, "flood");
	const shopper = request(1, "shopper");
	await vi.advanceTimersByTimeAsync(320);
	expect(started).toEqual(["flood", "flood", "shopper"]);
	expect(await shopper).toEqual(["hash"]);
	await vi.runAllTimersAsync();
	await flood;
});

test("four addresses that flood the queue delay another address by one hash each", async () => {
	const floods = ["1", "2", "3", "4"].map((address) => request(25, address));
	await vi.advanceTimersByTimeAsync(700);
	started = [];
	const shopper = request(1, "shopper");
	await vi.advanceTimersByTimeAsync(5 * 160);
	expect(started).toContain("shopper");
	expect(await shopper).toEqual(["hash"]);
	await vi.runAllTimersAsync();
	await Promise.all(floods);
});

test("an address that floods the queue delays another address by one hash, even if timers fire late", async () => {
	const pages = setInterval(() => vi.setSystemTime(Date.now() + 200), 50);
	const flood = request(10, "flood");
	const shopper = request(1, "shopper");
	await vi.advanceTimersByTimeAsync(2000);
	clearInterval(pages);
	expect(started.slice(0, 3)).toEqual(["flood", "flood", "shopper"]);
	expect(await shopper).toEqual(["hash"]);
	await flood;
});

test("a hash that cannot start within the timeout returns busy", async () => {
	const slow = request(25, "a", 1000);
	await vi.advanceTimersByTimeAsync(2 * timeout);
	const results = await slow;
	expect(busy(results)).toBe(25 - started.length);
	expect(started.length).toBeLessThan(6);
});

test("a request that is canceled while waiting is skipped", async () => {
	const first = request(1);
	// a canceled request is never resumed
	const realSetTimeout = setTimeout;
	const never = vi.spyOn(globalThis, "setTimeout").mockImplementation(() => realSetTimeout(() => undefined, 0));
	void request(1, "canceled");
	never.mockRestore();
	const next = request(1, "next");
	await vi.advanceTimersByTimeAsync(160 + 100 + 20);
	expect(started).toEqual(["a", "next"]);
	expect(await Promise.all([first, next])).toEqual([["hash"], ["hash"]]);
});

test("a failing hash rejects and lets the next one start", async () => {
	const failed = hashInTurn("a", timeout, () => Promise.reject(new Error("no memory")));
	const next = request(1);
	await expect(failed).rejects.toThrow("no memory");
	await vi.runAllTimersAsync();
	expect(await next).toEqual(["hash"]);
});
