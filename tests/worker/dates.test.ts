import { afterAll, beforeAll, expect, test } from "vitest";
import type { Customer } from "../support/customer.ts";
import { createDatedOrders, datesIn, datesOf, edge } from "../support/dates.ts";
import { read } from "../support/response.ts";
import { openShop, type Shop } from "../support/shop.ts";

let shop: Shop;
let customer: Customer;
beforeAll(async () => {
	shop = await openShop();
	customer = await createDatedOrders(shop);
});
afterAll(() => shop?.close());

async function requestPage(path: string, headers: Record<string, string>): Promise<string> {
	return read(await customer.fetch(path, { headers }));
}

test.each(Object.entries(datesIn))(
	"GET /orders formats dates in the time zone that the edge reports: %s",
	async (zone, dates) => {
		expect(datesOf(await requestPage("/orders", edge(zone)))).toEqual(dates);
	},
);

test("GET /orders formats dates in UTC if the edge reports no time zone", async () => {
	expect(datesOf(await requestPage("/orders", edge()))).toEqual(datesIn.UTC);
});

test("GET /orders.data formats dates in the edge's time zone", async () => {
	const data = await requestPage("/orders.data", edge("Asia/Kathmandu"));
	for (const date of datesIn["Asia/Kathmandu"]) expect(data).toContain(date);
});
