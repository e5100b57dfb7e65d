// Duplicating a tab copies its sessionStorage. A lock distinguishes the tab that may confirm a payment from its copies,
// which only poll it.

/** Resolves when this page holds the lock with this name, which it then holds until it is closed, or left while
 *  `mayLeave` returns true. With `steal`, takes the lock from the page that holds it. Never resolves if the browser has no
 *  locks, as on an insecure origin, or denies them.
 *
 *  With a lock, Firefox would not keep a page in its back/forward cache, and Back would lose the basket. Firefox decides
 *  that before `pagehide`. */
export function lock(name: string, mayLeave: () => boolean, options: { steal?: boolean } = {}): Promise<void> {
	return new Promise((acquired) => {
		const hold = () => {
			acquired();
			return new Promise<void>((release) => {
				addEventListener("beforeunload", () => mayLeave() && release());
			});
		};
		// rejects if the lock is stolen
		(async () => navigator.locks.request(name, options, hold))().catch(() => {});
	});
}
