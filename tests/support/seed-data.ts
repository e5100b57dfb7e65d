import { currency } from "#app/brand.ts";
import { book } from "./catalogue.ts";
import type { Shop } from "./shop.ts";

/** Inserts a paid order for the book at each Unix time in `created`. An order's id is `pi_`, the customer's id and the
 *  index in `created`. */
export async function insertOrders({ d1 }: Shop, userId: string | null, created: number[]): Promise<void> {
	const select = "select 'pi_' || ?1 || key, ";
	const from = `from json_each(?2), products p where p.id = '${book.id}'`;
	const statements = [
		`insert into orders (payment_intent_id, user_id, amount, currency, status, created, placed_at, due_at)
		${select} ?1, price_cents, '${currency}', 'paid', value, value, value ${from}`,
		`insert into order_items (payment_intent_id, position, product_id, title, image, price_cents, rating)
		${select} 0, p.id, title, image, price_cents, rating ${from}`,
	];
	await d1.batch(statements.map((statement) => d1.prepare(statement).bind(userId, JSON.stringify(created))));
}

/** Inserts customers without a password until there are `count` of them, each with a session and a paid order for the
 *  book. */
export async function insertCustomers({ d1 }: Shop, count: number): Promise<void> {
	const existing = await d1.prepare("select count(*) from users where id like 'seed-%'").first<number>("count(*)");
	const each = "with recursive each (n) as (select ?1 union all select n + 1 from each where n < ?2)";
	const statements = [
		`insert into users (id, email, password_hash, created_at)
		${each} select 'seed-' || n, n || '@seed.example', '', 1763650000 from each`,
		`insert into sessions (id, user_id, expires_at)
		${each} select 'seed-session-' || n, 'seed-' || n, 4000000000 from each`,
		`insert into orders (payment_intent_id, user_id, amount, currency, status, created, placed_at, due_at)
		${each} select 'pi_seed' || n, 'seed-' || n, price_cents, '${currency}', 'paid', 1763650000 + n, 1763650000, 1763650000
		from each, products where id = '${book.id}'`,
		`insert into order_items (payment_intent_id, position, product_id, title, image, price_cents, rating)
		${each} select 'pi_seed' || n, 0, id, title, image, price_cents, rating from each, products where id = '${book.id}'`,
	];
	await d1.batch(statements.map((statement) => d1.prepare(statement).bind((existing ?? 0) + 1, count)));
}

export function insertRow(d1: D1Database, table: string, row: Record<string, unknown>): D1PreparedStatement {
	const marks = Object.keys(row).map(() => "?");
	return d1.prepare(`insert into ${table} (${Object.keys(row)}) values (${marks})`).bind(...Object.values(row));
}
