import type { Delivery, Result } from "./messages.ts";
import { intentPath, post } from "./payment-api.ts";

/** Sends the card with the page's form to the API. `card` is keyed by API parameter name. `address` contains the
 *  country and postal code entered beside the card, if any. */
export async function sendCard(
	{ to, form, parts }: Delivery,
	card: Record<string, string>,
	address: { country?: string; postal_code?: string },
): Promise<Result<unknown>> {
	const all = { ...card, ...(parts && { expiry_part: parts.expiry, cvc_part: parts.cvc }) };
	if (to === "tokens") {
		const { country, postal_code } = address;
		const holder = { ...(country && { address_country: country }), ...(postal_code && { address_zip: postal_code }) };
		return post(to, { ...form, ...named("card", { ...all, ...holder }) });
	}
	if (to === "payment_methods") {
		return post(to, { ...form, ...named("card", all), ...named("billing_details[address]", address) });
	}
	const path = intentPath(form["client_secret"] ?? "");
	if (to !== "confirm" || !path) throw new Error("The page requested an unknown card endpoint.");
	const data = "payment_method_data";
	return post(`${path}/confirm`, {
		...form,
		...named(`${data}[card]`, all),
		...named(`${data}[billing_details][address]`, address),
	});
}

export function named(prefix: string, values: Record<string, string>): Record<string, string> {
	const given = Object.entries(values).filter(([, value]) => value !== "");
	return Object.fromEntries(given.map(([name, value]) => [`${prefix}[${name}]`, value]));
}
