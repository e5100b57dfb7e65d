/** A script that runs in the head and wraps two APIs that React Router uses without handling their failure. If
 *  sessionStorage is denied, a replacement keeps its items until the page is left, so that a guest sees the receipt. If
 *  a view transition cannot be started, the page changes without one. */
export const wrapApis = `
try {
	sessionStorage.getItem("");
} catch {
	const items = new Map();
	const getItem = (key) => items.get(key) ?? null;
	const setItem = (key, value) => void items.set(key, value);
	const removeItem = (key) => void items.delete(key);
	Object.defineProperty(window, "sessionStorage", { value: { getItem, setItem, removeItem } });
}
Object.defineProperty(document, "startViewTransition", { writable: true, value: (update) => {
	try {
		const transition = Document.prototype.startViewTransition.call(document, update);
		// rejects when a navigation skips the view transition of an earlier one
		transition.ready.catch(() => {});
		return transition;
	} catch {
		return { finished: Promise.resolve(update()), skipTransition() {} };
	}
} });`;
