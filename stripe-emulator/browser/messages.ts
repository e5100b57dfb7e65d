import type { PaymentIntentResult, StripeCardElementChangeEvent, StripeCardElementOptions } from "@stripe/stripe-js";

/** What the page and the card frame tell each other. None of it ever holds a card number or a security code: those
 *  go from the frame to the API. */

/** The frame's first word, posted to its parent, which answers with one end of a MessageChannel. */
export const HELLO = "stripe-emulator-hello";

export interface Billing {
	email?: string;
	name?: string;
	phone?: string;
}

/** What to confirm, and with what the page adds to the card. */
export interface Confirmation {
	key: string;
	clientSecret: string;
	billing: Billing;
	returnUrl: string | undefined;
}

export type FromPage =
	| { say: "options"; options: StripeCardElementOptions }
	| { say: "focus" | "blur" | "clear" }
	| { say: "confirm"; call: number; confirmation: Confirmation };

export type FromFrame =
	| { say: "ready" | "focus" | "blur" | "escape" | "submit" }
	| { say: "change"; event: StripeCardElementChangeEvent }
	| { say: "confirmed"; call: number; result: PaymentIntentResult };
