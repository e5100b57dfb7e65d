import { tryApi } from "#app/ui/try-api.ts";

// Whoever buys in this browser: a customer, by id, or a guest. Signing in and out each begin another owner, also another
// guest, so that a receipt can tell for whom it is. localStorage has the latest owner, for the other tabs and for pages
// that were in the back/forward cache meanwhile.

/** The key of the owner in localStorage. */
export const ownerKey = "owner";

/** The first guest, and the beginning of every other. A customer's id has no hyphen. */
export const guest = "guest-";

/** Returns the latest owner, or undefined if storage is denied. */
export const latestOwner = () => tryApi(() => localStorage.getItem(ownerKey) ?? guest);

/** Returns whether this owner is the customer with this id, or a guest if the id is null. */
export function isOwner(owner: string, customerId: string | null): boolean {
	return customerId === null ? owner.startsWith(guest) : owner === customerId;
}

/** Begins a new owner, unless this customer or guest is the latest one. Returns the owner. */
export function recordOwner(customerId: string | null): string {
	const latest = latestOwner() ?? guest;
	if (isOwner(latest, customerId)) return latest;
	const owner = customerId ?? guest + Date.now();
	tryApi(() => localStorage.setItem(ownerKey, owner));
	return owner;
}
