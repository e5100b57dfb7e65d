const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** Cents as the shopper reads them: 109498 is "$1,094.98". The only place where there are dollars. */
export function formatMoney(cents: number): string {
	return dollars.format(cents / 100);
}
