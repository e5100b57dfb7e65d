import { newId } from "./ids.ts";

/** A 3-D Secure challenge. Its shape is specific to the emulator, because Stripe documents the shape of its challenges
 *  as "subject to change". */
export interface Authentication {
	/** `src_…` */
	id: string;
	payment_intent: string;
	payment_method: string;
	status: "pending" | "completed" | "failed";
}

export function newAuthentication(paymentIntentId: string, paymentMethodId: string): Authentication {
	return { id: newId("src_"), payment_intent: paymentIntentId, payment_method: paymentMethodId, status: "pending" };
}
