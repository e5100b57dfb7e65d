import type { Stripe } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";

let loading: Promise<Stripe> | undefined;

/** Loads Stripe.js from `scriptUrl`, or from Stripe if `scriptUrl` is null. Loads the script only once per document,
 *  unless loading fails. Rejects and logs a warning if the script cannot be loaded. */
export function getStripe(publishableKey: string, scriptUrl: string | null): Promise<Stripe> {
	loading ??= load(publishableKey, scriptUrl).catch((error: unknown) => {
		loading = undefined;
		console.warn("The payment script could not be loaded.", error);
		throw error;
	});
	return loading;
}

async function load(publishableKey: string, scriptUrl: string | null): Promise<Stripe> {
	// loadStripe uses window.Stripe if it exists, and otherwise loads Stripe's own script
	if (scriptUrl && !("Stripe" in window)) await addScript(scriptUrl);
	const stripe = await loadStripe(publishableKey);
	if (!stripe) throw new Error("Stripe.js is for browsers; call getStripe from an effect.");
	return stripe;
}

function addScript(src: string): Promise<void> {
	return new Promise((resolve, reject) => {
		const script = document.createElement("script");
		script.src = src;
		script.onload = () => resolve();
		script.onerror = () => {
			script.remove();
			reject(new Error(`Failed to load ${src}`));
		};
		document.head.appendChild(script);
	});
}
