import { loadStripe } from "@stripe/stripe-js/pure";
import { afterEach, expect, test, vi } from "vitest";
import { forgetStripe, getStripe, stripeScriptUrl } from "./load-stripe.ts";

afterEach(() => vi.unstubAllGlobals());

/** Opens a page with this window.Stripe. Returns its window, and the scripts that are added to it. */
function openPage(Stripe: unknown) {
	const scripts: { onload?: () => void; onerror?: () => void }[] = [];
	const page = { Stripe };
	vi.stubGlobal("window", page);
	vi.stubGlobal("document", {
		head: { appendChild: (script: object) => scripts.push(script) },
		createElement: () => ({}),
	});
	return { page, scripts };
}

test("the script has the version of Stripe.js that @stripe/stripe-js describes", () => {
	const appendChild = vi.fn();
	vi.stubGlobal("window", {});
	vi.stubGlobal("document", {
		head: { appendChild },
		createElement: () => ({ addEventListener() {} }),
		querySelectorAll: () => [],
	});
	void loadStripe("pk_test_1");
	expect(appendChild).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ src: stripeScriptUrl }));
});

test("a script that has failed to load is loaded again by the next call", async () => {
	vi.spyOn(console, "warn").mockReturnValue();
	const { page, scripts } = openPage({});
	const first = getStripe("pk_test_1", null);
	scripts[0]?.onerror?.();
	await expect(first).rejects.toThrow("Failed to load");
	const stripe = { confirmCardPayment() {} };
	page.Stripe = () => stripe;
	expect(await getStripe("pk_test_1", null)).toBe(stripe);
});

test.each([
	["returns nothing", () => undefined],
	["returns another object", () => ({ elements: "none" })],
	[
		"throws",
		() => {
			throw new TypeError("Illegal invocation");
		},
	],
])("a function of another program in window.Stripe that %s is not used, and Stripe.js is loaded", async (_, Stripe) => {
	vi.spyOn(console, "warn").mockReturnValue();
	forgetStripe();
	const { page, scripts } = openPage(Stripe);
	const kept = getStripe("pk_test_1", null);
	scripts[0]?.onload?.();
	await expect(kept).rejects.toThrow();
	const replaced = getStripe("pk_test_1", null);
	const stripe = { confirmCardPayment() {} };
	page.Stripe = () => stripe;
	scripts[1]?.onload?.();
	expect(await replaced).toBe(stripe);
});
