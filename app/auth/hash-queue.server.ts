/** Interval between two slots, in milliseconds. A hash blocks the isolate for about 110 ms; the rest of
 *  the interval is left for other requests. */
const pace = 160;
/** Maximum number of slots of one address. */
const maxPerAddress = 3;

/** The hashes that may still run, in order. `startsAt` is in Unix milliseconds. */
let slots: { startsAt: number; address: string }[] = [];

/** Schedules password hashes `pace` apart: each takes 16 MB, and running many without a pause would delay every
 *  other request until the last hash is done. `address` is the result of `addressOf`. Returns "busy" if the address
 *  already has three slots, or if its slot would start more than `timeout` milliseconds from now. */
export async function hashInTurn<Result>(
	address: string,
	timeout: number,
	work: () => Promise<Result>,
): Promise<Result | "busy"> {
	const now = Date.now();
	// one client can have a whole /48 of IPv6, and with it 256 of the /56 networks that `addressOf` returns
	const site = address.split(":", 3).join(":");
	// a slot passes with time, because workerd never resumes a request that is canceled while it waits
	slots = slots.filter(({ startsAt }) => startsAt + pace > now);
	const startsAt = Math.max(now, (slots.at(-1)?.startsAt ?? 0) + pace);
	const isFull = slots.filter((slot) => slot.address === site).length >= maxPerAddress;
	if (isFull || startsAt > now + timeout) return "busy";
	// nothing is awaited before the slot is taken: simultaneous requests would take the same one
	slots.push({ startsAt, address: site });
	if (startsAt > now) await new Promise((resolve) => setTimeout(resolve, startsAt - now));
	return work();
}
