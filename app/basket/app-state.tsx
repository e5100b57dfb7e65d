import { createContext, type ReactNode, use, useEffect, useMemo, useReducer, useState } from "react";
import type { Customer } from "#app/auth/customer.server.ts";
import { useAnnounce } from "#app/ui/announcer.tsx";
import { itemCount } from "#app/ui/item-count.ts";
import { type AppState, type BasketItem, largestBasket, reducer } from "./basket.ts";

interface Shopping extends AppState {
	add(item: BasketItem): void;
	remove(item: BasketItem): void;
	empty(): void;
	/** Puts in these items in place of all others: the same products at today's prices. */
	refill(items: BasketItem[]): void;
	/** While a payment runs or is being checked the basket is what is being paid for, and stays as it is. */
	locked: boolean;
	setLocked(locked: boolean): void;
}

const ShoppingContext = createContext<Shopping | null>(null);

export function useShopping(): Shopping {
	const shopping = use(ShoppingContext);
	if (!shopping) throw new Error("useShopping works inside <ShoppingProvider>, which root.tsx renders.");
	return shopping;
}

/** Holds basket and user for as long as the page lives. `user` is the server's word and is followed. */
export function ShoppingProvider({ user, children }: { user: Customer | null; children: ReactNode }) {
	const [state, dispatch] = useReducer(reducer, { basket: [], user });
	const [locked, setLocked] = useState(false);
	const announce = useAnnounce();

	useEffect(() => dispatch({ type: "SET_USER", user }), [user]);

	const shopping = useMemo<Shopping>(() => {
		const whileLocked = "Your payment is running. The basket can be changed when it is done.";
		return {
			...state,
			locked,
			setLocked,
			add(item) {
				if (locked) return announce(whileLocked);
				if (state.basket.length >= largestBasket) {
					return announce(`The basket holds ${largestBasket} items and no more. Please pay for these first.`);
				}
				dispatch({ type: "ADD_TO_BASKET", item });
				announce(`Added to basket: ${item.title}. ${itemCount(state.basket.length + 1)} in the basket.`);
			},
			remove({ id, title }) {
				if (locked) return announce(whileLocked);
				dispatch({ type: "REMOVE_FROM_BASKET", id });
				announce(`Removed from basket: ${title}. ${itemCount(state.basket.length - 1)} in the basket.`);
			},
			empty: () => dispatch({ type: "EMPTY_BASKET" }),
			refill(items) {
				dispatch({ type: "EMPTY_BASKET" });
				for (const item of items) dispatch({ type: "ADD_TO_BASKET", item });
			},
		};
	}, [state, locked, announce]);

	return <ShoppingContext value={shopping}>{children}</ShoppingContext>;
}
