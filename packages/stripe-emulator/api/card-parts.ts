import { newId } from "../objects/ids.ts";
import { invalidRequest } from "./errors.ts";

/** Seconds. */
const partLifetime = 60;

/** An expiry or security code from one frame of a split card. The page passes only its id to the number's frame, so it
 *  never has access to the value. Kept in memory, for one minute and one use. */
export type CardPart = { expMonth: number; expYear: number } | { cvc: string };

export class CardParts {
	readonly #parts = new Map<string, { part: CardPart; until: number }>();

	/** `now` is in Unix seconds. */
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
