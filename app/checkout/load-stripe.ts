import type { Stripe } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { withTimeout } from "#app/http/timeout.ts";

/** Timeout of the script, and then of the card input's frame, in milliseconds. */
export const loadTimeout = 20_000;

/** The script that loadStripe would add, without a timeout. If its version differs from that of @stripe/stripe-js,
 *  loadStripe logs a warning. */
const stripeScriptUrl = "https://js.stripe.com/endive/stripe.js";

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
	// loadStripe uses window.Stripe if it exists. An element with this id would be window.Stripe too
	if (!isLoaded()) await addScript(scriptUrl);
	const stripe = await loadStripe(publishableKey);
	if (!stripe) throw new Error("Stripe.js is for browsers; call getStripe from an effect.");
	return stripe;
}

const isLoaded = () => typeof Reflect.get(window, "Stripe") === "function";

async function addScript(src: string): Promise<void> {
	const script = document.createElement("script");
	// for the same URL, Chromium would send no request while the previous one is pending
	script.src = addedScripts++ === 0 ? src : `${src}?attempt=${addedScripts}`;
	const loaded = new Promise<void>((resolve, reject) => {
		const settle = () => (isLoaded() ? resolve() : reject(new Error(`Failed to load ${src}`)));
		script.onload = settle;
		script.onerror = settle;
	});
	document.head.appendChild(script);
	await withTimeout(loadTimeout, loaded);
}
