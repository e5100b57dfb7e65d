import type { StripeCardElementOptions, StripeCardNumberElementOptions, StripeError } from "@stripe/stripe-js";
import type { CardBrand } from "../objects/card-number.ts";
import type { ElementType } from "./element-types.ts";

/** Messages between the page and the frames. None contains a card number, expiry or security code: the frames send
 *  card data only to the API. */

/** The first message, posted by a frame to its parent. The parent replies with one port of a MessageChannel. */
export const HELLO = "stripe-emulator-hello";

/** The options of all card Elements. */
export interface ElementOptions extends StripeCardElementOptions, StripeCardNumberElementOptions {}

/** Either a result or an error. */
export type Result<Value> = { done: Value; error?: undefined } | { done?: undefined; error: StripeError };

/** The endpoint that receives the card, and the form fields sent along with it. */
export interface Delivery {
	to: "confirm" | "payment_methods" | "tokens";
	form: Record<string, string>;
	/** The ids of card parts already sent by the expiry and security code frames. */
	parts: { expiry: string; cvc: string } | null;
}

export type ToCardFrame =
	| { say: "options"; options: ElementOptions }
	| { say: "focus" | "blur" | "clear" }
	/** Sent to the security code's frame: the code's length depends on the brand. */
	| { say: "brand"; brand: CardBrand | "unknown" }
	/** Each of these messages is sent with a port for its reply: a Result<null> for "check", a Result<string> (the
	 *  part's id) for "part", and a Result with the API's response for "deliver". */
	| { say: "check" }
	| { say: "part"; key: string }
	| { say: "deliver"; delivery: Delivery };

/** The data of a change event. */
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

/** A 3-D Secure authentication and the credentials to read it. */
export interface Challenge {
	key: string;
	clientSecret: string;
	source: string;
}

/** `colorScheme` is the page's CSS color-scheme. */
export interface ToThreeDSecureFrame {
	say: "begin";
	challenge: Challenge;
	colorScheme: string;
}

/** "done" carries no result: the page retrieves the result from the API. */
export interface FromThreeDSecureFrame {
	say: "ready" | "done" | "leave";
}
