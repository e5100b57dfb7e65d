import type { BasketItem } from "#app/basket/basket.ts";
import type { Intent } from "./purchase.ts";

/** The entry in sessionStorage. */
const key = "purchase";

export type SavedStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

// The basket and the intent live in memory, so a reload during a payment would leave the shopper with an empty basket
// and no word about their money. So sessionStorage holds the intent from the confirmation until its outcome has been
// shown, and nothing before or after. If storage is unavailable, a reload loses the purchase in this tab, but the
// server still completes it.

export function savePurchase(storage: SavedStorage, { clientSecret, signature, total, items }: Intent): void {
	attempt(() => storage.setItem(key, JSON.stringify({ clientSecret, signature, total, items })));
}

export function forgetPurchase(storage: SavedStorage): void {
	attempt(() => storage.removeItem(key));
}

/** Returns the intent that was being paid when the page was left, or null. */
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
