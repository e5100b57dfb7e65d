import type { StripeCardElementOptions, StripeError } from "@stripe/stripe-js";
import type { CardBrand } from "../objects/card-number.ts";
import type { Problem } from "./card-text.ts";

/** Messages between the page and the frames. None contains a card number or security code: the frame sends them only to
 *  the API. */

/** The first message, posted by a frame to its parent. The parent replies with one port of a MessageChannel. */
export const HELLO = "stripe-emulator-hello";

export type ElementOptions = StripeCardElementOptions;

/** Either a result or an error. */
export type Result<Value> = { done: Value; error?: undefined } | { done?: undefined; error: StripeError };

export type ToCardFrame =
	| { say: "options"; options: ElementOptions }
	| { say: "focus" | "blur" | "clear" }
	/** Sends the card and the fields of `form` to the API. The message has a port for the reply, a Result with the
	 *  intent. */
	| { say: "confirm"; form: Record<string, string> };

/** The data of a change event. */
export interface Change {
	empty: boolean;
	complete: boolean;
	error: Problem | undefined;
	brand: CardBrand | "unknown";
	value: { postalCode: "" };
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
