import { expect, test } from "vitest";
import { book, changeProduct } from "../support/catalogue.ts";
import type { Customer } from "../support/customer.ts";
import { openCountedShop } from "../support/d1-queries.ts";
import { createDatedOrders, datesIn, datesOf, edge } from "../support/dates.ts";
import { insertOrders } from "../support/seed-data.ts";
import { closeAfterAll, newCustomer } from "./setup.ts";

const shop = closeAfterAll(await openCountedShop());

const first = 1_763_650_000;

test("GET /orders and its data format dates in the edge's time zone, or in UTC if the edge reports none", async () => {
	const shopper = await createDatedOrders(shop);
	const load = async (path: string, zone?: string) => (await shopper.fetch(path, { headers: edge(zone) })).text();
	for (const [zone, dates] of Object.entries(datesIn)) {
		expect([zone, datesOf(await load("/orders", zone))]).toEqual([zone, dates]);
	}
	expect(datesOf(await load("/orders"))).toEqual(datesIn.UTC);
	const data = await load("/orders.data", "Asia/Kathmandu");
	for (const date of datesIn["Asia/Kathmandu"]) expect(data).toContain(date);
});

/** Creates a customer with `count` one-item orders, ten per second, of which one in ten is refunded. */
async function customerWith(count: number): Promise<Customer & { id: string }> {
	const shopper = await newCustomer(shop);
	const id = String(await shopper.userId());
	await insertOrders(
		shop,
		id,
		Array.from({ length: count }, (_, index) => first + Math.floor(index / 10)),
	);
	const some = "user_id = ? and substr(payment_intent_id, -1) = '3'";
	await shop.d1.prepare(`update orders set status = 'refunded' where ${some}`).bind(id).run();
	return Object.assign(shopper, { id });
}

/** Returns a page's HTML, its order ids and its link to older orders. */
async function read(shopper: Customer, path = "/orders") {
	const html = await shopper.page(path);
	const ids = [...html.matchAll(/<h2 id="(\w+)"/g)].map(([, id]) => String(id));
	const [, older] = /<a [^>]*href="([^"]*)"[^>]*>Show older orders</.exec(html) ?? [];
	return { html, ids, older };
}

test("a long history lists every order once, newest first, even if an order is added between two page loads", async () => {
	const shopper = await customerWith(45);
	const query =
		"select payment_intent_id id from orders where user_id = ? order by created desc, payment_intent_id desc";
	const { results } = await shop.d1.prepare(query).bind(shopper.id).all();
	const pages = [await read(shopper)];
	await shopper.fulfill(await shopper.pay([book.id]));
	for (let path = pages[0]?.older; path; path = pages.at(-1)?.older) pages.push(await read(shopper, path));
	expect(pages.map(({ ids }) => ids.length)).toEqual([20, 20, 5]);
	expect(pages.flatMap(({ ids }) => ids)).toEqual(results.map(({ id }) => id));
	expect(pages[1]?.html).toContain('href="/orders"');
});

test("the first and a middle page read about as many rows with 10,000 orders as with 60", async () => {
	const rowsRead: number[] = [];
	for (const count of [60, 10_000]) {
		const shopper = await customerWith(count);
		for (const query of ["", `?before=${first + count / 20}-pi_${shopper.id}${count / 2}`]) {
			const { ids, older } = await read(shopper, `/orders${query}`);
			expect([ids.length, older]).toEqual([20, expect.any(String)]);
			const queries = await shop.queriesOf(() => shopper.fetch(`/orders${query}`));
			expect(queries).toHaveLength(2);
			rowsRead.push(queries.reduce((sum, query) => sum + query.rowsRead, 0));
		}
	}
	// SQLite's Bloom filter lets a few more rows through, depending on the ids
	expect(Math.max(...rowsRead) - Math.min(...rowsRead)).toBeLessThan(8);
});

test("an order keeps its titles and prices when the catalog changes, and links only to products that are still sold", async () => {
	const shopper = await customerWith(1);
	const link = `href="/product/${book.id}"`;
	await shop.d1.prepare("update products set title = title || ' (renamed)' where id = ?").bind(book.id).run();
	for (const change of ["repriced", "withdrawn"]) {
		const restore = await changeProduct(shop, book.id, change);
		const { html } = await read(shopper);
		await restore();
		expect([html.includes(link), html.includes("(renamed)")]).toEqual([change === "repriced", false]);
		for (const text of [book.title, book.price]) expect(html).toContain(text);
	}
});
