import { type SQLWrapper, sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { maxAmount, maxItems, minAmount } from "./limits.ts";

// Amounts are integer cents; times are Unix seconds. The tables are STRICT (see tools/scripts/generate-migration.ts):
// otherwise, SQLite would store 'abc' or 1.5 in an integer column.

const between = (column: SQLWrapper, min: number, max: number) =>
	sql`${column} between ${min} and ${max}`.inlineParams();

/** The parts of a product that only its own page shows. */
export interface Details {
	/** One sentence: why the shop sells it, and what it is not for. */
	chosen?: string;
	/** The gallery, first view first: `image` as in Product; `alt` describes what is visible. */
	pictures: { image: string; alt: string }[];
	specifications: { name: string; value: string }[];
	/** The contents of the box. */
	box: string[];
}

/** The six products. `position` is their order on the home page. */
export const products = sqliteTable(
	"products",
	{
		id: text().primaryKey(),
		position: integer().notNull().unique(),
		title: text().notNull(),
		priceCents: integer().notNull(),
		rating: integer().notNull(),
		image: text().notNull(),
		description: text().notNull(),
		details: text({ mode: "json" }).$type<Details>().notNull().default({ pictures: [], specifications: [], box: [] }),
		/** Set by the operator (docs/operations.md). A product that is sold out keeps its page. */
		status: text({ enum: ["available", "sold_out"] })
			.notNull()
			.default("available"),
	},
	(table) => [
		check("products_status", sql`${table.status} in ('available', 'sold_out')`),
		check("products_details", sql`json_valid(${table.details})`),
		check("products_price_cents", between(table.priceCents, 1, maxAmount)),
		check("products_rating", between(table.rating, 3, 5)),
	],
);

export const users = sqliteTable("users", {
	id: text().primaryKey(),
	/** In canonical form (see app/auth/email.server.ts), so that no email has two accounts. */
	email: text().notNull().unique(),
	/** scrypt hash with its parameters (see app/auth/password.server.ts). */
	passwordHash: text().notNull(),
	/** Read only by the operator. */
	createdAt: integer().notNull(),
});

export const sessions = sqliteTable(
	"sessions",
	{
		/** SHA-256 of the token in the browser's cookie, so that a copy of this table cannot be used to sign in. */
		id: text().primaryKey(),
		userId: text()
			.notNull()
			.references(() => users.id),
		expiresAt: integer().notNull(),
	},
	(table) => [
		index("sessions_user").on(table.userId),
		// for the cron, which deletes expired sessions
		index("sessions_by_expiry").on(table.expiresAt),
	],
);

const orderStatuses = ["placed", "paid", "abandoned", "refunded"] as const;

/** Condition for the orders that /orders lists. SQLite uses a partial index only for a query with the same
 *  condition. */
export const isShown = ({ status }: { status: SQLWrapper }) => sql`${status} in ('paid', 'refunded')`;
/** Returns whether /orders lists an order. */
export function hasBeenPaid<Order extends { status: string }>(
	order: Order,
): order is Order & { status: "paid" | "refunded" } {
	return order.status === "paid" || order.status === "refunded";
}
/** Condition for orders that are placed and not known to be paid. */
export const isPlaced = ({ status }: { status: SQLWrapper }) => sql`${status} = 'placed'`;

export const orders = sqliteTable(
	"orders",
	{
		paymentIntentId: text().primaryKey(),
		/** Null while a guest owns the order. */
		userId: text().references(() => users.id),
		/** SHA-256 of the guest's token, or of the payment's client secret if the browser keeps no cookies, until an
		 *  account claims the order or it is abandoned. */
		guestTokenHash: text(),
		amount: integer().notNull(),
		/** In lower case. */
		currency: text().notNull(),
		status: text({ enum: orderStatuses }).notNull(),
		/** When Stripe created the PaymentIntent. */
		created: integer().notNull(),
		placedAt: integer().notNull(),
		/** When reconcile next handles the order: it polls Stripe for a placed order, and deletes an abandoned one. */
		dueAt: integer().notNull(),
	},
	(table) => [
		check("orders_amount", between(table.amount, minAmount, maxAmount)),
		check("orders_status", sql`${table.status} in ('placed', 'paid', 'abandoned', 'refunded')`),
		check("orders_one_owner", sql`${table.userId} is null or ${table.guestTokenHash} is null`),
		// in the order of /orders, so that the cost of a page does not depend on the length of the history
		index("orders_shown").on(table.userId, table.created, table.paymentIntentId).where(isShown(table)),
		index("orders_waiting").on(table.userId, table.placedAt).where(isPlaced(table)),
		index("orders_of_guest").on(table.guestTokenHash),
		index("orders_due").on(table.status, table.dueAt),
	],
);

/** The fields of an order. A new column is a type error where orders are placed, copied, recovered or listed. */
export type OrderRow = typeof orders.$inferSelect;

/** The line items of an order, with titles and prices from when the order was placed. Later changes to a product do not
 *  affect them. The table is WITHOUT ROWID (see migrations/0000_tables.sql), which drizzle-kit does not support: a
 *  generated migration that rebuilds the table must keep it. */
export const orderItems = sqliteTable(
	"order_items",
	{
		paymentIntentId: text()
			.notNull()
			.references(() => orders.paymentIntentId),
		position: integer().notNull(),
		productId: text().notNull(),
		title: text().notNull(),
		image: text().notNull(),
		priceCents: integer().notNull(),
		rating: integer().notNull(),
		quantity: integer().notNull().default(1),
	},
	(table) => [
		primaryKey({ columns: [table.paymentIntentId, table.position] }),
		check("order_items_position", between(table.position, 0, maxItems - 1)),
		check("order_items_price_cents", between(table.priceCents, 1, maxAmount)),
		check("order_items_rating", between(table.rating, 3, 5)),
		check("order_items_quantity", between(table.quantity, 1, maxItems)),
	],
);

/** Refunds made in Stripe's dashboard, in full or in part, and money that the operator has returned without Stripe
 *  (docs/incidents.md). */
export const refunds = sqliteTable(
	"refunds",
	{
		/** The refund's id at Stripe, or one that begins with "manual". */
		id: text().primaryKey(),
		paymentIntentId: text().notNull(),
		amount: integer().notNull(),
		/** `failed`: the bank has rejected it, or the operator has canceled it, and the shop has the money. */
		status: text({ enum: ["pending", "succeeded", "failed"] }).notNull(),
		/** When it was made. */
		created: integer().notNull(),
	},
	(table) => [
		check("refunds_amount", between(table.amount, 1, maxAmount)),
		check("refunds_status", sql`${table.status} in ('pending', 'succeeded', 'failed')`),
		index("refunds_of_payment").on(table.paymentIntentId),
	],
);

/** Expression for the cents of a payment that were or will be refunded. A payment whose refunds cover its order cannot
 *  mark it as paid. */
export const refundedOf = (
	paymentIntentId: SQLWrapper | string,
) => sql<number>`(select coalesce(sum(${refunds.amount}), 0)
	from ${refunds} where ${refunds.paymentIntentId} = ${paymentIntentId} and ${refunds.status} <> 'failed')`;
