import { tryApi } from "#app/ui/try-api.ts";

// Who buys in this browser: a customer, by id, or a guest. Each sign-in, sign-out and removal of a guest's orders starts
// another buyer, also another guest, so that a receipt is shown only to its buyer. localStorage has the latest buyer, for
// the other tabs and for pages that were in the back/forward cache meanwhile.

export const buyerKey = "buyer";

/** The first guest, and the prefix of every later one. A customer's id has no hyphen. */
export const guest = "guest-";

/** Returns the latest buyer, or undefined if storage is denied. */
export const latestBuyer = () => tryApi(() => localStorage.getItem(buyerKey) ?? guest);

/** Returns whether this buyer is the customer with this id, or a guest if the id is null. */
export function isBuyer(buyer: string, customerId: string | null): boolean {
	return customerId === null ? buyer.startsWith(guest) : buyer === customerId;
}

/** Records a new buyer, unless this customer, or any guest for null, is the latest one. Returns the latest buyer. */
export function recordBuyer(customerId: string | null): string {
	const latest = latestBuyer() ?? guest;
	return isBuyer(latest, customerId) ? latest : record(customerId ?? newGuest());
}

/** Records a new guest, who does not see the earlier guest's receipt. Returns the guest. */
export const recordGuest = () => record(newGuest());

const newGuest = () => guest + Date.now();

function record(buyer: string): string {
	tryApi(() => localStorage.setItem(buyerKey, buyer));
	return buyer;
}
