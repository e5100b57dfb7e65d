import { tryApi } from "#app/ui/try-api.ts";
import type { BasketItem } from "./basket.ts";
import { isLike } from "./is-like.ts";

// A tab keeps in its sessionStorage what a reload must not lose. The storage may be denied, and what it returns may
// have been written by another build of the shop, or be damaged.

/** The part of sessionStorage that is used. */
export type SavedStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** The key of a payment in progress (see checkout/saved-purchase.ts). */
export const purchaseKey = "purchase";

const item: BasketItem = { id: "", title: "", priceCents: 0, rating: 0, image: "" };

/** What a tab keeps of an order, from Buy Now to the receipt. */
export interface Bought {
	items: BasketItem[];
	/** The owner for whom it is bought (see owner.ts). */
	owner: string;
}

/** An example for `readSaved`. */
export const bought: Bought = { items: [item], owner: "" };

/** Returns the value saved under this key, or null if it lacks a field of the example or has another type. */
export function readSaved<Value>(storage: SavedStorage, key: string, example: Value): Value | null {
	const value: unknown = tryApi(() => JSON.parse(storage.getItem(key) ?? "null"));
	return isLike(value, example) ? value : null;
}
