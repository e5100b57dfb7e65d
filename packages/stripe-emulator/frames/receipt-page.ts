import { brandName, isBrand } from "../browser/brand-mark.ts";
import { formatAmount } from "../objects/currencies.ts";
import type { Receipt } from "../objects/receipt.ts";
import { html } from "../page/html.ts";
import { time } from "../page/text.ts";
import { hostedPage } from "./hosted-page.ts";

/** Returns the page to which a charge's `receipt_url` links, or a 404. As at Stripe, everybody who has the link can open
 *  it: the charge's id is unguessable. */
export function receiptPage(receipt: Receipt | null): Promise<Response> {
	if (!receipt) {
		const content = html`<h1>There is no such receipt</h1><p>Check the link.</p>`;
		return hostedPage("Test receipt", content, { status: 404 });
	}
	const { id, amount, refunded, brand, created, currency, description, last4 } = receipt;
	return hostedPage(
		"Test receipt",
		html`<h1>Receipt for ${formatAmount(amount, currency)}</h1>
<dl>
<dt>Paid</dt><dd>${time(created)}</dd>
<dt>Card</dt><dd>${brandName(brand && isBrand(brand) ? brand : "unknown")} ending in ${last4 ?? ""}</dd>
${description ? html`<dt>Description</dt><dd>${description}</dd>` : ""}
${refunded > 0 ? html`<dt>Refunded</dt><dd>${formatAmount(refunded, currency)}</dd>` : ""}
<dt>Charge</dt><dd>${id}</dd>
</dl>
<p class="note">Test payments: no real money.</p>`,
	);
}
