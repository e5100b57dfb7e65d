import { asc } from "drizzle-orm";
import type { RouterContextProvider } from "react-router";
import { databasesContext } from "#app/http/databases.server.ts";
import { outsideContext } from "#app/outside.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { products } from "#drizzle/schema.ts";
import type { Product } from "./product.ts";

/** Seconds for which an isolate believes what it has read: the catalogue changes by migration, a few times a year. A
 *  guest's page may be 10 seconds older (http/guest-pages.server.ts). */
const freshness = 50;
let remembered: { products: Product[]; until: number } | undefined;

/** The six products in the order of the home page, from the isolate's memory while that is fresh. For looking at, not
 *  for charging: see `readProducts`. */
export async function listProducts(context: Readonly<RouterContextProvider>): Promise<Product[]> {
	const now = context.get(outsideContext).now();
	if (!remembered || remembered.until <= now) {
		remembered = { products: await context.get(databasesContext).readNearest(readProducts), until: now + freshness };
	}
	return remembered.products;
}

/** The products as the database has them at this moment. Anything that becomes money is priced from this. */
export function readProducts(database: Database): Promise<Product[]> {
	return database
		.select({
			id: products.id,
			title: products.title,
			priceCents: products.priceCents,
			rating: products.rating,
			image: products.image,
			description: products.description,
		})
		.from(products)
		.orderBy(asc(products.position));
}
