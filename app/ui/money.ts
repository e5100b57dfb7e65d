import { currency, locale } from "#app/brand.ts";

// as Stripe counts; engines disagree about the Hungarian forint: https://docs.stripe.com/currencies#zero-decimal
const decimalsOf: Readonly<Record<string, number>> = { jpy: 0 };

/** Formats amounts in the smallest unit of a currency: of 109498, `text` returns "$1,094.98" and `decimal`, for
 *  programs, "1094.98". */
export function moneyFormat(currency: string, locale: string) {
	const decimals = decimalsOf[currency] ?? 2;
	const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
	const format = new Intl.NumberFormat(locale, { style: "currency", currency, ...digits });
	return {
		text: (amount: number) => format.format(amount / 10 ** decimals),
		decimal: (amount: number) => (amount / 10 ** decimals).toFixed(decimals),
	};
}

const inShopCurrency = moneyFormat(currency, locale);

/** Formats an amount in cents, by default in the shop's currency. All other code calculates in cents. */
export function formatMoney(amount: number, of = currency): string {
	return (of === currency ? inShopCurrency : moneyFormat(of, locale)).text(amount);
}

export const toDecimal = inShopCurrency.decimal;
