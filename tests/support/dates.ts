import { CoreHeaders } from "miniflare";
import { Customer } from "./customer.ts";
import { insertOrders } from "./seed-data.ts";
import type { Shop } from "./shop.ts";

/** Creation times of the orders, newest first, as /orders lists them. */
const moments = ["2026-12-31T18:15:00Z", "2026-12-31T03:29:00Z", "2026-07-04T02:30:00Z"];

/** The creation times in the specification's format, in time zones whose UTC offset is not a whole hour. */
export const datesIn = {
	"Asia/Kathmandu": ["January 1st 2027, 12:00am", "December 31st 2026, 9:14am", "July 4th 2026, 8:15am"],
	UTC: ["December 31st 2026, 6:15pm", "December 31st 2026, 3:29am", "July 4th 2026, 2:30am"],
	"America/St_Johns": ["December 31st 2026, 2:45pm", "December 30th 2026, 11:59pm", "July 4th 2026, 12:00am"],
};

/** Returns a signed-in customer with an order created at each of these times. */
export async function createDatedOrders(shop: Shop): Promise<Customer> {
	const customer = new Customer(shop);
	await customer.createAccount();
	const created = moments.map((moment) => Date.parse(moment) / 1000);
	await insertOrders(shop, await customer.userId(), created);
	return customer;
}

/** Returns the header that sets the time zone that Miniflare reports, as Cloudflare's edge would. Without an argument,
 *  no time zone is reported. */
export function edge(timezone?: string): Record<string, string> {
	return { [CoreHeaders.CF_BLOB]: JSON.stringify({ timezone }) };
}

export function datesOf(html: string): (string | undefined)[] {
	return [...html.matchAll(/<time [^>]*>([^<]*)<\/time>/g)].map(([, text]) => text);
}
