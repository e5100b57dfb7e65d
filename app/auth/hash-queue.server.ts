/** Milliseconds from one hash to the next. A hash blocks the isolate for about 110 of them; in the others it serves pages. */
const pace = 160;
/** Milliseconds for pages after a hash that took longer. */
const rest = 50;
/** Milliseconds after which a request that does not take its turn loses it. */
const grace = 100;

interface Waiting {
	address: string;
	/** Which turn of its address this is, counted from the turn that was taken last. */
	rank: number;
	/** Milliseconds, as all times here. */
	expiresAt: number;
	polledAt: number;
	/** Whether it has missed a turn and not polled since. */
	isSilent: boolean;
}

/** In the order in which they joined. */
let queue: Waiting[] = [];
let nextTurnAt = 0;
let lastRank = 0;

/** Runs the work of hashing a password when it is its turn, one after the other: one hash takes 16 MB, and many at once
 *  would delay every other request until the last of them is done. Addresses take turns: however many hashes one of them
 *  requests, another waits for one of those. Returns "busy" when it is not this hash's turn within `timeout`
 *  milliseconds, or when the queue is full and no address has more in it. */
export async function hashInTurn<Result>(
	address: string,
	timeout: number,
	work: () => Promise<Result>,
): Promise<Result | "busy"> {
	const waiting = join(address, timeout);
	while (!takesTurn(waiting)) {
		if (!queue.includes(waiting)) return "busy";
		const wait = Math.max(nextTurnAt - Date.now(), 20);
		await new Promise((resolve) => setTimeout(resolve, wait));
	}
	try {
		return await work();
	} finally {
		nextTurnAt = Math.max(nextTurnAt, Date.now() + rest);
	}
}

/** Joins the queue. If it is full, removes a request that stopped polling, or the newest request of the busiest address. */
function join(address: string, timeout: number): Waiting {
	removeExpired();
	const now = Date.now();
	const ranks = queue.filter((other) => other.address === address).map(({ rank }) => rank);
	const waiting = {
		address,
		rank: Math.max(lastRank, ...ranks) + 1,
		expiresAt: now + timeout,
		polledAt: 0,
		isSilent: false,
	};
	queue.push(waiting);
	if (queue.length > timeout / pace) {
		const silent = queue.find(({ isSilent }) => isSilent);
		leave(silent ?? queue.reduce((last, other) => (other.rank >= last.rank ? other : last)));
	}
	return waiting;
}

function removeExpired(): void {
	queue = queue.filter(({ expiresAt }) => expiresAt > Date.now());
}

function leave(waiting: Waiting): void {
	queue = queue.filter((other) => other !== waiting);
}

/** Takes the turn if it is due and this is the first in the queue. A slot is a point in time, not a lock passed between
 *  requests: workerd never resumes a request that has been canceled. */
function takesTurn(waiting: Waiting): boolean {
	const now = Date.now();
	// requests that have not polled may only be late: after a long task, overdue timers fire one after the other
	const hasPolled = waiting.polledAt >= nextTurnAt;
	waiting.polledAt = now;
	waiting.isSilent = false;
	removeExpired();
	if (now < nextTurnAt) return false;
	if (hasPolled && now >= nextTurnAt + grace) for (const other of queue) other.isSilent = other.polledAt < nextTurnAt;
	const [first] = queue.filter(({ isSilent }) => !isSilent).toSorted((a, b) => a.rank - b.rank);
	if (first !== waiting) return false;
	leave(waiting);
	lastRank = Math.max(lastRank, waiting.rank);
	nextTurnAt = now + pace;
	return true;
}
