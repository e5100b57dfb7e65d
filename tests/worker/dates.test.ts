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

test("GET /orders and its data format dates in the edge's time zone, or in UTC if the edge reports none", async () => {
	const load = async (path: string, zone?: string) => read(await customer.fetch(path, { headers: edge(zone) }));
	for (const [zone, dates] of Object.entries(datesIn)) {
		expect([zone, datesOf(await load("/orders", zone))]).toEqual([zone, dates]);
	}
	expect(datesOf(await load("/orders"))).toEqual(datesIn.UTC);
	const data = await load("/orders.data", "Asia/Kathmandu");
	for (const date of datesIn["Asia/Kathmandu"]) expect(data).toContain(date);
});
