import type { BasketItem } from "#app/basket/basket.ts";
import type { Intent } from "./purchase.ts";

/** The key of the purchase in sessionStorage. */
const key = "purchase";

export type SavedStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

// The basket and the intent are kept in memory, so a reload during a payment would lose both, and the shopper would
// never see the outcome. sessionStorage therefore holds the intent from the start of the confirmation until its outcome
// has been shown. If storage is unavailable, a reload loses this tab's purchase, but the server still completes it.

export function savePurchase(storage: SavedStorage, { clientSecret, signature, total, items }: Intent): void {
	attempt(() => storage.setItem(key, JSON.stringify({ clientSecret, signature, total, items })));
}

export function forgetPurchase(storage: SavedStorage): void {
	attempt(() => storage.removeItem(key));
}

/** Returns the intent that was being paid when the page was unloaded, or null. */
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
