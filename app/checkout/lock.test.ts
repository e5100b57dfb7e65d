import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { lock } from "./lock.ts";

const page = new EventTarget();
const request = vi.fn((_name: string, _options: LockOptions, _hold: () => Promise<void>) => Promise.resolve());

beforeEach(() => {
	vi.stubGlobal("navigator", { locks: { request } });
	vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
});
afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
});

let mayLeave = true;

/** Acquires a lock. Returns whether it is held. */
function acquire() {
	const acquired = lock("pi_1", () => mayLeave, { steal: true });
	const [name, options, hold] = request.mock.lastCall ?? [];
	expect([name, options]).toEqual(["pi_1", { steal: true }]);
	let isHeld = true;
	void hold?.().then(() => {
		isHeld = false;
	});
	return { acquired, isHeld: () => Promise.resolve().then(() => isHeld) };
}

test("a lock is held until the shopper leaves the page, even after hours", async () => {
	vi.useFakeTimers();
	const { acquired, isHeld } = acquire();
	await acquired;
	expect(await isHeld()).toBe(true);
	vi.advanceTimersByTime(24 * 3_600_000);
	expect(await isHeld()).toBe(true);
	page.dispatchEvent(new Event("beforeunload"));
	expect(await isHeld()).toBe(false);
});

test("a page that must not be left keeps its lock, also if it asks the shopper to stay only later", async () => {
	mayLeave = false;
	const { isHeld } = acquire();
	page.addEventListener("beforeunload", (event) => event.preventDefault(), { once: true });
	page.dispatchEvent(new Event("beforeunload", { cancelable: true }));
	expect(await isHeld()).toBe(true);
	mayLeave = true;
	page.dispatchEvent(new Event("beforeunload"));
	expect(await isHeld()).toBe(false);
});

test.each([
	["lacks locks", {}],
	["denies locks", { locks: { request: () => Promise.reject(new DOMException("Denied", "SecurityError")) } }],
])("in a browser that %s, a lock is never acquired", async (_, navigator) => {
	vi.stubGlobal("navigator", navigator);
	const acquired = vi.fn();
	void lock("pi_1", () => true).then(acquired);
	await new Promise(setImmediate);
	expect(acquired).not.toHaveBeenCalled();
});
