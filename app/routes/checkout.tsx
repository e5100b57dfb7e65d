import { useRef } from "react";
import { flushSync } from "react-dom";
import { CustomerName } from "#app/auth/customer-name.tsx";
import { removeFromBasket } from "#app/basket/change-basket.tsx";
import { LineItems } from "#app/basket/line-items.tsx";
import { Subtotal } from "#app/basket/subtotal.tsx";
import { shopName } from "#app/brand.ts";
import { shortName } from "#app/catalogue/product.ts";
import { PageTags } from "#app/shell/page-tags.tsx";
import type { BasketItem } from "#app/tab/basket.ts";
import { useTab } from "#app/tab/tab.ts";
import { Toast } from "#app/ui/announcer.tsx";
import { pageStyles } from "#app/ui/page-styles.tsx";
import stylesheet from "./items.css?url";

const styles = pageStyles(stylesheet);

export default function Checkout() {
	const basket = useTab(({ basket }) => basket);
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
		<div className="wrap page">
			<PageTags title="Your basket" description={`Review your basket at ${shopName} and check out.`} />
			{styles}
			<p className="greeting">
				Hello <CustomerName />
			</p>
			<h1>Your basket</h1>
			<div className="split">
				<section className="sheet" aria-label="Items" ref={section}>
					<LineItems
						items={basket}
						action={(item, row) => (
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
						)}
					/>
				</section>
				<Subtotal />
			</div>
		</div>
	);
}
