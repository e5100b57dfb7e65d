import { clientSecretPattern, maxSignatureLength } from "#app/tab/client-secret.ts";
import type { Intent } from "#app/tab/purchase.ts";
import { bought, purchaseKey, readSaved, type SavedStorage } from "#app/tab/saved.ts";
import { tryApi } from "#app/ui/try-api.ts";

// The basket and the intent are kept in memory, so a reload during a payment would lose both, and the shopper would
// never see the outcome. sessionStorage therefore holds the intent from the start of the confirmation until its outcome
// has been shown. If storage is unavailable, a reload loses this tab's purchase, but the server still completes it.

const example = { ...bought, clientSecret: "", signature: "", total: 0 };

export function savePurchase(storage: SavedStorage, intent: Intent): void {
	const { attempt: _, round: _round, ...saved } = intent;
	tryApi(() => storage.setItem(purchaseKey, JSON.stringify(saved)));
}

export function forgetPurchase(storage: SavedStorage): void {
	tryApi(() => storage.removeItem(purchaseKey));
}

/** Returns the intent that was being paid when the page was unloaded, or null. Removes a value that cannot be one: the
 *  server would refuse each poll, and the basket would stay locked. */
export function findSavedPurchase(storage: SavedStorage): Intent | null {
	const saved = readSaved(storage, purchaseKey, example);
	const isPollable =
		saved && clientSecretPattern.test(saved.clientSecret) && saved.signature.length <= maxSignatureLength;
	if (isPollable) return { ...saved, attempt: 0, round: 0 };
	forgetPurchase(storage);
	return null;
}
