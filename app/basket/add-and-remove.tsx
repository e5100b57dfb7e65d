import { Link } from "react-router";
import { Picture } from "#app/catalogue/picture.tsx";
import { shortName } from "#app/catalogue/product.ts";
import { type BasketItem, maxBasketItems } from "#app/tab/basket.ts";
import { isPaying } from "#app/tab/purchase.ts";
import { tab } from "#app/tab/tab.ts";
import { announce, focusBefore } from "#app/ui/announcer.tsx";
import { itemCount } from "#app/ui/item-count.ts";

/** Adds an item, and shows a message after the button, at `anchor`. Returns whether the item was added. */
export function addToBasket(item: BasketItem, anchor: string): boolean {
	const before = tab.getState().basket;
	tab.dispatch({ type: "ADD_TO_BASKET", item });
	const { basket } = tab.getState();
	if (basket === before) {
		announce(lockedNotice() ?? `Your basket is full. It holds up to ${maxBasketItems} items.`, { anchor });
		return false;
	}
	announce(`Added to basket: ${shortName(item.title)}. ${itemCount(basket.length)} in your basket.`, {
		anchor,
		picture: <Picture image={item.image} sizes="48px" />,
		hint: "View basket and Undo come next.",
		actions: <AddedActions item={item} />,
	});
	return true;
}

export function removeFromBasket({ id, title }: BasketItem): void {
	tab.dispatch({ type: "REMOVE_FROM_BASKET", id });
	const left = itemCount(tab.getState().basket.length);
	announce(lockedNotice() ?? `Removed from basket: ${shortName(title)}. ${left} in your basket.`);
}

function lockedNotice(): string | null {
	return isPaying(tab.getState().purchase) ? "Your basket is locked while we process your payment." : null;
}

function AddedActions({ item }: { item: BasketItem }) {
	return (
		<>
			<Link to="/checkout">View basket</Link>
			<button
				type="button"
				onClick={({ currentTarget }) => {
					focusBefore(currentTarget);
					removeFromBasket(item);
				}}
			>
				Undo
			</button>
		</>
	);
}
