/** Formats an amount in cents as "$1,094.98". `currency` is in lower case. */
export function formatAmount(amount: number, currency: string): string {
	return new Intl.NumberFormat("en-US", { style: "currency", currency }).format(amount / 100);
}
