/** Milliseconds between the starts of two hashes. A hash blocks the isolate for about 110 of them; the rest is for
 *  pages. */
const pace = 160;
/** Milliseconds for pages after a hash that took longer. */
const rest = 50;
/** Milliseconds after which a waiting request loses its turn if it has not polled. */
const grace = 100;

interface Waiting {
	address: string;
	/** The number of its turn among those of its address, counted from the latest turn of all. */
	rank: number;
	/** Milliseconds, like every time here. */
	expiresAt: number;
	polledAt: number;
	/** Whether it missed a turn and has not polled since. */
	isSilent: boolean;
}

/** In the order of joining. */
let queue: Waiting[] = [];
let nextTurnAt = 0;
let lastRank = 0;

/** Runs password hashes one at a time: each takes 16 MB, and many at once would delay every other request until the
 *  last is done. Addresses take turns, so an address with many hashes delays another by one of them. Returns "busy"
 *  if no turn comes within `timeout` milliseconds, or if the queue is full and no address has more requests in it. */
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
