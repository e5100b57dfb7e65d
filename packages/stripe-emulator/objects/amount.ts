import { invalidRequest } from "../errors.ts";

/** The minimum charge in each currency that the emulator accepts, in the currency's smallest unit. Stripe accepts more
 *  currencies: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const minAmounts: Partial<Record<string, number>> = {
	...{ aed: 200, aud: 50, brl: 50, cad: 50, chf: 50, czk: 1500, dkk: 250, eur: 50, gbp: 30, hkd: 400, huf: 17_500 },
	...{ inr: 50, jpy: 50, mxn: 1000, myr: 200, nok: 300, nzd: 50, pln: 200, ron: 200, sek: 300, sgd: 50, thb: 1000 },
	usd: 50,
};
const maxAmount = 99_999_999;

/** Formats an amount in the currency's smallest unit: 109498 usd as "$1,094.98", 500 jpy as "¥500". `currency` is in
 *  lower case. */
export function formatAmount(amount: number, currency: string): string {
	// as Stripe counts; engines disagree about the Hungarian forint: https://docs.stripe.com/currencies#zero-decimal
	const decimals = currency === "jpy" ? 0 : 2;
	const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
	return new Intl.NumberFormat("en-US", { style: "currency", currency, ...digits }).format(amount / 10 ** decimals);
}

/** Throws an ApiError unless the emulator accepts the currency, and Stripe charges this amount in it. */
export function checkAmount(amount: number, currency: string): void {
	const minAmount = minAmounts[currency];
	if (minAmount === undefined) {
		const accepted = Object.keys(minAmounts).join(", ");
		const message = `Invalid currency: ${currency}. The Stripe emulator supports these currencies: ${accepted}`;
		throw invalidRequest(message, { param: "currency" });
	}
	const refuse = (code: string, limit: string) => invalidRequest(`Amount must be ${limit}`, { code, param: "amount" });
	if (amount < minAmount) {
		throw refuse("amount_too_small", `at least ${formatAmount(minAmount, currency)} ${currency}`);
	}
	if (amount > maxAmount) throw refuse("amount_too_large", `no more than ${formatAmount(maxAmount, currency)}`);
}
