import type { Order } from "./snapshot.ts";

/** `customer:` followed by a user's id, or `guest:` followed by the hash of a guest's token. */
export type OwnerName = `customer:${string}` | `guest:${string}`;

interface Place {
	owner: OwnerName;
	acknowledged: boolean;
}

/** Derives who may own each order (I4) from the place and claim requests. */
export class Owners {
	/** Place requests by payment, in the order they were sent. */
	readonly #places = new Map<string, Place[]>();
	/** The users who claimed orders: by guest for sign-ins, by payment for fulfill requests. */
	readonly #claims = new Map<string, Set<string>>();
	/** The customer who last owned each order. */
	readonly #seen = new Map<string, string>();
	readonly #stolen: string[] = [];

	/** Returns an independent copy of this history. */
	copy(): Owners {
		const copy = new Owners();
		for (const [id, places] of this.#places)
			copy.#places.set(
				id,
				places.map((place) => ({ ...place })),
			);
		for (const [claimed, users] of this.#claims) copy.#claims.set(claimed, new Set(users));
		for (const [id, user] of this.#seen) copy.#seen.set(id, user);
		return copy;
	}

	/** Records a place request. Returns a function to call if the request succeeds. */
	places(intent: string, owner: OwnerName): () => void {
		const place = { owner, acknowledged: false };
		this.#places.set(intent, [...(this.#places.get(intent) ?? []), place]);
		return () => {
			place.acknowledged = true;
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
		return JSON.stringify([[...this.#places].toSorted(), claims.toSorted(), [...this.#seen].toSorted(), this.#stolen]);
	}

	/** Returns the owner of the acknowledged place requests or, if there is none, of each request. Returns null if the
	 *  order was not placed in this schedule. */
	#allowed(intent: string): Set<OwnerName> | null {
		const places = this.#places.get(intent);
		if (!places) return null;
		const acknowledged = places.filter((place) => place.acknowledged);
		return new Set((acknowledged.length > 0 ? acknowledged : places).map(({ owner }) => owner));
	}
}
