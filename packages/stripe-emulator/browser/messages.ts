import type { StripeCardElementOptions, StripeCardNumberElementOptions, StripeError } from "@stripe/stripe-js";
import type { CardBrand } from "../objects/card-number.ts";
import type { ElementType } from "./element-types.ts";

/** What the page and the frames tell each other. None of it ever holds a card number, an expiry or a security code:
 *  those go from the frames to the API. */

/** A frame's first word, posted to its parent, which answers with one end of a MessageChannel. */
export const HELLO = "stripe-emulator-hello";

/** What any of the card Elements may be created with. */
export interface ElementOptions extends StripeCardElementOptions, StripeCardNumberElementOptions {}

/** What asking comes to: what was asked for or an error, never both. */
export type Result<Value> = { done: Value; error?: undefined } | { done?: undefined; error: StripeError };

/** Where a card goes, and what the page adds to it. */
export interface Delivery {
	to: "confirm" | "payment_methods" | "tokens";
	form: Record<string, string>;
	/** The ids of the parts that the expiry and the security code frame have sent ahead. */
	parts: { expiry: string; cvc: string } | null;
}

export type ToCardFrame =
	| { say: "options"; options: ElementOptions }
	| { say: "focus" | "blur" | "clear" }
	/** To the security code, which is as long as the brand has it. */
	| { say: "brand"; brand: CardBrand | "unknown" }
	/** These three are answered on a port of their own: "check" with an Result<null>, "part" with an Result<string> (the
	 *  part's id), "deliver" with a Result of what the card becomes. */
	| { say: "check" }
	| { say: "part"; key: string }
	| { say: "deliver"; delivery: Delivery };

/** What a change event tells of a frame. */
export interface Change {
	elementType: ElementType;
	empty: boolean;
	complete: boolean;
	error: { type: "validation_error"; code: string; message: string } | undefined;
	brand?: CardBrand | "unknown";
	value?: { postalCode: string };
}

export type FromCardFrame =
	| { say: "ready" | "focus" | "blur" | "escape" | "submit" }
	| { say: "autofill"; autofilled: boolean }
	| { say: "change"; event: Change };

/** The authentication that an intent waits for, and what gives the right to look at it. */
export interface Challenge {
	key: string;
	clientSecret: string;
	source: string;
}

/** `colorScheme` is the page's, as CSS has it. */
export interface ToThreeDSecureFrame {
	say: "begin";
	challenge: Challenge;
	colorScheme: string;
}

/** "done" says no more than that: what came of it, only the API tells. */
export interface FromThreeDSecureFrame {
	say: "ready" | "done" | "leave";
}
