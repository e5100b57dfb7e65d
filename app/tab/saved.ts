import { tryApi } from "#app/ui/try-api.ts";
import { maxItems } from "#drizzle/limits.ts";
import type { BasketItem } from "./basket.ts";
import { clientSecretPattern, maxSignatureLength } from "./client-secret.ts";
import { isLike } from "./is-like.ts";
import { type Intent, idle } from "./purchase.ts";
import { emptyTab, reduce, type TabState } from "./tab-state.ts";

// What the tab's latest document leaves in sessionStorage, as one value: its basket, its intent, or the payment in
// progress, and the receipt. A document that is shown again takes all of it over. One that has just been loaded takes the
// basket only if the previous one has handed it over, because the shopper's own reload empties it. The storage may be
// denied, and its value may be damaged or from another build of the shop.

export type SavedStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const key = "tab";

/** When the basket was handed over, in Unix seconds. hold-input.ts reads whether it is set. */
const handedOverKey = "handedOver";

/** The time in which the next document must take the basket over, in seconds. A firewall's challenge, a network's
 *  sign-in page or a tunnel may come first. */
const maxAge = 3600;

/** Intl throws a RangeError for any other text. */
const currencyPattern = /^[a-z]{3}$/;

// examples for isLike
const item: BasketItem = { id: "", title: "", priceCents: 0, rating: 0, image: "" };
const bought = { items: [item], buyer: "", currency: "" };
const intent = { ...bought, clientSecret: "", signature: "", total: 0 };
const receipt = { ...bought, id: "", amount: 0, created: 0 };

export function textOf({ basket, purchase, payment, receipt }: TabState): string {
	return JSON.stringify({
		...(basket.length > 0 && { basket }),
		...(payment ? { payment: withoutRound(payment) } : purchase.intent && { intent: withoutRound(purchase.intent) }),
		...(receipt && { receipt }),
	});
}

const withoutRound = ({ round: _, ...intent }: Intent) => intent;

/** Returns the state of a tab from a saved text, without the parts that cannot be read. */
export function restoreTab(text: string | null, { withBasket }: { withBasket: boolean }): TabState {
	const saved: unknown = tryApi(() => JSON.parse(text ?? "{}"));
	const state = { ...emptyTab };
	if (isLike(saved, { receipt }) && currencyPattern.test(saved.receipt.currency)) state.receipt = saved.receipt;
	if (withBasket && isLike(saved, { basket: [item] }) && saved.basket.length <= maxItems) state.basket = saved.basket;
	if (isLike(saved, { intent })) state.purchase = { ...idle, intent: readIntent(saved.intent) };
	const payment = isLike(saved, { payment: intent }) ? readIntent(saved.payment) : null;
	return payment ? reduce(state, { type: "resume", intent: payment, at: performance.now() }) : state;
}

/** Returns the intent, or null if the server would refuse its requests: a payment whose polls are all refused would lock
 *  the basket for ever. */
function readIntent(saved: typeof intent): Intent | null {
	const isAccepted = clientSecretPattern.test(saved.clientSecret) && saved.signature.length <= maxSignatureLength;
	return isAccepted && currencyPattern.test(saved.currency) ? { ...saved, round: 0 } : null;
}

export const readSaved = (storage: SavedStorage) => tryApi(() => storage.getItem(key)) ?? null;

export const writeSaved = (storage: SavedStorage, text: string) => tryApi(() => storage.setItem(key, text));

export const markHandedOver = (storage: SavedStorage) =>
	tryApi(() => storage.setItem(handedOverKey, String(unixTime())));

/** Returns whether the basket is handed over to the document that calls this, and to no other one. */
export function takeHandedOver(storage: SavedStorage): boolean {
	const age = unixTime() - Number(tryApi(() => storage.getItem(handedOverKey)) ?? Number.NaN);
	tryApi(() => storage.removeItem(handedOverKey));
	return age >= 0 && age < maxAge;
}

const unixTime = () => Math.floor(Date.now() / 1000);
