/** Returns where the API and the bank's page are for a script or frame at `base`, and the sources of the pages that may
 *  embed the frames. At Stripe's host names, they are where Stripe's are; otherwise everything is in the same folder. */
export function hostsOf(base: URL) {
	if (base.hostname.endsWith(".stripe.com")) {
		return { api: "https://api.stripe.com/v1/", bank: "https://hooks.stripe.com/", embedders: "https:" };
	}
	return { api: new URL("v1/", base).href, bank: new URL(".", base).href, embedders: "'self'" };
}
