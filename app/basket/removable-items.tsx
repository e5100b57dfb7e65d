import { useRef } from "react";
import { flushSync } from "react-dom";
import { shortName } from "#app/catalogue/product.ts";
import type { BasketItem } from "#app/tab/basket.ts";
import { useIsPaying, useTab } from "#app/tab/tab.ts";
import { Toast } from "#app/ui/announcer.tsx";
import { removeFromBasket } from "./change-basket.tsx";
import { LineItems } from "./line-items.tsx";

/** Lists the items in the basket with their Remove from Basket buttons, unless they are being paid for. A removal moves
 *  the focus to a remaining button. */
export function RemovableItems() {
	const basket = useTab(({ basket }) => basket);
	const isPaying = useIsPaying();
	const section = useRef<HTMLElement>(null);
	const removedAt = useRef(Number.NEGATIVE_INFINITY);

	function remove(item: BasketItem, row: number, timeStamp: number) {
		// a double tap would also press the button that takes this one's place
		if (timeStamp - removedAt.current < 500) return;
		removedAt.current = timeStamp;
		// after the button in this place or, if it was the last, the one above
		const last = Math.min(row, basket.length - 2);
		// render the rows now, to focus one
		flushSync(() => removeFromBasket(item, last < 0 ? undefined : `row ${last}`));
		// if the focused button was removed, focus the last remaining button or the empty state's link
		if (document.activeElement !== document.body) return;
		section.current?.querySelector<HTMLElement>("li:last-child button, .button")?.focus();
	}

	return (
		<section className="sheet" aria-label="Items" ref={section}>
			<LineItems
				items={basket}
				action={(item, row) =>
					!isPaying && (
						<>
							<button
								type="button"
								className="quiet"
								onClick={({ timeStamp }) => remove(item, row, timeStamp)}
								aria-label={`Remove from Basket: ${shortName(item.title)}`}
							>
								Remove from Basket
							</button>
							<Toast anchor={`row ${row}`} />
						</>
					)
				}
			/>
		</section>
	);
}
