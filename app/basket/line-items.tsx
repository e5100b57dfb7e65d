import { EmptyState } from "#app/ui/empty-state.tsx";
import { ItemList, type ItemListProps } from "./item-list.tsx";

/** Lists the items in the basket, or renders the empty state. */
export function LineItems({ items, action }: Omit<ItemListProps, "currency">) {
	if (items.length === 0)
		return (
			<EmptyState>
				Your basket is empty. <small>It keeps what you add until you reload or close this tab.</small>
			</EmptyState>
		);
	return <ItemList items={items} action={action} />;
}
