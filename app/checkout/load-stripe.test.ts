import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { forgetStripe, getStripe } from "./load-stripe.ts";

const url = "https://shop.test/stripe.js";
const stripe = { confirmCardPayment() {} };
const create = vi.fn(() => stripe);
const stripeJs = Object.assign(create, { version: "endive" });

/** The scripts that are added to the page. */
let scripts: (EventTarget & { src: string; onload?: () => void; onerror?: () => void })[];
let page: { Stripe?: unknown };

beforeEach(() => {
	vi.useFakeTimers();
	vi.spyOn(console, "warn").mockReturnValue();
	create.mockClear();
	scripts = [];
	page = {};
	vi.stubGlobal("window", page);
	vi.stubGlobal("document", {
		head: { appendChild: (script: (typeof scripts)[number]) => scripts.push(script) },
		createElement: () => Object.assign(new EventTarget(), { src: "" }),
		querySelector: () => scripts[0] ?? null,
		querySelectorAll: (selector: string) => scripts.filter(({ src }) => src.startsWith(selector.split('"')[1] ?? "")),
	});
	forgetStripe();
});
afterEach(() => {
	vi.useRealTimers();
	vi.unstubAllGlobals();
	vi.mocked(console.warn).mockRestore();
});

/** Ends the loading of the latest script, which has set window.Stripe unless it has failed. */
function end(event: "onload" | "onerror", Stripe?: unknown): void {
	page.Stripe = Stripe;
	scripts.at(-1)?.[event]?.();
}

// the first test, because loadStripe keeps what it has loaded
test("without a script of our own, loadStripe loads Stripe's, also after a script that does not respond", async () => {
	const first = expect(getStripe("pk_test_1", null)).rejects.toThrow();
	await vi.advanceTimersByTimeAsync(20_000);
	await first;
	const second = getStripe("pk_test_1", null);
	expect(scripts.map(({ src }) => src.split("?")[0])).toEqual(Array(2).fill("https://js.stripe.com/endive/stripe.js"));
	end("onload", stripeJs);
	expect(await second).toBe(stripe);
});

test("a script of our own is loaded once, and forgetStripe makes the next call create another Stripe object", async () => {
	const loading = getStripe("pk_test_1", url);
	expect(getStripe("pk_test_1", url)).toBe(loading);
	end("onload", stripeJs);
	expect(await loading).toBe(stripe);
	forgetStripe();
	expect(await getStripe("pk_test_1", url)).toBe(stripe);
	expect(scripts.map(({ src }) => src)).toEqual([url]);
	expect(create.mock.calls).toEqual([["pk_test_1"], ["pk_test_1"]]);
});

test("a script that has failed to load is loaded again by the next call, under another URL", async () => {
	const first = getStripe("pk_test_1", url);
	end("onerror");
	await expect(first).rejects.toThrow(`Failed to load ${url}`);
	expect(console.warn).toHaveBeenCalledOnce();
	const second = getStripe("pk_test_1", url);
	expect(scripts[1]?.src).toMatch(/^https:\/\/shop\.test\/stripe\.js\?attempt=\d+$/);
	end("onload", stripeJs);
	expect(await second).toBe(stripe);
});

test("a script that does not respond for 20 seconds has failed", async () => {
	const loading = expect(getStripe("pk_test_1", url)).rejects.toThrow();
	await vi.advanceTimersByTimeAsync(20_000);
	await loading;
});

test.each([
	["a function of another program", () => ({ elements: "none" })],
	["an element with this id", { id: "Stripe" }],
])("%s in window.Stripe is not used", async (_, Stripe) => {
	page.Stripe = Stripe;
	const loading = getStripe("pk_test_1", url);
	expect(scripts).toHaveLength(1);
	end("onload", stripeJs);
	expect(await loading).toBe(stripe);
});
