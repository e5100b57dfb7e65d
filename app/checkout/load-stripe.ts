import type { Stripe } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { withTimeout } from "#app/ui/timeout.ts";

/** Timeout of the script, and then of the card input's frame, in milliseconds. */
export const loadTimeout = 20_000;

let loading: Promise<Stripe> | undefined;

/** Loads Stripe.js from `scriptUrl`, or from Stripe if `scriptUrl` is null, once per document unless that fails. Logs a
 *  warning and rejects if it fails or takes too long. */
export function getStripe(publishableKey: string, scriptUrl: string | null): Promise<Stripe> {
	loading ??= load(publishableKey, scriptUrl).catch((error: unknown) => {
		forgetStripe();
		console.warn("The payment script could not be loaded.", error);
		throw error;
	});
	return loading;
}

/** Makes the next call of `getStripe` load the script if it has failed, and create another Stripe object, which loads its
 *  frames again. */
export function forgetStripe(): void {
	loading = undefined;
}

async function load(publishableKey: string, scriptUrl: string | null): Promise<Stripe> {
	// loadStripe would use any value, such as another program's function or an element with the id "Stripe"
	if (!Object(window.Stripe).version) window.Stripe = undefined;
	const earlier = document.querySelector<HTMLScriptElement>("script[src*='/stripe.js']");
	// for the same URL, Chromium would send no request while the earlier one is pending
	const src = earlier ? `${earlier.src}?attempt=${Date.now()}` : scriptUrl;
	if (src && !window.Stripe) {
		const script = document.createElement("script");
		const ended = new Promise((resolve) => Object.assign(script, { src, onload: resolve, onerror: resolve }));
		document.head.appendChild(script);
		await withTimeout(loadTimeout, ended);
		if (!window.Stripe) throw new Error(`Failed to load ${src}`);
		// loadStripe may still be waiting for the earlier script, if it has added that one
		earlier?.dispatchEvent(new Event("load"));
	}
	const stripe = await withTimeout(loadTimeout, loadStripe(publishableKey));
	if (!stripe) throw new Error("Call getStripe in a browser.");
	return stripe;
}
