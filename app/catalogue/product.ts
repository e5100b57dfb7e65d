import { formatMoney } from "#app/ui/money.ts";
import type { Details, products } from "#drizzle/schema.ts";

/** The fields of a product that baskets and orders keep. */
export interface Product {
	id: string;
	title: string;
	/** Cents. */
	priceCents: number;
	/** Whole stars, 3 to 5. */
	rating: number;
	/** The picture at 640 pixels; see `Picture` for its other sizes. */
	image: string;
}

/** A product as shown on cards, with the text alternative of its first picture. */
export interface ListedProduct extends Product {
	alt: string;
	status: (typeof products.$inferSelect)["status"];
}

/** A product of the catalog, with what only its own page shows. */
export interface CatalogueProduct extends ListedProduct {
	description: string;
	details: Details;
}

/** Returns the title up to its first detail, for screen readers: "Stand mixer" for "Stand mixer with a steel bowl". */
export function shortName(title: string): string {
	return title.replace(/([,:]| with ).*/, "");
}

/** Returns what a link to a product says of its price: "$239.00" or "Sold out". */
export function priceOrSoldOut({ priceCents, status }: Pick<ListedProduct, "priceCents" | "status">): string {
	return status === "sold_out" ? "Sold out" : formatMoney(priceCents);
}
