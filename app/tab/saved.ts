import { tryApi } from "#app/ui/try-api.ts";
import { type BasketItem, maxBasketItems } from "./basket.ts";
import { clientSecretPattern, maxSignatureLength } from "./client-secret.ts";
import { isLike } from "./is-like.ts";
import { type Intent, idle } from "./purchase.ts";
import { emptyTab, reduce, type TabState } from "./tab-state.ts";

// What a tab keeps in its sessionStorage, as one value: a payment in progress and the receipt, which survive every
// reload, and the basket with the intent prepared for it, which a document hands over to the next one that the shop
// loads. The storage may be denied, and its value may be damaged or from another build of the shop.

/** The part of sessionStorage that is used. */
export type SavedStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** hold-input.ts also reads whether the value has `handedOver`. */
const key = "tab";

/** The time in which the next document must take the basket over, in seconds. A firewall's challenge, a network's
 *  sign-in page or a tunnel may come first. */
const maxAge = 3600;

/** Intl throws a RangeError for any other text. */
const currencyPattern = /^[a-z]{3}$/;

// examples for isLike
const item: BasketItem = { id: "", title: "", priceCents: 0, rating: 0, image: "" };
const bought = { items: [item], buyer: "", currency: "" };
const payment = { ...bought, clientSecret: "", signature: "", total: 0, charged: 0 };
const receipt = { ...bought, id: "", amount: 0, created: 0 };
/** `time` is in Unix seconds. */
const handedOver = { basket: [item], buyer: "", time: 0 };

/** Saves what the tab must not lose. With `handsOver`, also saves the basket for the tab's next document. */
export function saveTab(storage: SavedStorage, tab: TabState, handsOver = false): void {
	const { payment, receipt, basket, buyer, purchase } = tab;
	const value = {
		...(payment && { payment: withoutRound(payment) }),
		...(receipt && { receipt }),
		...(handsOver && { handedOver: { basket, buyer, time: unixTime() } }),
		...(handsOver && purchase.intent && { intent: withoutRound(purchase.intent) }),
	};
	const isEmpty = Object.keys(value).length === 0;
	tryApi(() => (isEmpty ? storage.removeItem(key) : storage.setItem(key, JSON.stringify(value))));
}

const withoutRound = ({ round: _, ...intent }: Intent) => intent;

/** Returns the state of a tab whose document has just been loaded: with its payment in progress, the receipt if it is
 *  this buyer's, and the basket if the previous document of this buyer has handed it over. */
export function restoreTab(storage: SavedStorage, buyer: string): TabState {
	// the build before this one, from which a document may take over, called the buyer the owner
	const saved: unknown = tryApi(() => JSON.parse((storage.getItem(key) ?? "null").replaceAll('"owner":', '"buyer":')));
	const state: TabState = { ...emptyTab, buyer };
	if (isLike(saved, { receipt }) && saved.receipt.buyer === buyer && currencyPattern.test(saved.receipt.currency))
		state.receipt = saved.receipt;
	if (isLike(saved, { handedOver }) && isCurrent(saved.handedOver, buyer)) {
		state.basket = saved.handedOver.basket;
		if (isLike(saved, { intent: payment })) state.purchase = { ...idle, intent: readIntent(saved.intent) };
	}
	const intent = isLike(saved, { payment }) ? readIntent(saved.payment) : null;
	return intent ? reduce(state, { type: "resume", intent, at: performance.now() }) : state;
}

function isCurrent({ basket, time, ...from }: typeof handedOver, buyer: string): boolean {
	const age = unixTime() - time;
	return from.buyer === buyer && age >= 0 && age < maxAge && basket.length <= maxBasketItems;
}

/** Returns the intent, or null if the server would refuse its requests: a payment whose polls are all refused would lock
 *  the basket for ever. */
function readIntent(saved: typeof payment): Intent | null {
	const isAccepted = clientSecretPattern.test(saved.clientSecret) && saved.signature.length <= maxSignatureLength;
	return isAccepted && currencyPattern.test(saved.currency) ? { ...saved, round: 0 } : null;
}

const unixTime = () => Math.floor(Date.now() / 1000);
