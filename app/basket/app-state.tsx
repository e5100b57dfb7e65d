import { createContext, type ReactNode, use, useMemo, useReducer } from "react";
import { flushSync } from "react-dom";
import type { Customer } from "#app/auth/customer.server.ts";
import { Picture } from "#app/catalogue/picture.tsx";
import { shortName } from "#app/catalogue/product.ts";
import { useAnnounce } from "#app/ui/announcer.tsx";
import { itemCount } from "#app/ui/item-count.ts";
import { Link } from "#app/ui/link.tsx";
import { type AppAction, type AppState, type BasketItem, maxBasketItems, reducer } from "./basket.ts";

interface Shopping extends AppState {
	/** Returns whether the item was added. */
	add(item: BasketItem): boolean;
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
		function remove({ id, title }: BasketItem, left: number) {
			if (isLocked()) return announce(whileLocked);
			change({ type: "REMOVE_FROM_BASKET", id });
			announce(`Removed from basket: ${shortName(title)}. ${itemCount(left)} in your basket.`);
		}
		const { length } = state.basket;
		return {
			...state,
			add(item) {
				if (isLocked() || length >= maxBasketItems) {
					announce(isLocked() ? whileLocked : `Your basket is full. It holds up to ${maxBasketItems} items.`);
					return false;
				}
				change({ type: "ADD_TO_BASKET", item });
				announce(`Added to basket: ${shortName(item.title)}. ${itemCount(length + 1)} in your basket.`, {
					picture: <Picture image={item.image} sizes="48px" />,
					actions: <AddedActions undo={() => remove(item, length)} />,
				});
				return true;
			},
			remove: (item) => remove(item, length - 1),
			refill(items) {
				dispatch({ type: "EMPTY_BASKET" });
				for (const item of items) dispatch({ type: "ADD_TO_BASKET", item });
			},
		};
	}, [state, isLocked, announce]);

	return <ShoppingContext value={shopping}>{children}</ShoppingContext>;
}

function AddedActions({ undo }: { undo(): void }) {
	const announce = useAnnounce();
	return (
		<>
			<Link to="/checkout" prefetch="intent" onClick={() => announce("")}>
				View basket
			</Link>
			<button
				type="button"
				onClick={() => {
					undo();
					// the focused button disappears
					document.querySelector<HTMLElement>(".basket")?.focus();
				}}
			>
				Undo
			</button>
		</>
	);
}
