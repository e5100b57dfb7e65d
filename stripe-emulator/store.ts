import type Stripe from "stripe";
import type { KeptPaymentMethod } from "./objects/payment-method.ts";

/** What the account remembers, in the SQLite database of its Durable Object. Each call is done when it returns, so
 *  that two requests can never see each other half way. */
export class Store {
	readonly #sql: SqlStorage;

	constructor(sql: SqlStorage) {
		this.#sql = sql;
		sql.exec("CREATE TABLE IF NOT EXISTS payment_intents (id TEXT PRIMARY KEY, object TEXT NOT NULL) STRICT");
		sql.exec("CREATE TABLE IF NOT EXISTS payment_methods (id TEXT PRIMARY KEY, object TEXT NOT NULL) STRICT");
	}

	findPaymentIntent(id: string): Stripe.PaymentIntent | undefined {
		return this.#find("payment_intents", id);
	}

	savePaymentIntent(intent: Stripe.PaymentIntent): void {
		this.#save("payment_intents", intent.id, intent);
	}

	findPaymentMethod(id: string): KeptPaymentMethod | undefined {
		return this.#find("payment_methods", id);
	}

	savePaymentMethod(kept: KeptPaymentMethod): void {
		this.#save("payment_methods", kept.paymentMethod.id, kept);
	}

	#find<Kept>(table: "payment_intents" | "payment_methods", id: string): Kept | undefined {
		const [row] = this.#sql.exec<{ object: string }>(`SELECT object FROM ${table} WHERE id = ?`, id).toArray();
		return row && JSON.parse(row.object);
	}

	#save(table: "payment_intents" | "payment_methods", id: string, object: object): void {
		this.#sql.exec(`INSERT OR REPLACE INTO ${table} (id, object) VALUES (?, ?)`, id, JSON.stringify(object));
	}
}
