import { openPrimary } from "#app/http/databases.server.ts";
import { Sqlite } from "../simulation/database.ts";
import { type D1Call, d1On } from "./d1.ts";

/** The time of unit tests of orders, in Unix seconds. */
export const now = 1_800_000_000;

interface StoredOrder {
	userId?: string;
	guestTokenHash?: string;
	status?: "placed" | "paid" | "abandoned" | "refunded";
	created?: number;
	placedAt?: number;
	/** The product of each line item. */
	products?: string[];
	/** The quantity of every line item. */
	quantity?: number;
}

/** The shop's D1 in memory, with the customers ada and ben. Its replica is empty, so that only reads from the primary
 *  return rows. */
export class OrderDatabase {
	readonly sqlite = Sqlite.ofShop();
	readonly #replica = new Sqlite();
	readonly calls: D1Call[] = [];
	/** The errors of the next calls. */
	readonly failures: string[] = [];
	readonly d1 = d1On(async (call) => {
		this.calls.push(call);
		const [failure] = this.failures.splice(0, 1);
		if (failure) throw new Error(failure);
		return (call.nearest ? this.#replica : this.sqlite).perform(call);
	});
	readonly primary = openPrimary(this.d1);

	constructor() {
		for (const id of ["ada", "ben"]) {
			this.sqlite.all("insert into users values (?, ?, '', 0)", [id, `${id}@example.com`]);
		}
	}

	insertSession(id: string, userId: string, expiresAt = 4_000_000_000): void {
		this.sqlite.all("insert into sessions values (?, ?, ?)", [id, userId, expiresAt]);
	}

	insertOrder(id: string, order: StoredOrder): void {
		const { userId = null, guestTokenHash = null, status = "paid", created = now, placedAt = now } = order;
		this.sqlite.all(
			`insert into orders (payment_intent_id, user_id, guest_token_hash, amount, status, created, placed_at, due_at)
				values (?, ?, ?, 1196, ?, ?, ?, 0)`,
			[id, userId, guestTokenHash, status, created, placedAt],
		);
		const { products = ["12321341"], quantity = 1 } = order;
		for (const [position, product] of products.entries()) {
			const line = [id, position, product, `Title of ${product}`, `/${product}.webp`, 299, 4, quantity];
			this.sqlite.all("insert into order_items values (?, ?, ?, ?, ?, ?, ?, ?)", line);
		}
	}

	/** Returns the owner of each order, by id: a customer's id, a guest's hash or null. */
	owners() {
		const rows = this.sqlite.all("select payment_intent_id id, coalesce(user_id, guest_token_hash) owner from orders");
		return Object.fromEntries(rows.map(({ id, owner }) => [id, owner]));
	}

	unresolved() {
		return this.sqlite.all("select * from unresolved_payments order by payment_intent_id");
	}
}
