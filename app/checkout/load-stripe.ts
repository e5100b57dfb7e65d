import type { Stripe } from "@stripe/stripe-js";
import { withTimeout } from "#app/http/timeout.ts";
import { tryApi } from "#app/ui/try-api.ts";

/** Timeout of the script, and then of the card input's frame, in milliseconds. */
export const loadTimeout = 20_000;

/** The script that loadStripe of @stripe/stripe-js would add, and for which it would wait without a timeout. */
export const stripeScriptUrl = "https://js.stripe.com/endive/stripe.js";

let loading: Promise<Stripe> | undefined;
let addedScripts = 0;

/** Loads Stripe.js from `scriptUrl`, or from Stripe if `scriptUrl` is null. Loads the script only once per document,
 *  unless loading fails. Rejects and logs a warning if the script cannot be loaded in time. */
export function getStripe(publishableKey: string, scriptUrl: string | null): Promise<Stripe> {
	loading ??= load(publishableKey, scriptUrl ?? stripeScriptUrl).catch((error: unknown) => {
		forgetStripe();
		console.warn("The payment script could not be loaded.", error);
		throw error;
	});
	return loading;
}

/** Makes the next call of `getStripe` create a new Stripe object, which loads its frames again. */
export function forgetStripe(): void {
	loading = undefined;
}

async function load(publishableKey: string, scriptUrl: string): Promise<Stripe> {
	const stripe =
		tryApi(() => create(publishableKey)) ??
		(await withTimeout(loadTimeout, addScript(scriptUrl)).then(() => create(publishableKey)));
	if (!stripe) throw new Error(`Failed to load ${scriptUrl}`);
	return stripe;
}

/** Returns a Stripe object, or null before Stripe.js has run: window.Stripe may be another program's function, or an
 *  element with the id "Stripe". */
function create(publishableKey: string): Stripe | null {
	const stripe = typeof window.Stripe === "function" ? window.Stripe(publishableKey) : null;
	return typeof stripe?.confirmCardPayment === "function" ? stripe : null;
}

/** Resolves once the script has loaded or failed. */
function addScript(src: string): Promise<void> {
	const script = document.createElement("script");
	// for the same URL, Chromium would send no request while the previous one is pending
	script.src = addedScripts++ === 0 ? src : `${src}?attempt=${addedScripts}`;
	document.head.appendChild(script);
	return new Promise((resolve) => {
		script.onload = script.onerror = () => resolve();
	});
}
