import { readAtMost } from "../body.ts";
import { brandName } from "../browser/brand-mark.ts";
import type { CardBrand } from "../objects/card-number.ts";
import { formatAmount } from "../objects/currencies.ts";
import { type Content, html } from "../page/html.ts";
import { hostedPage } from "./hosted-page.ts";

/** The test bank's page, on which a customer who was redirected by the merchant's server authenticates a payment. It
 *  works without scripts. */

interface Challenge {
	amount: number | null;
	brand: CardBrand | "unknown";
	currency: string | null;
	last4: string;
	/** Where the page redirects when the challenge has ended. */
	redirect_url: string | null;
	return_url: string | null;
	status: "pending" | "completed" | "failed";
}

interface Account {
	fetch(request: Request): Promise<Response>;
}

const maxFormBytes = 1024;

/** Serves the page, whose query contains `source`, `client_secret` and `key`, and its form, which sends `outcome`. Both
 *  redirect to the merchant's page if the challenge has ended. */
export async function respondFromBank(request: Request, account: Account): Promise<Response> {
	const url = new URL(request.url);
	const source = url.searchParams.get("source") ?? "";
	const credentials = new URLSearchParams(url.searchParams);
	credentials.delete("source");
	const call = (query: string, init: RequestInit = {}) =>
		account.fetch(new Request(new URL(`/v1/three_d_secure/${encodeURIComponent(source)}${query}`, url), init));
	if (request.method === "POST") {
		const body = await readAtMost(request, maxFormBytes);
		if (!("text" in body)) return errorPage(body.message, body.status);
		const outcome = new URLSearchParams(body.text).get("outcome") === "complete" ? "complete" : "fail";
		// not read: the challenge may also have ended elsewhere, and its state follows
		await call("", { method: "POST", body: new URLSearchParams([...credentials, ["outcome", outcome]]) });
	}
	const response = await call(`?${credentials}`);
	if (response.status !== 200) return errorPage("This link is not valid.", response.status);
	const challenge = await response.json<Challenge>();
	if (challenge.redirect_url !== null) {
		return new Response(null, { status: 303, headers: { Location: challenge.redirect_url } });
	}
	if (challenge.return_url === null) return errorPage("This payment is authenticated in a dialog.", 404);
	return hostedPage("Test bank", question(challenge), { formTarget: originOf(challenge.return_url) });
}

function question({ amount, brand, currency, last4 }: Challenge): Content {
	const price =
		amount === null || currency === null
			? ""
			: html`<dt>Amount</dt><dd class="amount">${formatAmount(amount, currency)}</dd>`;
	return html`<h1>${amount === null ? "Save this card" : "Confirm your payment"}</h1>
<dl>
${price}
<dt>Card</dt><dd>${brandName(brand)} ending in ${last4}</dd>
</dl>
<p class="note">Test payments: no real bank, no real money. Choose the result of the authentication.</p>
<form method="post">
<button class="main" name="outcome" value="complete" id="test-source-authorize-3ds">Complete authentication</button>
<button name="outcome" value="fail" id="test-source-fail-3ds">Fail authentication</button>
</form>`;
}

function errorPage(message: string, status: number): Promise<Response> {
	const content = html`<h1>The bank can't authenticate this payment</h1><p>${message}</p>`;
	return hostedPage("Test bank", content, { status });
}

/** Returns a CSP source for a URL: its origin or, for the URL of an app, its scheme. */
function originOf(returnUrl: string): string {
	const { origin, protocol } = new URL(returnUrl);
	return origin === "null" ? protocol : origin;
}
