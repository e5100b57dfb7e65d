const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** Formats an amount in cents: 109498 becomes "$1,094.98". All other code calculates in cents. */
export function formatMoney(cents: number): string {
	return dollars.format(cents / 100);
}
