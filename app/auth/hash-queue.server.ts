/** Minimum interval between the starts of two hashes, in milliseconds. A hash blocks the isolate for about 110 ms; the
 *  rest of the interval is left for other requests. */
const pace = 160;
/** Minimum interval between the end of a hash and the start of the next one, in milliseconds. */
const rest = 50;
/** Maximum number of slots of one address. */
const maxPerAddress = 3;

/** The time when a request may start its hash. A slot is a point in time, not a lock passed between requests: workerd
 *  never resumes a request that has been canceled, and its slot passes unused. */
interface Slot {
	/** Unix milliseconds. If an earlier hash takes longer, the request moves it later once its wait is over. */
	startsAt: number;
	address: string;
}

/** The slots whose interval has not passed, in the order in which they were taken. */
let slots: Slot[] = [];
/** When the next hash may start, in Unix milliseconds. */
let nextStart = 0;

/** Runs password hashes one at a time: each takes 16 MB, and running many without a pause would delay every other
 *  request until the last hash is done. `address` is the result of `addressOf`. Returns "busy" if the address already
 *  has three slots, or if its slot starts more than `timeout` milliseconds from now.
 *
 *  If a hash takes longer than usual, as on a slow machine, the requests after it wait longer than until their slots, so
 *  other requests still run between two hashes; one that would wait longer than its timeout returns "busy". On
 *  Cloudflare, the clock does not advance during a hash: there, only a hash that starts late delays the next one. */
export async function hashInTurn<Result>(
	address: string,
	timeout: number,
	work: () => Promise<Result>,
): Promise<Result | "busy"> {
	const now = Date.now();
	slots = slots.filter(({ startsAt }) => startsAt + pace > now);
	// until the slot is added, nothing is awaited: otherwise, simultaneous sign-ins would all be admitted
	const slot = { startsAt: (slots.at(-1)?.startsAt ?? 0) + pace, address: siteOf(address) };
	if (slots.filter((other) => other.address === slot.address).length >= maxPerAddress) return "busy";
	slots.push(slot);
	while (true) {
		slot.startsAt = Math.max(slot.startsAt, nextStart, Date.now());
		if (slot.startsAt > now + timeout) {
			slots = slots.filter((other) => other !== slot);
			return "busy";
		}
		const wait = slot.startsAt - Date.now();
		if (wait <= 0) break;
		await new Promise((resolve) => setTimeout(resolve, wait));
	}
	nextStart = Date.now() + pace;
	try {
		return await work();
	} finally {
		nextStart = Math.max(nextStart, Date.now() + rest);
	}
}

/** Returns the first 48 bits of an IPv6 network, and an IPv4 address unchanged. One client can have a whole /48, and
 *  with it 256 of the /56 networks that `addressOf` returns. */
const siteOf = (address: string) => address.split(":", 3).join(":");
