import type { BasketItem } from "#app/tab/basket.ts";
import type { Intent } from "#app/tab/purchase.ts";
import { attempt } from "#app/ui/attempt.ts";

// The basket and the intent are kept in memory, so a reload during a payment would lose both, and the shopper would
// never see the outcome. sessionStorage therefore holds the intent from the start of the confirmation until its outcome
// has been shown. If storage is unavailable, a reload loses this tab's purchase, but the server still completes it.

/** The key of the purchase in sessionStorage. */
const key = "purchase";

export type SavedStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export function savePurchase(storage: SavedStorage, intent: Intent): void {
	const { clientSecret, signature, total, items, owner } = intent;
	attempt(() => storage.setItem(key, JSON.stringify({ clientSecret, signature, total, items, owner })));
}

export function forgetPurchase(storage: SavedStorage): void {
	attempt(() => storage.removeItem(key));
}

/** Returns the intent that was being paid when the page was unloaded, or null. */
export function findSavedPurchase(storage: SavedStorage): Intent | null {
	const saved = Object(attempt(() => JSON.parse(storage.getItem(key) ?? "null")));
	const { clientSecret, signature = "", total, items, owner = "" }: Record<string, unknown> = saved;
	if (typeof clientSecret !== "string" || typeof signature !== "string" || typeof owner !== "string") return null;
	if (typeof total !== "number" || !Array.isArray(items)) return null;
	return { clientSecret, signature, total, attempt: 0, items: items.filter(isItem), owner, checks: 0 };
}

function isItem(item: unknown): item is BasketItem {
	return typeof item === "object" && item !== null && "id" in item && typeof item.id === "string";
}
