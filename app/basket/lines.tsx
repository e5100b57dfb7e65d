import type { ReactNode } from "react";
import { NothingYet } from "#app/ui/nothing-yet.tsx";
import { useShopping } from "./app-state.tsx";
import type { BasketItem } from "./basket.ts";
import { Line } from "./line.tsx";

/** What is in the basket, line by line; `action` is what can be done with each. */
export function BasketLines({ action }: { action?: (item: BasketItem) => ReactNode }) {
	const { basket } = useShopping();
	if (basket.length === 0)
		return (
			<NothingYet>
				Your basket is empty. <small>Reloading this page empties it.</small>
			</NothingYet>
		);
	return (
		<ul>
			{basket.map((item, index) => (
				// a basket may hold a product twice, and only its place tells the two apart
				// biome-ignore lint/suspicious/noArrayIndexKey: lines keep no state of their own
				<Line key={index} item={item}>
					{action?.(item)}
				</Line>
			))}
		</ul>
	);
}
