import { loadStripe } from "@stripe/stripe-js/pure";
import { afterEach, expect, test, vi } from "vitest";
import { stripeScriptUrl } from "./load-stripe.ts";

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
