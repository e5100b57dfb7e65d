import { createContext, type ReactNode, use, useMemo, useReducer } from "react";
import { flushSync } from "react-dom";
import type { Customer } from "#app/auth/customer.server.ts";
import { useAnnounce } from "#app/ui/announcer.tsx";
import { itemCount } from "#app/ui/item-count.ts";
import { type AppAction, type AppState, type BasketItem, maxBasketItems, reducer } from "./basket.ts";

interface Shopping extends AppState {
	add(item: BasketItem): void;
	remove(item: BasketItem): void;
	/** Replaces all items. */
	refill(items: BasketItem[]): void;
}

const ShoppingContext = createContext<Shopping | null>(null);

export function useShopping(): Shopping {
	const shopping = use(ShoppingContext);
	if (!shopping) throw new Error("useShopping needs <ShoppingProvider>.");
	return shopping;
}

interface ShoppingProviderProps {
	/** The signed-in customer, as loaded by the server; null for a guest. */
	user: Customer | null;
	/** Returns whether the basket is being paid for and must not change. */
	isLocked(): boolean;
	children: ReactNode;
}

/** Holds the app state in memory. Dispatches SET_USER whenever the authentication state changes. */
export function ShoppingProvider({ user, isLocked, children }: ShoppingProviderProps) {
	const [state, dispatch] = useReducer(reducer, { basket: [], user });
	// dispatch during rendering, so that no component renders the previous user
	if (state.user !== user) dispatch({ type: "SET_USER", user });
	const announce = useAnnounce();

	const shopping = useMemo<Shopping>(() => {
		// update synchronously, because the next click may come before React's next render and must use the new basket
		const change = (action: AppAction) => flushSync(() => dispatch(action));
		const whileLocked = "Your basket is locked while we process your payment.";
		return {
			...state,
			add(item) {
				if (isLocked()) return announce(whileLocked);
				if (state.basket.length >= maxBasketItems) {
					return announce(`Your basket is full. It holds up to ${maxBasketItems} items.`);
				}
				change({ type: "ADD_TO_BASKET", item });
				announce(`Added to basket: ${item.title}. ${itemCount(state.basket.length + 1)} in your basket.`);
			},
			remove({ id, title }) {
				if (isLocked()) return announce(whileLocked);
				change({ type: "REMOVE_FROM_BASKET", id });
				announce(`Removed from basket: ${title}. ${itemCount(state.basket.length - 1)} in your basket.`);
			},
			refill(items) {
				dispatch({ type: "EMPTY_BASKET" });
				for (const item of items) dispatch({ type: "ADD_TO_BASKET", item });
			},
		};
	}, [state, isLocked, announce]);

	return <ShoppingContext value={shopping}>{children}</ShoppingContext>;
}
