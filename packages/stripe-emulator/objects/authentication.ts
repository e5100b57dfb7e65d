import { newId } from "./ids.ts";

/** A 3-D Secure challenge. Its shape is specific to the emulator, because Stripe documents the shape of its challenges
 *  as "subject to change". */
export interface Authentication {
	/** `src_…` */
	id: string;
	payment_intent: string;
	payment_method: string;
	status: "pending" | "completed" | "failed";
	/** Unix seconds. */
	created: number;
}

/** `created` is in Unix seconds. */
export function newAuthentication(payment_intent: string, payment_method: string, created: number): Authentication {
	return { id: newId("src_"), payment_intent, payment_method, status: "pending", created };
}
