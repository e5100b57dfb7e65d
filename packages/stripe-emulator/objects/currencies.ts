import { invalidRequest } from "../api/errors.ts";

/** Stripe's presentment currencies, with the units and limits of their amounts. https://docs.stripe.com/currencies */

/** The currencies that Stripe supports, in the order of its documentation. */
const currencies =
	"usd aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf clp cny cop crc cve czk djf dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd gnf gtq gyd hkd hnl htg huf idr ils inr isk jmd jod jpy kes kgs khr kmf krw kwd kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sek sgd shp sle sos srd std szl thb tjs tnd top try ttd twd tzs uah ugx uyu uzs vnd vuv wst xaf xcd xof xpf yer zar zmw".split(
		" ",
	);

const zeroDecimals = "bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" ");
const threeDecimals = "bhd jod kwd omr tnd".split(" ");
/** What an amount must be a multiple of. The ISK and UGX have no fractions any more, but keep their two decimals. */
const steps: Readonly<Record<string, number>> = {
	isk: 100,
	ugx: 100,
	...Object.fromEntries(threeDecimals.map((currency) => [currency, 10])),
};

/** The smallest amounts, in minor units; 1 for a currency that is not listed. */
const minima: Readonly<Record<string, number>> = {
	...{ aed: 200, aud: 50, bgn: 100, brl: 50, cad: 50, chf: 50, czk: 1500, dkk: 250, eur: 50, gbp: 30, hkd: 400 },
	...{ huf: 17500, inr: 50, jpy: 50, mxn: 1000, myr: 200, nok: 300, nzd: 50, pln: 200, ron: 200, sek: 300, sgd: 50 },
	...{ thb: 1000, usd: 50 },
};

/** Returns the number of decimals of the currency's major unit: an amount of 500 is 5.00 if it is 2. */
function decimalsOf(currency: string): number {
	if (zeroDecimals.includes(currency)) return 0;
	return threeDecimals.includes(currency) ? 3 : 2;
}

/** Formats an amount in minor units as "$12.00" or "¥1,200". */
export function formatAmount(amount: number, currency: string): string {
	const decimals = decimalsOf(currency);
	return new Intl.NumberFormat("en-US", {
		style: "currency",
		currency,
		minimumFractionDigits: decimals,
		maximumFractionDigits: decimals,
	})
		.format(amount / 10 ** decimals)
		.replaceAll("\u00a0", " ");
}

/** Throws an ApiError unless the currency, in lower case, is one that Stripe supports. */
export function requireCurrency(currency: string): void {
	if (currencies.includes(currency)) return;
	throw invalidRequest(
		`Invalid currency: ${currency}. Stripe currently supports these currencies: ${currencies.join(", ")}`,
		{ param: "currency" },
	);
}

/** Throws an ApiError unless an amount in minor units can be charged in the currency. */
export function requireAmount(amount: number, currency: string): void {
	const refusal = (message: string, code: string) => invalidRequest(message, { code, param: "amount" });
	const minimum = minima[currency] ?? 1;
	const maximum = 10 ** (currency === "idr" ? 12 : 8) - 1;
	const step = steps[currency] ?? 1;
	if (amount < minimum) {
		throw refusal(`Amount must be at least ${formatAmount(minimum, currency)} ${currency}`, "amount_too_small");
	}
	if (amount > maximum) {
		throw refusal(`Amount must be no more than ${formatAmount(maximum, currency)}`, "amount_too_large");
	}
	if (amount % step !== 0) {
		throw refusal(`Amounts in ${currency} must be multiples of ${step}.`, "parameter_invalid_integer");
	}
}
