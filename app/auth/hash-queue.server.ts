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
	/** Unix milliseconds. */
	startsAt: number;
	address: string;
}

/** The slots whose interval has not passed, in the order in which they start. */
let slots: Slot[] = [];

/** Runs password hashes one at a time: each takes 16 MB, and running many without a pause would delay every other
 *  request until the last hash is done. `address` is the result of `addressOf`. Returns "busy" if the address already
 *  has three slots, or if the next free slot starts more than `timeout` milliseconds from now.
 *
 *  If a hash takes longer than usual, as on a slow machine, the slots after it are postponed, so other requests still
 *  run between two hashes. A request whose slot is postponed beyond its timeout returns "busy". On Cloudflare, the
 *  clock does not advance during a hash: there, the slots are postponed only when the next hash starts late. */
export async function hashInTurn<Result>(
	address: string,
	timeout: number,
	work: () => Promise<Result>,
): Promise<Result | "busy"> {
	const now = Date.now();
	const deadline = now + timeout;
	slots = slots.filter(({ startsAt }) => startsAt + pace > now);
	// until the slot is added, nothing is awaited: otherwise, simultaneous sign-ins would all be admitted
	const slot = { startsAt: Math.max(now, (slots.at(-1)?.startsAt ?? 0) + pace), address: siteOf(address) };
	if (slots.filter((other) => other.address === slot.address).length >= maxPerAddress) return "busy";
	slots.push(slot);
	while (slot.startsAt > Date.now() && slot.startsAt <= deadline) {
		const wait = slot.startsAt - Date.now();
		await new Promise((resolve) => setTimeout(resolve, wait));
	}
	postpone(slot, Date.now());
	if (slot.startsAt > deadline) {
		slots = slots.filter((other) => other !== slot);
		return "busy";
	}
	try {
		return await work();
	} finally {
		postpone(slot, Date.now() + rest - pace);
	}
}

/** Returns the first 48 bits of an IPv6 network, and an IPv4 address unchanged. One client can have a whole /48, and
 *  with it 256 of the /56 networks that `addressOf` returns. */
const siteOf = (address: string) => address.split(":", 3).join(":");

/** Moves a slot that starts before `startsAt` to that time, and the slots after it as far as the pace requires. */
function postpone(slot: Slot, startsAt: number): void {
	slot.startsAt = Math.max(slot.startsAt, startsAt);
	let earliest = 0;
	for (const each of slots) {
		each.startsAt = Math.max(each.startsAt, earliest);
		earliest = each.startsAt + pace;
	}
}
