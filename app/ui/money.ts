import { currency, locale } from "#app/brand.ts";

/** Formats amounts in the smallest unit of a currency: of 109498, `text` returns "$1,094.98" and `decimal`, for
 *  programs, "1094.98". */
export function moneyFormat(currency: string, locale: string) {
	const format = new Intl.NumberFormat(locale, { style: "currency", currency });
	// 2 for dollars, 0 for yen
	const { maximumFractionDigits: decimals = 2 } = format.resolvedOptions();
	return {
		text: (amount: number) => format.format(amount / 10 ** decimals),
		decimal: (amount: number) => (amount / 10 ** decimals).toFixed(decimals),
	};
}

/** Formats an amount in cents. All other code calculates in cents. */
export const { text: formatMoney, decimal: toDecimal } = moneyFormat(currency, locale);
