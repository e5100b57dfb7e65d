import { type AppAction, type AppState, basketTotal, reducer, reprice, withoutPaid } from "./basket.ts";
import { guest } from "./buyer.ts";
import { paymentIntentIdOf } from "./client-secret.ts";
import {
	type Bought,
	type Intent,
	idle,
	isConfirming,
	isPaying,
	type Message,
	type Purchase,
	type PurchaseEvent,
	prepare,
	reducePurchase,
} from "./purchase.ts";

export interface TabState extends AppState {
	purchase: Purchase;
	/** Whether the card form is shown, which needs an intent and shows the purchase. */
	isFormShown: boolean;
	/** How the latest purchase ended, or that it is being checked after a reload, until the page has shown it. */
	outcome: Outcome | null;
	/** Who buys in this tab now (see buyer.ts). */
	buyer: string;
	/** The latest order that this tab has paid for this buyer. */
	receipt: PaidOrder | null;
	/** The payment that a reload must not lose: from when it may be charged until its outcome has been shown. */
	payment: Intent | null;
}

export interface PaidOrder extends Bought {
	id: string;
	amount: number;
	/** From the server, in Unix seconds. */
	created: number;
}

type Outcome =
	| { type: "resumed" }
	| { type: "paid"; order: PaidOrder }
	/** Nothing was charged, or it was refunded. */
	| { type: "not_bought"; text: string; identityChanged: boolean };

export type TabEvent =
	| AppAction
	| { type: "form_shown" }
	| { type: "outcome_shown" }
	/** Another document of the tab has left this state, and this one is shown again. */
	| { type: "taken_over"; state: TabState }
	/** A customer has signed in or out in this browser. */
	| { type: "buyer_changed"; buyer: string }
	/** The attempt failed before the confirmation. `prices` contains cents by product id, without products that are sold
	 *  out. */
	| { type: "price_changed"; prices: Readonly<Record<string, number>>; message: Message }
	| PurchaseEvent;

export const emptyTab: TabState = {
	basket: [],
	user: null,
	purchase: idle,
	isFormShown: false,
	outcome: null,
	buyer: guest,
	receipt: null,
	payment: null,
};

/** Returns the paid order that the card form shows until the receipt replaces it; null if other items are left. */
export function justPaid({ outcome, isFormShown, basket }: TabState): PaidOrder | null {
	return outcome?.type === "paid" && isFormShown && basket.length === 0 ? outcome.order : null;
}

/** Returns the state after an event, or the same object if the event does not apply. While the card form is shown, the
 *  purchase prepares an intent for each basket. */
export function reduce(state: TabState, event: TabEvent): TabState {
	const next = apply(state, event);
	if (next === state) return state;
	const isWanted = next.isFormShown && basketTotal(next.basket) > 0;
	const purchase = isWanted ? prepare(next.purchase, next) : next.purchase;
	return { ...next, purchase, payment: paymentOf(next) };
}

function paymentOf({ purchase, outcome, payment }: TabState): Intent | null {
	if (purchase.phase !== "idle" && purchase.phase !== "placing") return purchase.intent;
	return outcome ? payment : null;
}

function apply(state: TabState, event: TabEvent): TabState {
	const { basket, purchase, buyer, receipt } = state;
	switch (event.type) {
		case "ADD_TO_BASKET":
		case "REMOVE_FROM_BASKET":
		case "EMPTY_BASKET":
			// the basket is being paid for
			return isPaying(purchase) ? state : reducer(state, event);
		case "SET_USER":
			return reducer(state, event);
		case "form_shown":
			return { ...state, isFormShown: true };
		case "form_left":
			return { ...advance(state, event), isFormShown: false };
		case "outcome_shown":
			return { ...state, outcome: null };
		case "taken_over":
			return takeOver(state, event.state);
		case "buyer_changed": {
			if (event.buyer === buyer) return state;
			return { ...state, buyer: event.buyer, receipt: receipt?.buyer === event.buyer ? receipt : null };
		}
		case "price_changed":
			if (purchase.phase !== "placing") return state;
			return { ...advance(state, { ...event, type: "refused" }), basket: reprice(basket, event.prices) };
		default:
			return advance(state, event);
	}
}

/** Returns the state that another document of the tab has left, in this document, whose confirmation of the same payment
 *  goes on. */
function takeOver({ user, isFormShown, buyer, ...own }: TabState, left: TabState): TabState {
	const goesOn = isConfirming(own.purchase) && own.payment?.clientSecret === left.payment?.clientSecret;
	return { ...left, user, isFormShown, buyer, ...(goesOn && { purchase: own.purchase, outcome: own.outcome }) };
}

/** Applies an event to the purchase. A purchase that ends has an outcome; a paid one removes its items. */
function advance(state: TabState, event: PurchaseEvent): TabState {
	const { purchase: before } = state;
	const purchase = reducePurchase(before, event, state);
	if (purchase === before) return state;
	const next = { ...state, purchase };
	if (event.type === "paid" && before.intent) {
		const { clientSecret, total: amount, currency, items, buyer } = before.intent;
		const order = { id: paymentIntentIdOf(clientSecret), amount, currency, created: event.created, items, buyer };
		const receipt = buyer === state.buyer ? order : state.receipt;
		return { ...next, basket: withoutPaid(state.basket, items), outcome: { type: "paid", order }, receipt };
	}
	if (purchase.phase === "idle" && isPaying(before)) {
		const identityChanged = event.type === "refused" && event.reason === "identity_changed";
		return { ...next, outcome: { type: "not_bought", text: purchase.message?.text ?? "", identityChanged } };
	}
	if (event.type === "resume") return { ...next, outcome: { type: "resumed" } };
	// the page no longer shows how an earlier attempt ended
	return event.type === "buy" ? { ...next, outcome: null } : next;
}
