import { Link } from "react-router";
import { Picture } from "#app/catalogue/picture.tsx";
import { shortName } from "#app/catalogue/product.ts";
import type { AppAction, BasketItem } from "#app/tab/basket.ts";
import { isPaying } from "#app/tab/purchase.ts";
import { tab } from "#app/tab/tab.ts";
import { announce, focusBefore } from "#app/ui/announcer.tsx";
import { itemCount } from "#app/ui/item-count.ts";
import { maxItems } from "#drizzle/limits.ts";

/** Adds an item, and shows a message with Undo after the button, at `anchor`. Returns whether the item was added. */
export function addToBasket(item: BasketItem, anchor: string): boolean {
	const undo: AppAction = { type: "REMOVE_FROM_BASKET", id: item.id };
	return change({ type: "ADD_TO_BASKET", item }, item, anchor, undo);
}

/** Removes an item, and shows a message with Undo after the button, at `anchor`, or else after the page. */
export function removeFromBasket(item: BasketItem, anchor?: string): void {
	const index = tab.getState().basket.findIndex(({ id }) => id === item.id);
	change({ type: "REMOVE_FROM_BASKET", id: item.id }, item, anchor, { type: "ADD_TO_BASKET", item, index });
}

/** Changes the basket. Returns whether it has changed. Undo itself has no `undo`. */
function change(action: AppAction, item: BasketItem, anchor?: string, undo?: AppAction): boolean {
	const before = tab.getState().basket;
	tab.dispatch(action);
	const { basket, purchase } = tab.getState();
	const isAdded = action.type === "ADD_TO_BASKET";
	if (basket === before) {
		const full = isAdded ? `Your basket is full. It holds up to ${maxItems} items.` : "";
		announce(isPaying(purchase) ? "Your basket is locked while we process your payment." : full, { anchor });
		return false;
	}
	const done = `${isAdded ? "Added to" : "Removed from"} basket: ${shortName(item.title)}.`;
	announce(`${done} ${itemCount(basket.length)} in your basket.`, {
		anchor,
		picture: <Picture image={item.image} sizes="48px" />,
		...(undo && {
			hint: isAdded ? "View basket and Undo come next." : "Undo comes next.",
			actions: (
				<>
					{isAdded && <Link to="/checkout">View basket</Link>}
					<button
						type="button"
						onClick={({ currentTarget }) => {
							focusBefore(currentTarget);
							change(undo, item, anchor);
						}}
					>
						Undo
					</button>
				</>
			),
		}),
	});
	return true;
}
