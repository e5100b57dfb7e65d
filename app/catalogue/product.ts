/** A product as shown on cards and in the basket. */
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
