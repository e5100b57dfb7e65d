import type { BasketItem } from "#app/basket/basket.ts";
import type { Intent } from "./purchase.ts";

/** The entry in sessionStorage. */
const key = "purchase";

export type SavedStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

// The basket and the intent live in memory. While a card is being charged that is not enough: a reload would leave the
// shopper with an empty basket and no word about their money. So the intent is kept in this tab's sessionStorage from
// the confirmation until the shopper has been told its outcome, and nothing is kept before or after. Storage may be
// unavailable; then a reload loses the purchase here, and the server completes it all the same.

export function savePurchase(storage: SavedStorage, { clientSecret, signature, total, items }: Intent): void {
	attempt(() => storage.setItem(key, JSON.stringify({ clientSecret, signature, total, items })));
}

export function forgetPurchase(storage: SavedStorage): void {
	attempt(() => storage.removeItem(key));
}

/** The intent that was being paid when the page was left, or null. */
export function findSavedPurchase(storage: SavedStorage): Intent | null {
	const saved: unknown = attempt(() => JSON.parse(storage.getItem(key) ?? "null"));
	if (typeof saved !== "object" || saved === null) return null;
	const { clientSecret, signature, total, items }: Record<string, unknown> = { ...saved };
	if (typeof clientSecret !== "string" || typeof total !== "number" || !Array.isArray(items)) return null;
	return {
		clientSecret,
		signature: typeof signature === "string" ? signature : undefined,
		total,
		attempt: 0,
		items: items.filter(isItem),
	};
}

function isItem(item: unknown): item is BasketItem {
	return typeof item === "object" && item !== null && "id" in item && typeof item.id === "string";
}

function attempt<Result>(access: () => Result): Result | undefined {
	try {
		return access();
	} catch {
		return undefined;
	}
}
