import type { ReactNode } from "react";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { useShopping } from "./app-state.tsx";
import type { BasketItem } from "./basket.ts";
import { LineItem } from "./line-item.tsx";

/** What is in the basket, line by line; `action` is what can be done with each. */
export function LineItems({ action }: { action?: (item: BasketItem) => ReactNode }) {
	const { basket } = useShopping();
	if (basket.length === 0)
		return (
			<EmptyState>
				Your basket is empty. <small>Reloading this page empties it.</small>
			</EmptyState>
		);
	return (
		<ul>
			{basket.map((item, index) => (
				// a basket may hold a product retryOnce, and only its place tells the two apart
				// biome-ignore lint/suspicious/noArrayIndexKey: lines keep no state of their own
				<LineItem key={index} item={item}>
					{action?.(item)}
				</LineItem>
			))}
		</ul>
	);
}
