// Replaces a denied sessionStorage, whose failure React Router does not handle.

try {
	sessionStorage.getItem("");
} catch {
	// keeps the items until the page is left, so that a guest sees the receipt
	const items = new Map<string, string>();
	const value: Pick<Storage, "getItem" | "setItem" | "removeItem"> = {
		getItem: (key) => items.get(key) ?? null,
		setItem: (key, item) => void items.set(key, item),
		removeItem: (key) => void items.delete(key),
	};
	Object.defineProperty(window, "sessionStorage", { value });
}
