/** Minimum interval between the starts of two hashes, in milliseconds. A hash blocks the isolate for about 110 ms; the
 *  rest of the interval is left for other requests. */
const pace = 160;
/** Minimum interval between the end of a hash and the start of the next one, in milliseconds. */
const rest = 50;
/** Time after which a waiting request that has not polled loses its turn, in milliseconds. */
const grace = 100;

interface Waiting {
	address: string;
	/** Requests with a lower rank go first. The rank is one more than the higher of two ranks: that of the address's
	 *  last waiting request, and that of the last request to take a turn. */
	rank: number;
	/** Unix milliseconds, like every time in this file. */
	expiresAt: number;
	polledAt: number;
	/** Whether the request missed a turn and has not polled since. */
	isSilent: boolean;
}

/** The waiting requests, in the order in which they joined. */
let queue: Waiting[] = [];
let nextTurnAt = 0;
let lastRank = 0;

/** Runs password hashes one at a time: each takes 16 MB, and running many without a pause would delay every other
 *  request until the last hash is done. IP addresses take turns, so many hashes for one address delay another address
 *  by only one hash. Returns "busy" if no turn comes within `timeout` milliseconds, or if the queue is full and no
 *  other address has more requests in it. */
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

/** Adds a request to the queue. If the queue is full, removes a request that stopped polling or, if there is none, the
 *  newest request of the busiest address. */
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

/** Takes the turn if one is due and this request is first in the queue, and returns whether it did. A turn is a point
 *  in time, not a lock passed between requests: workerd never resumes a request that has been canceled. */
function takesTurn(waiting: Waiting): boolean {
	const now = Date.now();
	// a request that has not polled may just be late: after a long task, overdue timers fire one after another
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
