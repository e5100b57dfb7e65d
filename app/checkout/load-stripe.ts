import type { Stripe, StripeConstructor } from "@stripe/stripe-js";
import { withTimeout } from "#app/http/timeout.ts";

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
	const create = findStripe() ?? (await withTimeout(loadTimeout, addScript(scriptUrl)));
	if (!create) throw new Error(`Failed to load ${scriptUrl}`);
	return create(publishableKey);
}

/** Returns what Stripe.js has defined; null before it has run. Any element with the id "Stripe" is window.Stripe, too. */
const findStripe = () => (typeof window.Stripe === "function" ? window.Stripe : null);

/** Resolves to what is defined once the script has loaded or failed. */
function addScript(src: string): Promise<StripeConstructor | null> {
	const script = document.createElement("script");
	// for the same URL, Chromium would send no request while the previous one is pending
	script.src = addedScripts++ === 0 ? src : `${src}?attempt=${addedScripts}`;
	document.head.appendChild(script);
	return new Promise((resolve) => {
		const settle = () => resolve(findStripe());
		script.onload = settle;
		script.onerror = settle;
	});
}
