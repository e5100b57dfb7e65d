import type { Shop } from "./shop.ts";

/** Fills the database up with customers until there are `count` of these, each with a session and a paid order of the
 *  book, without a purchase and without a password. */
export async function fillWithCustomers({ d1 }: Shop, count: number): Promise<void> {
	const there = await d1.prepare("select count(*) from users where id like 'crowd-%'").first<number>("count(*)");
	const each = `with recursive each (n) as (select ?1 union all select n + 1 from each where n < ?2)`;
	const range = [(there ?? 0) + 1, count];
	const statements = [
		`insert into users (id, email, password_hash, created_at)
		${each} select 'crowd-' || n, n || '@crowd.example', '', 1763650000 from each`,
		`insert into sessions (id, user_id, expires_at, created_at)
		${each} select 'crowd-session-' || n, 'crowd-' || n, 4000000000, 1763650000 from each`,
		`insert into orders (payment_intent_id, user_id, amount, status, created, placed_at, due_at)
		${each} select 'pi_crowd' || n, 'crowd-' || n, 1196, 'paid', 1763650000 + n, 1763650000, 1763650000 from each`,
		`insert into order_items (payment_intent_id, position, product_id, title, image, price_cents, rating)
		${each} select 'pi_crowd' || n, 0, id, title, image, price_cents, rating from each, products where id = '12321341'`,
	];
	await d1.batch(statements.map((statement) => d1.prepare(statement).bind(...range)));
}
