import { type SQLWrapper, sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Every amount is integer cents, every moment Unix seconds. The tables are STRICT (see tools/scripts/strict-tables.ts):
// a plain SQLite integer column would store 'abc' and 1.5.

/** The six things, in the order the home page shows them. */
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
	},
	(table) => [
		check("products_price_cents", sql`${table.priceCents} between 1 and 99999999`),
		check("products_rating", sql`${table.rating} between 3 and 5`),
	],
);

export const users = sqliteTable("users", {
	id: text().primaryKey(),
	/** NFC and lower case, so that one person cannot have two accounts by spelling. */
	email: text().notNull().unique(),
	/** scrypt with its parameters, see app/auth/password.server.ts. */
	passwordHash: text().notNull(),
	createdAt: integer().notNull(),
});

export const sessions = sqliteTable(
	"sessions",
	{
		/** SHA-256 of the token in the browser's cookie: who reads this table cannot sign in with it. */
		id: text().primaryKey(),
		userId: text()
			.notNull()
			.references(() => users.id),
		expiresAt: integer().notNull(),
		createdAt: integer().notNull(),
	},
	(table) => [index("sessions_user").on(table.userId)],
);

export const orderStatuses = ["placed", "paid", "abandoned", "refunded"] as const;

/** What stands on /orders. SQLite uses a partial index only for a query that says its condition word for word. */
export const isShown = ({ status }: { status: SQLWrapper }) => sql`${status} in ('paid', 'refunded')`;
/** Buy Now was pressed, and nobody knows yet what became of it. */
export const isWaiting = ({ status }: { status: SQLWrapper }) => sql`${status} = 'placed'`;

export const orders = sqliteTable(
	"orders",
	{
		paymentIntentId: text().primaryKey(),
		/** Null while the order belongs to a guest. */
		userId: text().references(() => users.id),
		/** SHA-256 of the guest's token, until an account claims the order or it is abandoned. */
		guestTokenHash: text(),
		amount: integer().notNull(),
		status: text({ enum: orderStatuses }).notNull(),
		/** When Stripe made the PaymentIntent. */
		created: integer().notNull(),
		placedAt: integer().notNull(),
		/** Which place of its tab stored it, from 1: a request that arrives late never overwrites a newer one. */
		attempt: integer().notNull().default(0),
		/** When reconcile handles it next: it polls Stripe about a placed order, and deletes an abandoned one. */
		dueAt: integer().notNull(),
		/** Keyed hash of the network address that placed it, while it is placed: each address has a limit of unpaid orders. */
		placedFrom: text(),
	},
	(table) => [
		// Stripe takes no less than 50 cents and no more than 8 digits: https://docs.stripe.com/currencies
		check("orders_amount", sql`${table.amount} between 50 and 99999999`),
		check("orders_status", sql`${table.status} in ('placed', 'paid', 'abandoned', 'refunded')`),
		check("orders_one_owner", sql`${table.userId} is null or ${table.guestTokenHash} is null`),
		// in the order in which a customer reads them: a page costs the same at any length of the history
		index("orders_shown").on(table.userId, table.created, table.paymentIntentId).where(isShown(table)),
		index("orders_waiting").on(table.userId, table.placedAt).where(isWaiting(table)),
		index("orders_of_guest").on(table.guestTokenHash),
		index("orders_placed_from").on(table.placedFrom).where(isWaiting(table)),
		index("orders_due").on(table.status, table.dueAt),
	],
);

/** What was bought, as it was then, a row for each product: a later price or title never touches an old order. */
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
		check("order_items_position", sql`${table.position} between 0 and 199`),
		check("order_items_price_cents", sql`${table.priceCents} between 1 and 99999999`),
		check("order_items_rating", sql`${table.rating} between 3 and 5`),
		check("order_items_quantity", sql`${table.quantity} between 1 and 200`),
	],
);

/** Money given back, or about to be. A row here forbids that the same PaymentIntent ever becomes a paid order. */
export const refunds = sqliteTable(
	"refunds",
	{
		paymentIntentId: text().primaryKey(),
		reason: text().notNull(),
		/** Null until Stripe has made the refund. */
		refundId: text(),
		status: text({ enum: ["pending", "succeeded", "failed"] }).notNull(),
		attempts: integer().notNull(),
		created: integer().notNull(),
	},
	(table) => [
		index("refunds_pending").on(table.paymentIntentId).where(sql`${table.status} = 'pending'`),
		check("refunds_status", sql`${table.status} in ('pending', 'succeeded', 'failed')`),
		check("refunds_attempts", sql`${table.attempts} >= 0`),
	],
);

/** Payments that reconcile has yet to bring to an end: an event whose order is not paid, money without an order, a
 *  refund under way, a copy in Stripe's metadata that names an earlier owner. Reconcile takes the one first that it has
 *  not attempted for longest, so that a payment that fails every time delays no other. */
export const unresolvedPayments = sqliteTable(
	"unresolved_payments",
	{
		paymentIntentId: text().primaryKey(),
		created: integer().notNull(),
		attempts: integer().notNull(),
		/** When it was last attempted, or else listed. */
		attemptedAt: integer().notNull(),
	},
	(table) => [index("unresolved_payments_by_attempt").on(table.attemptedAt)],
);

/** How far reconcile has read Stripe's events. One row. */
export const reconcileCursor = sqliteTable(
	"reconcile_cursor",
	{
		id: integer().primaryKey(),
		/** The last event whose payment is resolved or listed in unresolved_payments. */
		eventId: text().notNull(),
		/** When Stripe created that event. */
		eventCreated: integer().notNull().default(0),
		/** Without a cursor all of Stripe's events are read, newest first: the last one read, or null when done. */
		backfillId: text(),
	},
	(table) => [check("reconcile_cursor_one_row", sql`${table.id} = 1`)],
);
