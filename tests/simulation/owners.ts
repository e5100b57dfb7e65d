import { canonical, type Order } from "./snapshot.ts";

/** `customer:` followed by a user's id, or `guest:` followed by the hash of a guest's token. */
export type OwnerName = `customer:${string}` | `guest:${string}`;

interface History {
	/** The owners in the place requests sent, by payment. */
	sent: Map<string, Set<OwnerName>>;
	/** The owner in the first place request that succeeded, by payment. Only a claim changes the owner after it. */
	placed: Map<string, OwnerName>;
	/** The users who claimed orders: by guest for sign-ins, by payment for fulfill requests. */
	claims: Map<string, Set<string>>;
	/** The customer who last owned each order whose status is no longer "placed". */
	seen: Map<string, string>;
	/** The changes from one customer to another. */
	stolen: string[];
}

/** Derives who may own each order (I4) from the place and claim requests. */
export class Owners {
	readonly #history: History;

	constructor(
		history: History = { sent: new Map(), placed: new Map(), claims: new Map(), seen: new Map(), stolen: [] },
	) {
		this.#history = history;
	}

	/** Returns an independent copy of this history. */
	copy(): Owners {
		return new Owners(structuredClone(this.#history));
	}

	/** Records a place request. Returns a function to call if the request succeeds. */
	places(intent: string, owner: OwnerName): () => void {
		const { sent, placed } = this.#history;
		sent.set(intent, (sent.get(intent) ?? new Set()).add(owner));
		return () => {
			if (!placed.has(intent)) placed.set(intent, owner);
		};
	}

	claims(guestOrIntent: string, user: string): void {
		const { claims } = this.#history;
		claims.set(guestOrIntent, (claims.get(guestOrIntent) ?? new Set()).add(user));
	}

	observe(orders: readonly Order[]): void {
		const { seen, stolen } = this.#history;
		for (const { id, user, status } of orders) {
			if (status === "placed") continue;
			const before = seen.get(id);
			if (before && before !== user) stolen.push(`${id} from ${before} to ${user}`);
			if (user) seen.set(id, user);
		}
	}

	mayOwn({ id, user, guest }: Order): boolean {
		const { claims, stolen } = this.#history;
		const allowed = this.#allowed(id);
		if (stolen.length > 0) return false;
		if (!allowed) return true;
		if (allowed.has(user === null ? `guest:${guest}` : `customer:${user}`)) return true;
		const guests = [...allowed].filter((owner) => owner.startsWith("guest:"));
		const claimed = [id, ...guests.map((owner) => owner.slice("guest:".length))];
		return guests.length > 0 && claimed.some((name) => claims.get(name)?.has(user ?? `guest:${guest}`));
	}

	describe({ id }: Order): string {
		const allowed = [...(this.#allowed(id) ?? [])];
		return `but may belong to ${allowed.join(" or ")}; changes of owner: ${this.#history.stolen.join(", ") || "none"}`;
	}

	get state(): string {
		return canonical(this.#history);
	}

	/** Returns the owner in the first place request that succeeded or, if none did, in each request. Returns null if the
	 *  order was not placed in this schedule. */
	#allowed(intent: string): Set<OwnerName> | null {
		const { sent, placed } = this.#history;
		const owner = placed.get(intent);
		return owner ? new Set([owner]) : (sent.get(intent) ?? null);
	}
}
