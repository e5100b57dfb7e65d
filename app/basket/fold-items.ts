import type { BasketItem } from "#app/tab/basket.ts";

/** An item with how often it is bought. */
export type Line = BasketItem & { quantity: number };

/** Returns a line for each product, in the order in which the first of its items was added. */
export function foldItems(items: readonly BasketItem[]): Line[] {
	return [...Map.groupBy(items, ({ id }) => id).values()].flatMap(([item, ...more]) =>
		item ? { ...item, quantity: 1 + more.length } : [],
	);
}

/** Returns the number of items in lines. */
export function countItems(lines: readonly Line[]): number {
	return lines.reduce((sum, { quantity }) => sum + quantity, 0);
}
