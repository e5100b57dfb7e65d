import { afterAll, beforeAll, expect, test } from "vitest";
import { products } from "../support/catalogue.ts";
import { dumpTables } from "../support/response.ts";
import { openShop, type Shop } from "../support/shop.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
});
afterAll(() => shop?.close());

/** Matches the internal tables of SQLite and D1, and wrangler's list of migrations. */
const notOurs = /^(sqlite_|_cf_|d1_migrations$)/;

test("every table is STRICT, and order_items is WITHOUT ROWID, after all migrations", async () => {
	const { results } = await shop.d1
		.prepare("pragma table_list")
		.all<{ name: string; type: string; strict: number; wr: number }>();
	const tables = results.filter(({ name, type }) => type === "table" && !notOurs.test(name));
	expect(tables.map(({ name }) => name).toSorted()).toEqual([
		...["order_items", "orders", "products", "reconcile_cursor", "refunds", "sessions", "unresolved_payments", "users"],
	]);
	expect(tables.filter(({ strict }) => strict !== 1)).toEqual([]);
	expect(tables.filter(({ wr }) => wr === 1).map(({ name }) => name)).toEqual(["order_items"]);
});

test("a new database contains the catalog and no accounts, sessions or orders", async () => {
	const { products: rows, ...others } = await dumpTables(shop);
	expect(rows).toHaveLength(products.length);
	const ours = Object.entries(others).filter(([table]) => !notOurs.test(table));
	expect(ours.flatMap(([, rows]) => rows)).toEqual([]);
});

test("the catalog contains the specified products with their prices and ratings", async () => {
	const { results } = await shop.d1.prepare("select * from products order by position").all();
	expect(results).toEqual(
		products.map(({ id, priceCents, rating, title }, index) => ({
			id,
			position: index + 1,
			price_cents: priceCents,
			rating,
			title: expect.stringContaining(title),
			image: expect.stringMatching(/^\/pictures\/[\w-]+-640\.webp$/),
			description: expect.stringMatching(/^.{100,}$/),
			details: expect.stringMatching(/^\{"pictures":\[\{.*\}$/),
		})),
	);
});

test("a product's id has at most 40 letters, digits, hyphens and underscores, and its pictures are named in lowercase letters", async () => {
	const { results } = await shop.d1.prepare("select id, image from products").all();
	for (const product of results) {
		expect(product).toEqual({
			// part of its URL, of a purchase's requests, and of the items in Stripe's metadata
			id: expect.stringMatching(/^[\w-]{1,40}$/),
			image: expect.stringMatching(/^\/pictures\/[a-z]+-640\.webp$/),
		});
	}
});

test("every product has pictures, a specification table and a box, and compared products share their table's rows", async () => {
	const { results } = await shop.d1.prepare("select id, image, details from products").all<Record<string, string>>();
	const catalogue = new Map(
		results.map(({ id, image, details = "" }) => [id, { image, details: JSON.parse(details) }] as const),
	);
	const rowsOf = (id: string) => catalogue.get(id)?.details.specifications.map(({ name }: { name: string }) => name);
	for (const [id = "", { image, details }] of catalogue) {
		expect(details.pictures[0].image).toBe(image);
		for (const picture of details.pictures) {
			expect(picture).toEqual({
				image: expect.stringMatching(/^\/pictures\/[\w-]+-640\.webp$/),
				alt: expect.stringMatching(/^.{10,150}$/),
			});
		}
		for (const row of details.specifications) {
			expect(row).toEqual({ name: expect.stringMatching(/\w/), value: expect.stringMatching(/\w/) });
		}
		expect(rowsOf(id)).not.toEqual([]);
		expect(details.box).not.toEqual([]);
		if (!details.compareWith) continue;
		expect(catalogue.get(details.compareWith)?.details.compareWith).toBe(id);
		expect(rowsOf(details.compareWith)).toEqual(rowsOf(id));
	}
	expect([...catalogue.values()].filter(({ details }) => details.compareWith)).toHaveLength(2);
});
