import { Link } from "react-router";
import { basketTotal } from "#app/tab/basket.ts";
import { useIsPaying, useTab } from "#app/tab/tab.ts";
import { itemCount } from "#app/ui/item-count.ts";
import { formatMoney } from "#app/ui/money.ts";

export function Subtotal() {
	const basket = useTab(({ basket }) => basket);
	const isBuyable = !useIsPaying() && basket.length > 0;
	return (
		<aside className="sheet sum" aria-label="Order summary">
			<label>
				<input type="checkbox" /> This order contains a gift
			</label>
			<div className="buy">
				<p className="total">
					<span>{`Subtotal (${itemCount(basket.length)}):`}</span>{" "}
					<b className="price">{formatMoney(basketTotal(basket))}</b>
				</p>
				<Link className={isBuyable ? "button main" : "button"} to="/payment">
					Proceed to Checkout
				</Link>
			</div>
		</aside>
	);
}
