import { newId } from "../objects/ids.ts";
import { invalidRequest } from "./errors.ts";

/** Seconds. */
const partLifetime = 60;

/** What the frames of a split card give the frame with the number: an expiry or a security code under an id, so that
 *  the page that passes the id on sees neither. In memory only, for a minute, good for one use. */
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

	/** Throws the ApiError of an id that is not known, used up, or too old. */
	take(id: string, now: number): CardPart {
		const kept = this.#parts.get(id);
		this.#parts.delete(id);
		if (kept && kept.until > now) return kept.part;
		throw invalidRequest(`No such card part: '${id}'`, { code: "resource_missing", param: "payment_method_data" });
	}
}
