import { loadStripe } from "@stripe/stripe-js/pure";
import { afterEach, expect, test, vi } from "vitest";
import { getStripe, stripeScriptUrl } from "./load-stripe.ts";

afterEach(() => vi.unstubAllGlobals());

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
	const scripts: { onload?: () => void; onerror?: () => void }[] = [];
	const page = { Stripe: {} };
	vi.stubGlobal("window", page);
	vi.stubGlobal("document", {
		head: { appendChild: (script: object) => scripts.push(script) },
		createElement: () => ({}),
	});
	const first = getStripe("pk_test_1", null);
	scripts[0]?.onerror?.();
	await expect(first).rejects.toThrow("Failed to load");
	page.Stripe = (key: string) => `Stripe of ${key}`;
	expect(await getStripe("pk_test_1", null)).toBe("Stripe of pk_test_1");
});
