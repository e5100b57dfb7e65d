import { CoreHeaders } from "miniflare";
import { insertOrders } from "./order-history.ts";
import type { Shop } from "./shop.ts";
import { Shopper } from "./shopper.ts";

/** When the orders were made, newest first as the page lists them. */
const moments = [
	// New Year in Kiritimati
	"2026-12-31T10:00:00Z",
	"2026-12-31T09:59:00Z",
	// New York's clocks go back to one
	"2026-11-01T06:00:00Z",
	"2026-11-01T05:59:00Z",
	// Berlin's clocks go on to three
	"2026-03-29T01:00:00Z",
	"2026-03-29T00:59:00Z",
];

/** Those moments as the specification writes them, by the zone: the first and the last that a day reaches, those with
 *  odd minutes, and both ways over the year. */
export const datesIn = {
	"Pacific/Kiritimati": [
		"January 1st 2027, 12:00am",
		"December 31st 2026, 11:59pm",
		"November 1st 2026, 8:00pm",
		"November 1st 2026, 7:59pm",
		"March 29th 2026, 3:00pm",
		"March 29th 2026, 2:59pm",
	],
	"Asia/Kathmandu": [
		"December 31st 2026, 3:45pm",
		"December 31st 2026, 3:44pm",
		"November 1st 2026, 11:45am",
		"November 1st 2026, 11:44am",
		"March 29th 2026, 6:45am",
		"March 29th 2026, 6:44am",
	],
	"Europe/Berlin": [
		"December 31st 2026, 11:00am",
		"December 31st 2026, 10:59am",
		"November 1st 2026, 7:00am",
		"November 1st 2026, 6:59am",
		"March 29th 2026, 3:00am",
		"March 29th 2026, 1:59am",
	],
	UTC: [
		"December 31st 2026, 10:00am",
		"December 31st 2026, 9:59am",
		"November 1st 2026, 6:00am",
		"November 1st 2026, 5:59am",
		"March 29th 2026, 1:00am",
		"March 29th 2026, 12:59am",
	],
	"America/St_Johns": [
		"December 31st 2026, 6:30am",
		"December 31st 2026, 6:29am",
		"November 1st 2026, 2:30am",
		"November 1st 2026, 2:29am",
		"March 28th 2026, 10:30pm",
		"March 28th 2026, 10:29pm",
	],
	"America/New_York": [
		"December 31st 2026, 5:00am",
		"December 31st 2026, 4:59am",
		"November 1st 2026, 1:00am",
		"November 1st 2026, 1:59am",
		"March 28th 2026, 9:00pm",
		"March 28th 2026, 8:59pm",
	],
	"Pacific/Pago_Pago": [
		"December 30th 2026, 11:00pm",
		"December 30th 2026, 10:59pm",
		"October 31st 2026, 7:00pm",
		"October 31st 2026, 6:59pm",
		"March 28th 2026, 2:00pm",
		"March 28th 2026, 1:59pm",
	],
};

/** A customer who is signed in and ordered one thing at each of the moments. */
export async function customerOfAllDates(shop: Shop): Promise<Shopper> {
	const customer = new Shopper(shop);
	await customer.createAccount();
	await insertOrders(
		shop,
		await customer.customer(),
		moments.map((moment) => Date.parse(moment) / 1000),
	);
	return customer;
}

/** The header that has Miniflare hand a request on as from an edge that takes the visitor to be in this zone, or that
 *  reports no zone at all. */
export function edge(timezone?: string): Record<string, string> {
	return { [CoreHeaders.CF_BLOB]: JSON.stringify({ timezone }) };
}

/** The dates in a page as the server wrote it. */
export function datesOf(html: string): (string | undefined)[] {
	return [...html.matchAll(/<time [^>]*>([^<]*)<\/time>/g)].map(([, text]) => text);
}
