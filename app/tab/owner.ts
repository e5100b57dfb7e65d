import { tryApi } from "#app/ui/try-api.ts";

// The owner of what this browser buys: a customer's id, or a guest. Each sign-in and sign-out starts another owner,
// also another guest, so that a receipt is shown only to its owner. localStorage has the latest owner, for the other
// tabs and for pages that were in the back/forward cache meanwhile.

/** The key of the owner in localStorage. */
export const ownerKey = "owner";

/** The first guest, and the prefix of every later one. A customer's id has no hyphen. */
export const guest = "guest-";

/** Returns the latest owner, or undefined if storage is denied. */
export const latestOwner = () => tryApi(() => localStorage.getItem(ownerKey) ?? guest);

/** Returns whether this owner is the customer with this id, or a guest if the id is null. */
export function isOwner(owner: string, customerId: string | null): boolean {
	return customerId === null ? owner.startsWith(guest) : owner === customerId;
}

/** Records a new owner, unless this customer, or any guest for null, is the latest one. Returns the latest owner. */
export function recordOwner(customerId: string | null): string {
	const latest = latestOwner() ?? guest;
	if (isOwner(latest, customerId)) return latest;
	const owner = customerId ?? guest + Date.now();
	tryApi(() => localStorage.setItem(ownerKey, owner));
	return owner;
}
