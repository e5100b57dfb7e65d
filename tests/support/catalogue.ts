import { currency } from "#app/brand.ts";
import { formatMoney } from "#app/ui/money.ts";
import { insertRow } from "./seed-data.ts";
import type { Shop } from "./shop.ts";

const product = (id: string, priceCents: number, rating: number, title: string) => ({
	...{ id, priceCents, rating, title },
	price: formatMoney(priceCents),
});

// the products as migrations/ stores them, with the beginning of their titles; tests buy the book, the mixer and the
// speaker, and otherwise use `products`
export const book = product("12321341", 1196, 5, "The Steady Business");
export const mixer = product("49538094", 23900, 4, "Stand mixer");
export const monitor = product("4903850", 19999, 3, "27-inch curved gaming monitor");
export const speaker = product("23445930", 9899, 5, "Smart speaker");
export const tablet = product("3254354345", 59899, 4, "12.9-inch tablet");
export const ultrawide = product("90829332", 109498, 4, "49-inch super ultrawide");

/** All products, in the order of the home page. */
export const products = [book, mixer, monitor, speaker, tablet, ultrawide];

export const lastProduct = products.at(-1) ?? book;

/** A currency that is not the shop's. */
export const otherCurrency = String(currency) === "eur" ? "usd" : "eur";

/** Withdraws or reprices a product, or marks it as sold out. Returns a function that undoes the change. */
export async function changeProduct({ d1 }: Shop, id: string, what: string): Promise<() => Promise<void>> {
	if (what === "repriced") {
		const reprice = d1.prepare("update products set price_cents = price_cents + ? where id = ?");
		await reprice.bind(100, id).run();
		return async () => void (await reprice.bind(-100, id).run());
	}
	if (what === "sold out") {
		const mark = d1.prepare("update products set status = ? where id = ?");
		await mark.bind("sold_out", id).run();
		return async () => void (await mark.bind("available", id).run());
	}
	const row = await d1.prepare("delete from products where id = ? returning *").bind(id).first();
	return async () => void (await insertRow(d1, "products", row ?? {}).run());
}
