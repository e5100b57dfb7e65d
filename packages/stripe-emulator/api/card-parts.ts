import { newId } from "../objects/ids.ts";
import { invalidRequest } from "./errors.ts";

/** Seconds. */
const partLifetime = 60;

/** An expiry or security code from its own frame. The page passes only the part's id to the number's frame, and never
 *  has access to the value. A part is kept in memory, expires after one minute and can be used once. */
export type CardPart = { expMonth: number; expYear: number } | { cvc: string };

export class CardParts {
	readonly #parts = new Map<string, { part: CardPart; until: number }>();

	/** Stores a part and returns its id. `now` is in Unix seconds. */
	keep(part: CardPart, now: number): string {
		for (const [id, { until }] of this.#parts) if (until <= now) this.#parts.delete(id);
		const id = newId("part_");
		this.#parts.set(id, { part, until: now + partLifetime });
		return id;
	}

	/** Removes and returns a part. Throws an ApiError if the id is unknown, used or expired. */
	take(id: string, now: number): CardPart {
		const kept = this.#parts.get(id);
		this.#parts.delete(id);
		if (kept && kept.until > now) return kept.part;
		throw invalidRequest(`No such card part: '${id}'`, { code: "resource_missing", param: "payment_method_data" });
	}
}
