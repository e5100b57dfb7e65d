import { eq } from "drizzle-orm";
import Stripe from "stripe";
import { log } from "#app/http/log.server.ts";
import { listUnresolvedIds } from "#app/orders/unresolved.server.ts";
import { reconcileCursor } from "#drizzle/schema.ts";
import { type Event, eventShape, eventTypes, listNewPayments } from "./events.server.ts";
import type { Payments } from "./payments.server.ts";

/** Seconds. Stripe may list an event after newer ones, so recent events are read again. */
const overlap = 10 * 60;
/** Seconds. Stripe lists events for 30 days, so an older cursor has expired, as it does in a quiet shop. */
const eventLifetime = 29 * 24 * 60 * 60;
const pageSize = 100;

type Cursor = Omit<typeof reconcileCursor.$inferSelect, "id">;

/** Reads Stripe's events page by page. Each page is one write: it lists the payments that need work as unresolved,
 *  and moves the cursor past their events. So no payment holds the cursor, and an interrupted run loses no page. */
export class EventReader {
	readonly #payments: Payments;
	#cursor: Cursor | undefined;
	/** Where the next page begins: after an event, in order; or before one, newest first, where "" is now. */
	#next: { after: string } | { before: string } | null = null;
	/** Events read. */
	count = 0;

	private constructor(payments: Payments, cursor: Cursor | undefined) {
		this.#payments = payments;
		this.#cursor = cursor;
		this.#next = cursor ? { after: cursor.eventId } : { before: "" };
	}

	static async open(payments: Payments): Promise<EventReader> {
		const [cursor] = await payments.primary.select().from(reconcileCursor);
		return new EventReader(payments, cursor);
	}

	/** Reads a page. Returns whether there are more. */
	async readPage(): Promise<boolean> {
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

	/** Reads towards the oldest event. The cursor becomes the first event that is not recent. */
	async #readOlder(before: string): Promise<void> {
		const { events, hasMore } = await this.#list(before ? { starting_after: before } : {});
		const backfillId = (hasMore && events.at(-1)?.id) || null;
		const cursor = this.#cursor ?? this.#newestStable(events);
		await this.#commit(events, cursor && { ...cursor, backfillId });
		this.#next = backfillId === null ? null : { before: backfillId };
	}

	/** Newest first. */
	async #list(from: Stripe.EventListParams): Promise<{ events: Event[]; hasMore: boolean }> {
		const { stripe } = this.#payments;
		const { data, has_more } = await stripe.events.list({ types: [...eventTypes], limit: pageSize, ...from });
		this.count += data.length;
		return { events: data.map((event) => eventShape.parse(event)), hasMore: has_more };
	}

	/** Returns the newest event that is not recent. */
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

	/** Starts again when Stripe no longer lists the event of the last page. An expired backfill is complete. Without
	 *  the cursor, all events are read again. */
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
