import { eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import type Stripe from "stripe";
import type { Database } from "#drizzle/db.server.ts";
import { isShown, orderItems, orders, refundedOf, refunds, sessions, users } from "#drizzle/schema.ts";

// What the operator looks up, deletes and adds up. Amounts are integer cents; times are Unix seconds.

export type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

/** Returns the account with an email in canonical form, if there is one, without the hash of its password. */
export async function findAccount(primary: Database, email: string) {
	const { passwordHash: _, ...columns } = getTableColumns(users);
	const [account] = await primary.select(columns).from(users).where(eq(users.email, email));
	return account;
}

/** Lists the payments for which a card that ends with four digits was charged or declined. D1 does not have the digits.
 *  Stripe finds a charge after about a minute: https://docs.stripe.com/search#data-freshness */
export async function listPaymentsByCard(stripe: Stripe, last4: string): Promise<string[]> {
	const query = `payment_method_details.card.last4:"${last4}"`;
	const charges = await stripe.charges.search({ query, limit: 100 }).autoPagingToArray({ limit: 10_000 });
	return charges.map(({ payment_intent }) => String(payment_intent));
}

export const isOwnedBy = ({ id }: Account) => eq(orders.userId, id);

/** Condition for the orders with this number: the last eight characters of the payment's id. */
export const hasNumber = (number: string) => sql`substr(${orders.paymentIntentId}, -8) = ${number}`;

/** Condition for the orders of payments. It has one parameter, because D1 allows a hundred per query. */
export const isPaidBy = (ids: string[]) =>
	sql`${orders.paymentIntentId} in (select value from json_each(${JSON.stringify(ids)}))`;

/** Reads orders, oldest first, their items and their refunds, with all columns, so that an export has those of later
 *  migrations. `owner` is the email of an account, "guest" or "none". */
export async function readOrders(primary: Database, condition: SQL) {
	const { paymentIntentId, created, guestTokenHash } = orders;
	const owner = sql<string>`coalesce(${users.email}, iif(${guestTokenHash} is null, 'none', 'guest'))`;
	const ids = primary.select({ paymentIntentId }).from(orders).where(condition);
	const [found, items, returned] = await primary.batch([
		primary
			.select({ ...getTableColumns(orders), refunded: refundedOf(paymentIntentId), owner })
			.from(orders)
			.leftJoin(users, eq(users.id, orders.userId))
			.where(condition)
			.orderBy(created, paymentIntentId),
		primary.select().from(orderItems).where(inArray(orderItems.paymentIntentId, ids)).orderBy(orderItems.position),
		primary.select().from(refunds).where(inArray(refunds.paymentIntentId, ids)).orderBy(refunds.created),
	]);
	return { orders: found, items, refunds: returned };
}

/** Returns what D1 stores about a person, but no hash of the password and no id of a session. */
export async function exportAccount(primary: Database, account: Account) {
	const { expiresAt } = sessions;
	const isOwn = eq(sessions.userId, account.id);
	const open = await primary.select({ expiresAt }).from(sessions).where(isOwn).orderBy(expiresAt);
	const owned = await readOrders(primary, isOwnedBy(account));
	return { account: { ...account, password: "stored as a hash" }, sessions: open, ...owned };
}

/** Deletes an account and its sessions, and keeps its orders without an owner. Returns their payments. */
export async function eraseAccount(primary: Database, account: Account) {
	const { paymentIntentId } = orders;
	const [kept] = await primary.batch([
		primary.update(orders).set({ userId: null }).where(isOwnedBy(account)).returning({ paymentIntentId }),
		primary.delete(sessions).where(eq(sessions.userId, account.id)),
		primary.delete(users).where(eq(users.id, account.id)),
	]);
	return kept;
}

/** Returns the first second of a month in UTC, such as "2026-11", and of the next month; null if there is none. */
export function parseMonth(text: string): { from: number; to: number } | null {
	const [, year, month] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text) ?? [];
	const start = (months: number) => Date.UTC(Number(year), months) / 1000;
	return month === undefined ? null : { from: start(Number(month) - 1), to: start(Number(month)) };
}
type Period = NonNullable<ReturnType<typeof parseMonth>>;

const none = { orders: 0, gross: 0, refunds: 0, fees: 0 };
type Sales = typeof none & { currency: string };

/** Adds up the orders that were placed in a period and paid, and the refunds that were made in it. D1 has no fees. */
export async function readRevenue(primary: Database, { from, to }: Period) {
	const sales = await primary.all<Sales>(sql`
		select currency, count(*) as orders, sum(amount) as gross, 0 as refunds, 0 as fees from orders
		where ${isShown(orders)} and placed_at >= ${from} and placed_at < ${to} group by currency
		union all select currency, 0, 0, sum(refunds.amount), 0 from refunds join orders using (payment_intent_id)
		where refunds.status <> 'failed' and refunds.created >= ${from} and refunds.created < ${to} group by currency`);
	return addUp(sales).map(({ fees: _, ...total }) => total);
}

/** Adds up a period's transactions on Stripe's balance, in its currencies, of this shop's payments. Disputes count as
 *  refunds. */
export async function readStripeRevenue(primary: Database, stripe: Stripe, { from, to }: Period) {
	const sales: (Sales & { id: string })[] = [];
	const range = { created: { gte: from, lt: to }, limit: 100, expand: ["data.source"] };
	for await (const { source, currency, amount, fee, reporting_category } of stripe.balanceTransactions.list(range)) {
		if (typeof source !== "object" || !source || !("payment_intent" in source)) continue;
		const change = reporting_category === "charge" ? { orders: 1, gross: amount } : { refunds: -amount };
		sales.push({ ...none, ...change, currency, fees: fee, id: String(source.payment_intent) });
	}
	const isOurs = isPaidBy(sales.map(({ id }) => id));
	const ours = await primary.select({ id: orders.paymentIntentId }).from(orders).where(isOurs);
	const ids = new Set(ours.map(({ id }) => id));
	return addUp(sales.filter(({ id }) => ids.has(id)));
}

/** Returns the totals of each currency. */
function addUp(sales: Sales[]) {
	return [...Map.groupBy(sales, ({ currency }) => currency)].map(([currency, rows]) => {
		const sum = (name: keyof typeof none) => rows.reduce((total, row) => total + row[name], 0);
		const [gross, refunds, fees] = [sum("gross"), sum("refunds"), sum("fees")];
		return { currency, orders: sum("orders"), gross, refunds, fees, net: gross - refunds - fees };
	});
}
