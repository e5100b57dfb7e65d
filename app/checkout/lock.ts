// Duplicating a tab copies its sessionStorage. A lock distinguishes the tab that may confirm a payment from its copies,
// which only poll it.

/** Resolves when this page holds the lock with this name, which it then holds until the shopper leaves the page. With
 *  `steal`, takes the lock from the page that holds it. Never resolves if the browser has no locks, as on an insecure
 *  origin, or denies them. */
export function lock(name: string, options: { steal?: boolean } = {}): Promise<void> {
	return new Promise((acquired) => {
		const hold = () => {
			acquired();
			return new Promise<void>(releaseOnLeave);
		};
		// rejects if the lock is stolen
		(async () => navigator.locks.request(name, options, hold))().catch(() => {});
	});
}

/** Releases the lock before the page is left, unless the page asks the shopper to stay. With a lock, Firefox would not
 *  keep the page in its back/forward cache, and Back would lose the basket. Firefox decides that before `pagehide`. */
function releaseOnLeave(release: () => void): void {
	addEventListener("beforeunload", ({ defaultPrevented }) => defaultPrevented || release());
}
