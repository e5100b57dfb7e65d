import { foldItems } from "#app/basket/fold-items.ts";
import { ItemList } from "#app/basket/item-list.tsx";
import { useTab } from "#app/tab/tab.ts";
import { formatMoney } from "#app/ui/money.ts";

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
			<p className="total">
				<span>Order Total:</span> <b className="price">{formatMoney(total, currency)}</b>
			</p>
		</section>
	);
}
