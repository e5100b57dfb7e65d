import type { Shop } from "./shop.ts";

/** Gives a customer a paid order of the book for each Unix second in `created`, without a purchase; their ids are
 *  pi_, the customer's id and the place in `created`. */
export async function insertOrders({ d1 }: Shop, userId: string | null, created: number[]): Promise<void> {
	const seconds = JSON.stringify(created);
	const of = "select 'pi_' || ?1 || key, ";
	const each = "from json_each(?2), products p where p.id = '12321341'";
	await d1.batch([
		d1
			.prepare(
				`insert into orders (payment_intent_id, user_id, amount, status, created, placed_at, due_at)
				${of} ?1, price_cents, 'paid', value, value, value ${each}`,
			)
			.bind(userId, seconds),
		d1
			.prepare(
				`insert into order_items (payment_intent_id, position, product_id, title, image, price_cents, rating)
				${of} 0, p.id, title, image, price_cents, rating ${each}`,
			)
			.bind(userId, seconds),
	]);
}
