import { asc } from "drizzle-orm";
import { retryOnce } from "#app/http/databases.server.ts";
import { unavailableResponse } from "#app/http/error-response.server.ts";
import type { RequestContext } from "#app/http/request-context.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import type { Database } from "#drizzle/db.server.ts";
import { products } from "#drizzle/schema.ts";
import type { CatalogueProduct, ListedProduct } from "./product.ts";

const product = {
	id: products.id,
	title: products.title,
	priceCents: products.priceCents,
	rating: products.rating,
	image: products.image,
	status: products.status,
};

/** TTL of the catalog in the isolate's cache, in seconds. A cached page has its own (http/page-cache.server.ts). */
const freshness = 50;
/** Time until an isolate tries again to renew its catalog, in seconds. */
const retryDelay = 10;
let cached: { catalogue: CatalogueProduct[]; until: number } | undefined;

/** Returns the products in the order of the home page from the isolate's cache, and renews it when it expires. While D1
 *  fails or stalls, returns the isolate's catalog, however old; without one, throws a 503 response. For display only:
 *  charges use the prices from `listProducts`. */
export async function readCatalogue({
	services,
	databases,
	waitUntil,
}: Pick<RequestContext, "services" | "databases" | "waitUntil">): Promise<CatalogueProduct[]> {
	const { now } = services;
	const old = cached;
	if (old && now() < old.until) return old.catalogue;
	// one request renews the catalog, and the others use the old one: a stalled D1 gets no more queries
	if (old) old.until = now() + retryDelay;
	const renewal = databases.readNearest(queryCatalogue).then((catalogue) => {
		cached = { catalogue, until: now() + freshness };
		return catalogue;
	});
	// a catalog that arrives late is for the next request
	waitUntil(renewal.catch(() => {}));
	const catalogue = await withFallback(
		services.timeouts.read,
		() => renewal,
		() => old?.catalogue,
	);
	if (catalogue) return catalogue;
	throw unavailableResponse();
}

async function queryCatalogue(database: Database): Promise<CatalogueProduct[]> {
	const found = await database
		.select({ product, description: products.description, details: products.details })
		.from(products)
		.orderBy(asc(products.position));
	return found.map(({ product, description, details }) => {
		const [first, ...others] = details.pictures;
		const pictures = [first ?? { image: product.image, alt: product.title }, ...others];
		return { ...product, alt: first?.alt ?? "", description, details: { ...details, pictures } };
	});
}

/** Returns what lists show of a product. */
export function toListed({ description: _, details: __, ...listed }: CatalogueProduct): ListedProduct {
	return listed;
}

/** Returns the products with their current prices, from which all charges are calculated. */
export function listProducts(database: Database) {
	return retryOnce(() => database.select(product).from(products).orderBy(asc(products.position)));
}
