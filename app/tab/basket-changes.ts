import type { BasketItem } from "#app/tab/basket.ts";
import { formatMoney } from "#app/ui/money.ts";

/** Returns the items at their new prices, and a sentence for each product that changed. `prices` contains cents by
 *  product id. Items without a price are no longer sold and are omitted. */
export function reprice(items: readonly BasketItem[], prices: Readonly<Record<string, number>>) {
	const repriced = items.flatMap((item) => {
		const priceCents = prices[item.id];
		return priceCents === undefined ? [] : [{ ...item, priceCents }];
	});
	const changes = items.flatMap(({ id, title, priceCents }) => {
		const price = prices[id];
		if (price === undefined) return [`${title} is no longer available.`];
		return price === priceCents ? [] : [`${title} now costs ${formatMoney(price)}.`];
	});
	return { items: repriced, changes: [...new Set(changes)] };
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
