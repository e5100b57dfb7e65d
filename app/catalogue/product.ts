/** A product as cards and the basket show it. */
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
