// Duplicating a tab copies its sessionStorage. A lock tells the tab that may confirm a payment from its copies, which only
// check it.

/** Resolves when this page holds the lock with this name, which it then holds until the shopper leaves it. With `steal`,
 *  takes the lock from the page that holds it. Never resolves if the browser has no locks, as on an insecure origin, or
 *  denies them. */
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

/** With a lock, Firefox would not keep the page in its back/forward cache, and Back would lose the basket. Firefox decides
 *  that before `pagehide`. While the page asks the shopper to stay, it keeps its lock. */
function releaseOnLeave(release: () => void): void {
	addEventListener("beforeunload", ({ defaultPrevented }) => defaultPrevented || release());
}
