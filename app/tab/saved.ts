import { tryApi } from "#app/ui/try-api.ts";
import type { BasketItem } from "./basket.ts";

// A tab keeps in its sessionStorage what a reload must not lose. The storage may be denied, and what it returns may have
// been written by another build of the shop, or be damaged.

/** The part of sessionStorage that is used. */
export type SavedStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** The key of a payment in progress (see checkout/saved-purchase.ts). */
export const purchaseKey = "purchase";

const item: BasketItem = { id: "", title: "", priceCents: 0, rating: 0, image: "" };

/** An example of what was bought. */
export const bought = { items: [item], owner: "" };

/** Returns the value saved under this key, or null if it lacks a field of the example or has another type. */
export function readSaved<Value>(storage: SavedStorage, key: string, example: Value): Value | null {
	const value: unknown = tryApi(() => JSON.parse(storage.getItem(key) ?? "null"));
	return isLike(value, example) ? value : null;
}

function isLike<Value>(value: unknown, example: Value): value is Value {
	// cents, stars or Unix seconds: a larger number may not be a date
	if (typeof example === "number") return typeof value === "number" && value >>> 0 === value;
	if (Array.isArray(example)) return Array.isArray(value) && value.every((element) => isLike(element, example[0]));
	if (!(example instanceof Object)) return typeof value === typeof example;
	return Object.entries(example).every(([key, field]) => isLike(Object(value)[key], field));
}
