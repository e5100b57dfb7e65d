import { afterAll, beforeAll, expect, test } from "vitest";
import { read } from "../support/answer.ts";
import { customerOfAllDates, datesIn, datesOf, edge } from "../support/dates.ts";
import { openShop, type Shop } from "../support/shop.ts";
import type { Visitor } from "../support/visitor.ts";

let shop: Shop;
let customer: Visitor;
beforeAll(async () => {
	shop = await openShop();
	customer = await customerOfAllDates(shop);
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
