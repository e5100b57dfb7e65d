import type { BasketItem } from "./basket.ts";

/** Returns the items at their new prices. `prices` contains cents by product id. Items without a price are no longer
 *  sold and are omitted. */
export function reprice(items: readonly BasketItem[], prices: Readonly<Record<string, number>>): BasketItem[] {
	return items.flatMap((item) => {
		const priceCents = prices[item.id];
		return priceCents === undefined ? [] : [{ ...item, priceCents }];
	});
}

/** Returns the basket after removing one matching item per paid item. */
export function withoutPaid(basket: readonly BasketItem[], paid: readonly BasketItem[]): BasketItem[] {
	const left = [...basket];
	for (const { id } of paid) {
		const index = left.findIndex((item) => item.id === id);
		if (index !== -1) left.splice(index, 1);
	}
	return left;
}
