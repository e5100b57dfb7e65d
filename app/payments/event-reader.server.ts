import { eq } from "drizzle-orm";
import Stripe from "stripe";
import { log } from "#app/http/log.server.ts";
import { listUnresolvedIds } from "#app/orders/unresolved.server.ts";
import { reconcileCursor } from "#drizzle/schema.ts";
import { type Event, eventShape, eventTypes, listNewPayments } from "./events.server.ts";
import type { Payments } from "./payments.server.ts";

/** Minimum age at which the cursor moves past an event, in seconds. Newer events are read again, because Stripe may
 *  list an event late. */
const overlap = 10 * 60;
/** Age at which a cursor is expected to have expired, in seconds. Stripe lists events for 30 days, so the cursor of a
 *  shop without recent sales expires. */
const eventLifetime = 29 * 24 * 60 * 60;
const pageSize = 100;

type Cursor = Omit<typeof reconcileCursor.$inferSelect, "id">;

/** Reads Stripe's events page by page. Each page is committed in one batch, which lists the payments that need work as
 *  unresolved and moves the cursor. A payment that fails never blocks the cursor, and an interrupted run loses no
 *  page. */
export class EventReader {
	readonly #payments: Payments;
	#cursor: Cursor | undefined;
	/** The next page: events newer than `after`, or events older than `before` ("" for the newest page). Undefined until
	 *  the cursor has been read. */
	#next: { after: string } | { before: string } | null | undefined;
	/** Number of events read so far. */
	count = 0;

	constructor(payments: Payments) {
		this.#payments = payments;
	}

	/** Reads and commits a page. Returns whether there are more pages. */
	async readPage(): Promise<boolean> {
		if (this.#next === undefined) {
			[this.#cursor] = await this.#payments.primary.select().from(reconcileCursor);
			this.#next = this.#cursor ? { after: this.#cursor.eventId } : { before: "" };
		}
		if (this.#next === null) return false;
		try {
			await ("after" in this.#next ? this.#readNewer(this.#next.after) : this.#readOlder(this.#next.before));
		} catch (error) {
			if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || error.code !== "resource_missing") throw error;
			await this.#restart();
		}
		return this.#next !== null;
	}

	async #readNewer(after: string): Promise<void> {
		const { events, hasMore } = await this.#list({ ending_before: after });
		await this.#commit(events, this.#newestStable(events) ?? this.#cursor);
		const backfill = this.#cursor?.backfillId ?? null;
		const [newest] = events;
		if (hasMore && newest) this.#next = { after: newest.id };
		else this.#next = backfill === null ? null : { before: backfill };
	}

	/** Reads a page of the backfill, from newest to oldest. Without a cursor, the first event that is at least
	 *  `overlap` old becomes the cursor. */
	async #readOlder(before: string): Promise<void> {
		const { events, hasMore } = await this.#list(before ? { starting_after: before } : {});
		const backfillId = (hasMore && events.at(-1)?.id) || null;
		const cursor = this.#cursor ?? this.#newestStable(events);
		await this.#commit(events, cursor && { ...cursor, backfillId });
		this.#next = backfillId === null ? null : { before: backfillId };
	}

	/** Lists a page of events, newest first. */
	async #list(from: Stripe.EventListParams): Promise<{ events: Event[]; hasMore: boolean }> {
		const { stripe } = this.#payments;
		const { data, has_more } = await stripe.events.list({ types: [...eventTypes], limit: pageSize, ...from });
		this.count += data.length;
		return { events: data.map((event) => eventShape.parse(event)), hasMore: has_more };
	}

	/** Returns the cursor of the newest event that is at least `overlap` old. */
	#newestStable(events: Event[]): Cursor | undefined {
		const stable = events.find(({ created }) => created <= this.#payments.now() - overlap);
		return stable && { eventId: stable.id, eventCreated: stable.created, backfillId: this.#cursor?.backfillId ?? null };
	}

	async #commit(events: Event[], cursor: Cursor | undefined): Promise<void> {
		const { primary, now } = this.#payments;
		const ids = await listNewPayments(this.#payments, events.toReversed());
		const list = ids.length > 0 ? [listUnresolvedIds(primary, ids, now())] : [];
		if (!cursor || cursor === this.#cursor) {
			for (const statement of list) await statement;
			return;
		}
		await primary.batch([
			primary
				.insert(reconcileCursor)
				.values({ id: 1, ...cursor })
				.onConflictDoUpdate({ target: reconcileCursor.id, set: cursor }),
			...list,
		]);
		this.#cursor = cursor;
	}

	/** Recovers when Stripe no longer lists the event from which to continue. If the event belongs to the backfill, the
	 *  backfill is complete. Otherwise, deletes the cursor, so that all events are read again. */
	async #restart(): Promise<void> {
		const { primary, now } = this.#payments;
		if (this.#next && "before" in this.#next && this.#cursor) {
			await this.#commit([], { ...this.#cursor, backfillId: null });
			this.#next = null;
			return;
		}
		const { eventId = null, eventCreated = 0 } = this.#cursor ?? {};
		if (eventCreated > now() - eventLifetime) log("cursor_lost", { stripe_event: eventId }, "error");
		await primary.delete(reconcileCursor).where(eq(reconcileCursor.id, 1));
		this.#cursor = undefined;
		this.#next = { before: "" };
	}
}
