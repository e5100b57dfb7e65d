import type { Customer } from "#app/auth/customer.server.ts";
import type { Product } from "#app/catalogue/product.ts";
import { maxItems } from "#drizzle/limits.ts";

/** A snapshot of a product, taken when it was added to the basket. */
export type BasketItem = Product;

/** Kept only in memory: a reload empties the basket. */
export interface AppState {
	basket: BasketItem[];
	user: Customer | null;
}

export type AppAction =
	/** At the end, or to undo a removal, at `index`. */
	| { type: "ADD_TO_BASKET"; item: BasketItem; index?: number }
	| { type: "REMOVE_FROM_BASKET"; id: string }
	| { type: "EMPTY_BASKET" }
	| { type: "SET_USER"; user: Customer | null };

/** Returns the state after an action. The basket can contain duplicates and holds at most `maxItems`. REMOVE_FROM_BASKET
 *  removes only the first item with the id, and logs a warning if there is none. */
export function reducer<State extends AppState>(state: State, action: AppAction): State {
	switch (action.type) {
		case "ADD_TO_BASKET":
			if (state.basket.length >= maxItems) return state;
			return { ...state, basket: state.basket.toSpliced(action.index ?? state.basket.length, 0, action.item) };
		case "REMOVE_FROM_BASKET": {
			const index = state.basket.findIndex((item) => item.id === action.id);
			if (index === -1) {
				console.warn(`Product ${action.id} is not in the basket and cannot be removed.`);
				return state;
			}
			return { ...state, basket: state.basket.toSpliced(index, 1) };
		}
		case "EMPTY_BASKET":
			return { ...state, basket: [] };
		case "SET_USER":
			return state.user === action.user ? state : { ...state, user: action.user };
	}
}

export function basketTotal(basket: readonly { priceCents: number }[]): number {
	return basket.reduce((sum, { priceCents }) => sum + priceCents, 0);
}

/** Returns the items at their new prices. `prices` contains cents by product id. Items without a price are sold
 *  out and are omitted. */
export function reprice(items: readonly BasketItem[], prices: Readonly<Record<string, number>>): BasketItem[] {
	return items.flatMap((item) => {
		const priceCents = prices[item.id];
		return priceCents === undefined ? [] : [{ ...item, priceCents }];
	});
}

/** Returns the basket after removing one matching item per paid item. */
export function withoutPaid(basket: readonly BasketItem[], paid: readonly BasketItem[]): BasketItem[] {
	const left = [...basket];
	for (const { id } of paid) {
		const index = left.findIndex((item) => item.id === id);
		if (index !== -1) left.splice(index, 1);
	}
	return left;
}
