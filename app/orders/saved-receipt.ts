// A guest's receipt is in sessionStorage, so that a reload shows it. It is deleted when someone signs in, because it
// must not remain after they sign out. The history entry of /orders, which cannot be deleted, only has the end of the
// order's id.

const key = "receipt";

/** Stores the receipt of a guest's payment. Without storage, only the message about the payment shows it. */
export function saveReceipt(receipt: object): void {
	try {
		sessionStorage.setItem(key, JSON.stringify(receipt));
	} catch {}
}

/** Returns what is stored, or null. */
export function findReceipt(): unknown {
	try {
		return JSON.parse(sessionStorage.getItem(key) ?? "null");
	} catch {
		return null;
	}
}

export function forgetReceipt(): void {
	try {
		sessionStorage.removeItem(key);
	} catch {}
}
