/** Milliseconds from one turn to the next. While a password is hashed nobody else in the isolate is served, for about
 *  110 of them; the rest is for pages. */
const pace = 160;
/** Milliseconds for pages after a hash that took longer. */
const rest = 50;

/** When the next turn is, going by `pace`, … */
let nextTurn = 0;
/** … and going by the last one. */
let restUntil = 0;

/** Returns whether a hash requested now would start within `timeout` milliseconds. */
export function isTurnSoon(timeout: number): boolean {
	return nextTurn - Date.now() < timeout;
}

/** Does the work of hashing a password when it is its turn, one after the other: one hash takes 16 MB, and many that came
 *  in together would hold up everybody until the last of them is done. A turn is a moment, and nothing that is handed on:
 *  who waits for it may be gone by then. */
export async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
	const turn = Math.max(nextTurn, Date.now());
	nextTurn = turn + pace;
	for (;;) {
		const wait = Math.max(turn, restUntil) - Date.now();
		if (wait <= 0) break;
		await new Promise((resolve) => setTimeout(resolve, wait));
	}
	restUntil = Date.now() + pace;
	try {
		return await work();
	} finally {
		restUntil = Math.max(restUntil, Date.now() + rest);
	}
}
