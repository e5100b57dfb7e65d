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

async function ask(path: string, headers: Record<string, string>): Promise<string> {
	return read(await customer.fetch(path, { headers }));
}

test.each(Object.entries(datesIn))(
	"GET /orders writes dates in the zone that the edge reports: %s",
	async (zone, dates) => {
		expect(datesOf(await ask("/orders", edge(zone)))).toEqual(dates);
	},
);

test("GET /orders writes dates in UTC where the edge reports no zone", async () => {
	expect(datesOf(await ask("/orders", edge()))).toEqual(datesIn.UTC);
});

test("GET /orders.data has them in the edge's zone as well, for who comes by a link", async () => {
	const data = await ask("/orders.data", edge("Asia/Kathmandu"));
	for (const date of datesIn["Asia/Kathmandu"]) expect(data).toContain(date);
});
