import { CoreHeaders } from "miniflare";
import { Customer } from "./customer.ts";
import { insertOrders } from "./seed-data.ts";
import type { Shop } from "./shop.ts";

/** Creation times of the orders, newest first, as /orders lists them. */
const moments = [
	// New Year in Kiritimati
	...["2026-12-31T10:00:00Z", "2026-12-31T09:59:00Z"],
	// the end of daylight saving time in New York
	...["2026-11-01T06:00:00Z", "2026-11-01T05:59:00Z"],
	// the start of daylight saving time in Berlin
	...["2026-03-29T01:00:00Z", "2026-03-29T00:59:00Z"],
];

/** The creation times in the specification's format: in the first and last time zones, in zones whose UTC offset is not
 *  a whole hour, and in zones east and west of UTC. */
export const datesIn = {
	"Pacific/Kiritimati": [
		...["January 1st 2027, 12:00am", "December 31st 2026, 11:59pm"],
		...["November 1st 2026, 8:00pm", "November 1st 2026, 7:59pm", "March 29th 2026, 3:00pm", "March 29th 2026, 2:59pm"],
	],
	"Asia/Kathmandu": [
		...["December 31st 2026, 3:45pm", "December 31st 2026, 3:44pm", "November 1st 2026, 11:45am"],
		...["November 1st 2026, 11:44am", "March 29th 2026, 6:45am", "March 29th 2026, 6:44am"],
	],
	"Europe/Berlin": [
		...["December 31st 2026, 11:00am", "December 31st 2026, 10:59am", "November 1st 2026, 7:00am"],
		...["November 1st 2026, 6:59am", "March 29th 2026, 3:00am", "March 29th 2026, 1:59am"],
	],
	UTC: [
		...["December 31st 2026, 10:00am", "December 31st 2026, 9:59am", "November 1st 2026, 6:00am"],
		...["November 1st 2026, 5:59am", "March 29th 2026, 1:00am", "March 29th 2026, 12:59am"],
	],
	"America/St_Johns": [
		...["December 31st 2026, 6:30am", "December 31st 2026, 6:29am", "November 1st 2026, 2:30am"],
		...["November 1st 2026, 2:29am", "March 28th 2026, 10:30pm", "March 28th 2026, 10:29pm"],
	],
	"America/New_York": [
		...["December 31st 2026, 5:00am", "December 31st 2026, 4:59am", "November 1st 2026, 1:00am"],
		...["November 1st 2026, 1:59am", "March 28th 2026, 9:00pm", "March 28th 2026, 8:59pm"],
	],
	"Pacific/Pago_Pago": [
		...["December 30th 2026, 11:00pm", "December 30th 2026, 10:59pm", "October 31st 2026, 7:00pm"],
		...["October 31st 2026, 6:59pm", "March 28th 2026, 2:00pm", "March 28th 2026, 1:59pm"],
	],
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

/** Returns the dates in server-rendered HTML. */
export function datesOf(html: string): (string | undefined)[] {
	return [...html.matchAll(/<time [^>]*>([^<]*)<\/time>/g)].map(([, text]) => text);
}
