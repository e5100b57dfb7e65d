import type { ReactNode } from "react";
import type { BasketItem } from "#app/tab/basket.ts";
import { useTab } from "#app/tab/tab.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ItemList } from "./item-list.tsx";

/** Lists the items in the basket. `action` renders the actions of an item. */
export function LineItems({ action }: { action?: (item: BasketItem) => ReactNode }) {
	const basket = useTab(({ basket }) => basket);
	if (basket.length === 0)
		return (
			<EmptyState>
				Your basket is empty. <small>It keeps what you add until you reload or close this tab.</small>
			</EmptyState>
		);
	return <ItemList items={basket} action={action} />;
}
