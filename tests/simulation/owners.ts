import type { Order } from "./snapshot.ts";

/** `customer:` followed by a user's id, or `guest:` followed by the hash of a guest's token. */
export type OwnerName = `customer:${string}` | `guest:${string}`;

/** Derives who may own each order (I4) from the place and claim requests. */
export class Owners {
	/** The owners in the place requests sent, by payment. */
	readonly #sent = new Map<string, Set<OwnerName>>();
	/** The owner in the first place request that succeeded, by payment. Only a claim changes the owner after it. */
	readonly #placed = new Map<string, OwnerName>();
	/** The users who claimed orders: by guest for sign-ins, by payment for fulfill requests. */
	readonly #claims = new Map<string, Set<string>>();
	/** The customer who last owned each order. */
	readonly #seen = new Map<string, string>();
	readonly #stolen: string[] = [];

	/** Returns an independent copy of this history. */
	copy(): Owners {
		const copy = new Owners();
		for (const [id, owners] of this.#sent) copy.#sent.set(id, new Set(owners));
		for (const [id, owner] of this.#placed) copy.#placed.set(id, owner);
		for (const [claimed, users] of this.#claims) copy.#claims.set(claimed, new Set(users));
		for (const [id, user] of this.#seen) copy.#seen.set(id, user);
		return copy;
	}

	/** Records a place request. Returns a function to call if the request succeeds. */
	places(intent: string, owner: OwnerName): () => void {
		this.#sent.set(intent, (this.#sent.get(intent) ?? new Set()).add(owner));
		return () => {
			if (!this.#placed.has(intent)) this.#placed.set(intent, owner);
		};
	}

	claims(guestOrIntent: string, user: string): void {
		this.#claims.set(guestOrIntent, (this.#claims.get(guestOrIntent) ?? new Set()).add(user));
	}

	/** Records the owner of each order whose status is no longer "placed", and every later change of owner. */
	observe(orders: readonly Order[]): void {
		for (const { id, user, status } of orders) {
			const before = this.#seen.get(id);
			if (before && before !== user && status !== "placed") this.#stolen.push(`${id} from ${before} to ${user}`);
			if (user && status !== "placed") this.#seen.set(id, user);
		}
	}

	mayOwn({ id, user, guest }: Order): boolean {
		const allowed = this.#allowed(id);
		if (this.#stolen.length > 0) return false;
		if (!allowed) return true;
		if (allowed.has(user === null ? `guest:${guest}` : `customer:${user}`)) return true;
		const claimants = [id, ...[...allowed].map((owner) => owner.slice("guest:".length))];
		const isGuests = [...allowed].some((owner) => owner.startsWith("guest:"));
		return isGuests && claimants.some((claimed) => this.#claims.get(claimed)?.has(user ?? `guest:${guest}`));
	}

	describe({ id }: Order): string {
		const allowed = [...(this.#allowed(id) ?? [])];
		return `but may belong to ${allowed.join(" or ")}; changes of owner: ${this.#stolen.join(", ") || "none"}`;
	}

	get state(): string {
		const claims = [...this.#claims].map(([claimed, users]) => [claimed, [...users].toSorted()]);
		const sent = [...this.#sent].map(([id, owners]) => [id, [...owners].toSorted()]);
		return JSON.stringify([
			sent.toSorted(),
			[...this.#placed].toSorted(),
			claims.toSorted(),
			[...this.#seen].toSorted(),
			this.#stolen,
		]);
	}

	/** Returns the owner in the first place request that succeeded or, if none did, in each request. Returns null if the
	 *  order was not placed in this schedule. */
	#allowed(intent: string): Set<OwnerName> | null {
		const placed = this.#placed.get(intent);
		return placed ? new Set([placed]) : (this.#sent.get(intent) ?? null);
	}
}
