import { insertRow } from "./seed-data.ts";
import type { Shop } from "./shop.ts";

// the six products in the specification: the tests take ids, prices and titles from here
export const book = { id: "12321341", price: "$11.96", priceCents: 1196, rating: 5, title: "The Steady Business" };
export const mixer = { id: "49538094", price: "$239.00", priceCents: 23900, rating: 4, title: "Stand mixer" };
export const monitor = {
	id: "4903850",
	price: "$199.99",
	priceCents: 19999,
	rating: 3,
	title: "27-inch curved gaming monitor",
};
export const speaker = { id: "23445930", price: "$98.99", priceCents: 9899, rating: 5, title: "Smart speaker" };
export const tablet = { id: "3254354345", price: "$598.99", priceCents: 59899, rating: 4, title: "12.9-inch tablet" };
export const ultrawide = {
	id: "90829332",
	price: "$1,094.98",
	priceCents: 109498,
	rating: 4,
	title: "49-inch super ultrawide",
};

/** All products, in the order of the home page. */
export const products = [book, mixer, monitor, speaker, tablet, ultrawide];

export const homeHeading = "Six things. Each chosen on purpose.";

/** Withdraws or reprices a product. Returns a function that undoes the change. */
export async function changeProduct({ d1 }: Shop, id: string, what: string): Promise<() => Promise<void>> {
	if (what === "repriced") {
		const reprice = d1.prepare("update products set price_cents = price_cents + ? where id = ?");
		await reprice.bind(100, id).run();
		return async () => void (await reprice.bind(-100, id).run());
	}
	const row = await d1.prepare("delete from products where id = ? returning *").bind(id).first();
	return async () => void (await insertRow(d1, "products", row ?? {}).run());
}
