/** The header in which the emulator's handler sends the account its base URL, as the browser sees it. The handler
 *  replaces the header of requests from outside. */
export const baseUrlHeader = "Stripe-Emulator-Base-Url";

/** Returns the URL of a charge's receipt; null while the emulator does not know its base URL. */
export function receiptUrl(baseUrl: string | null, chargeId: string): string | null {
	return baseUrl === null ? null : `${baseUrl}/receipts/${chargeId}`;
}

/** Returns the URL of the test bank's page. `baseUrl` is the base URL of the newest request that was received by HTTP;
 *  if there was none, the page is below /stripe-emulator of the merchant's site. `query` contains the challenge's
 *  `source`, the intent's `client_secret` and the publishable `key`. */
export function bankPageUrl(baseUrl: string | null, returnUrl: string, query: Record<string, string>): string {
	const { origin } = new URL(returnUrl);
	const base = baseUrl ?? `${origin === "null" ? "http://localhost" : origin}/stripe-emulator`;
	return `${base}/authenticate?${new URLSearchParams(query)}`;
}
