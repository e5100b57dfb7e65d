import type { ReactNode } from "react";
import type { BasketItem } from "#app/tab/basket.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ItemList } from "./item-list.tsx";

interface LineItemsProps {
	items: (BasketItem & { quantity?: number })[];
	action?: (item: BasketItem) => ReactNode;
}

/** Lists the items in the basket, or renders the empty state. */
export function LineItems({ items, action }: LineItemsProps) {
	if (items.length === 0)
		return (
			<EmptyState>
				Your basket is empty. <small>It keeps what you add until you reload or close this tab.</small>
			</EmptyState>
		);
	return <ItemList items={items} action={action} />;
}
