import { foldItems } from "#app/basket/fold-items.ts";
import { ItemList } from "#app/basket/item-list.tsx";
import { OrderTotal } from "#app/basket/order-total.tsx";
import { useTab } from "#app/tab/tab.ts";

/** Renders what this tab's buyer is paying for while the payment is being checked. */
export function PendingOrder() {
	const intent = useTab(({ purchase: { phase, intent }, buyer }) =>
		phase !== "idle" && intent?.buyer === buyer ? intent : null,
	);
	if (!intent) return null;
	const { items, total, currency } = intent;
	return (
		<section className="sheet order" aria-labelledby="pending">
			<header>
				<h2 id="pending">Your order</h2>
			</header>
			<ItemList items={foldItems(items)} currency={currency} />
			<OrderTotal amount={total} currency={currency} />
		</section>
	);
}
