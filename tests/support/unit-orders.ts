import { currency } from "#app/brand.ts";
import { openPrimary } from "#app/http/databases.server.ts";
import { Sqlite } from "../simulation/database.ts";
import { book } from "./catalogue.ts";
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
			this.sqlite.insert("users", { id, email: `${id}@example.com`, password_hash: "", created_at: 0 });
		}
	}

	insertSession(id: string, userId: string, expiresAt = 4_000_000_000): void {
		this.sqlite.insert("sessions", { id, user_id: userId, expires_at: expiresAt });
	}

	insertOrder(id: string, order: StoredOrder): void {
		const { userId = null, guestTokenHash = null, status = "paid", created = now, placedAt = now } = order;
		this.sqlite.insert("orders", {
			...{ payment_intent_id: id, user_id: userId, guest_token_hash: guestTokenHash, amount: 1196, status },
			...{ created, placed_at: placedAt, due_at: 0, currency },
		});
		const { products = [book.id], quantity = 1 } = order;
		for (const [position, product] of products.entries()) {
			this.sqlite.insert("order_items", {
				...{ payment_intent_id: id, position, product_id: product, title: `Title of ${product}` },
				...{ image: `/${product}.webp`, price_cents: 299, rating: 4, quantity },
			});
		}
	}

	/** Returns the owner of each order, by id: a customer's id, a guest's hash or null. */
	owners() {
		const rows = this.sqlite.all("select payment_intent_id id, coalesce(user_id, guest_token_hash) owner from orders");
		return Object.fromEntries(rows.map(({ id, owner }) => [id, owner]));
	}
}
