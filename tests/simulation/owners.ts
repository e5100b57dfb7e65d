import type { OrderFact } from "./facts.ts";

/** `customer:` and a user's id, or `guest:` and the hash of a guest's token. */
export type OwnerName = `customer:${string}` | `guest:${string}`;

interface Sent {
	owner: OwnerName;
	acknowledged: boolean;
}

/** I4: who may own each order, from what was placed and claimed. */
export class Owners {
	/** By payment, in the order in which they were sent. */
	readonly #places = new Map<string, Sent[]>();
	/** Accounts that claimed a guest's orders, or returned from paying one, by guest or payment. */
	readonly #claims = new Map<string, Set<string>>();
	/** The customer who has each order. */
	readonly #seen = new Map<string, string>();
	readonly #stolen: string[] = [];

	/** The same history, to go on from. */
	copy(): Owners {
		const copy = new Owners();
		for (const [id, sent] of this.#places) {
			copy.#places.set(
				id,
				sent.map((one) => ({ ...one })),
			);
		}
		for (const [claimed, users] of this.#claims) copy.#claims.set(claimed, new Set(users));
		for (const [id, user] of this.#seen) copy.#seen.set(id, user);
		return copy;
	}

	/** A browser sends a place. Returns a function to call when the response "placed" has arrived. */
	sends(intent: string, owner: OwnerName): () => void {
		const sent = { owner, acknowledged: false };
		this.#places.set(intent, [...(this.#places.get(intent) ?? []), sent]);
		return () => {
			sent.acknowledged = true;
		};
	}

	claims(guestOrIntent: string, user: string): void {
		this.#claims.set(guestOrIntent, (this.#claims.get(guestOrIntent) ?? new Set()).add(user));
	}

	/** Notes who owns the orders, and whether one that was paid has changed hands. */
	saw(orders: readonly OrderFact[]): void {
		for (const { id, user, status } of orders) {
			const before = this.#seen.get(id);
			if (before && before !== user && status !== "placed") this.#stolen.push(`${id} from ${before} to ${user}`);
			if (user && status !== "placed") this.#seen.set(id, user);
		}
	}

	mayOwn({ id, user, guest }: OrderFact): boolean {
		const allowed = this.#allowed(id);
		if (this.#stolen.length > 0) return false;
		if (!allowed) return true;
		if (allowed.has(user === null ? `guest:${guest}` : `customer:${user}`)) return true;
		const claimants = [id, ...[...allowed].map((owner) => owner.slice("guest:".length))];
		const isGuests = [...allowed].some((owner) => owner.startsWith("guest:"));
		return isGuests && claimants.some((claimed) => this.#claims.get(claimed)?.has(user ?? `guest:${guest}`));
	}

	describe({ id }: OrderFact): string {
		const allowed = [...(this.#allowed(id) ?? [])];
		return `which may belong to ${allowed.join(" or ")}; taken away: ${this.#stolen.join(", ") || "none"}`;
	}

	get state(): string {
		const claims = [...this.#claims].map(([claimed, users]) => [claimed, [...users].toSorted()]);
		return JSON.stringify([[...this.#places].toSorted(), claims.toSorted(), [...this.#seen].toSorted(), this.#stolen]);
	}

	/** The owner whose place was acknowledged last, and those of later ones that were never answered; null when nothing
	 *  was placed in this schedule. */
	#allowed(intent: string): Set<OwnerName> | null {
		const places = this.#places.get(intent);
		if (!places) return null;
		const last = places.findLastIndex(({ acknowledged }) => acknowledged);
		return new Set(places.slice(Math.max(last, 0)).map(({ owner }) => owner));
	}
}
