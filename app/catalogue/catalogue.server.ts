import { asc } from "drizzle-orm";
import type { RouterContextProvider } from "react-router";
import { databasesContext } from "#app/http/databases.server.ts";
import { servicesContext } from "#app/services.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { products } from "#drizzle/schema.ts";
import type { Product } from "./product.ts";

/** What cards, the basket and orders are made from. */
const product = {
	id: products.id,
	title: products.title,
	priceCents: products.priceCents,
	rating: products.rating,
	image: products.image,
};

/** Seconds for which an isolate believes what it has read: the catalogue changes by migration, a few times a year. A
 *  guest's page may be 10 seconds older (http/page-cache.server.ts). */
const freshness = 50;
let remembered: { catalogue: Catalogue; until: number } | undefined;

/** The six products in the order of the home page, and what the page of each says about it, in the same order. */
interface Catalogue {
	products: Product[];
	descriptions: string[];
}

/** The catalogue from the isolate's memory while that is fresh. For looking at, not for charging: see `listProducts`. */
export async function readCatalogue(context: Readonly<RouterContextProvider>): Promise<Catalogue> {
	const now = context.get(servicesContext).now();
	if (!remembered || remembered.until <= now) {
		const found = await context
			.get(databasesContext)
			.readNearest((database) =>
				database.select({ product, description: products.description }).from(products).orderBy(asc(products.position)),
			);
		const catalogue = {
			products: found.map(({ product }) => product),
			descriptions: found.map(({ description }) => description),
		};
		remembered = { catalogue, until: now + freshness };
	}
	return remembered.catalogue;
}

/** The products as the database has them at this moment. Anything that becomes money is priced from this. */
export function listProducts(database: Database): Promise<Product[]> {
	return database.select(product).from(products).orderBy(asc(products.position));
}
