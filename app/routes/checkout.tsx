import { useEffect, useRef } from "react";
import { useShopping } from "#app/basket/app-state.tsx";
import { LineItems } from "#app/basket/line-items.tsx";
import { Subtotal } from "#app/basket/subtotal.tsx";

export default function Checkout() {
	const { user, basket, remove } = useShopping();
	const items = useRef<HTMLElement>(null);
	const lines = useRef(basket.length);
	useEffect(() => {
		// where the pressed button has gone with its line, the keyboard goes on at the last one, or at the way out
		if (basket.length < lines.current && document.activeElement === document.body) {
			items.current?.querySelector<HTMLElement>("li:last-child button, a")?.focus();
		}
		lines.current = basket.length;
	}, [basket.length]);

	return (
		<div className="wrap page">
			<title>Your basket · Half Dozen</title>
			<meta name="description" content="What you have put into your basket at Half Dozen, and what it comes to." />
			<h1>
				<small>Hello, {user?.email ?? "Guest"}</small>
				Your basket
			</h1>
			<div className="split">
				<section className="sheet" aria-label="Items" ref={items}>
					<LineItems
						action={(item) => (
							<button
								type="button"
								className="quiet"
								onClick={() => remove(item)}
								aria-label={`Remove from Basket: ${item.title}`}
							>
								Remove from Basket
							</button>
						)}
					/>
				</section>
				<Subtotal />
			</div>
		</div>
	);
}
