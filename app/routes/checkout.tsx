import { useShopping } from "#app/basket/app-state.tsx";
import { BasketLines } from "#app/basket/lines.tsx";
import { Subtotal } from "#app/basket/subtotal.tsx";
import type { Route } from "./+types/checkout";

export const handle = { header: true, footerBar: false };

export const meta: Route.MetaFunction = () => [{ title: "Your basket · Half Dozen" }];

export default function Checkout() {
	const { user, remove } = useShopping();
	return (
		<div className="wrap page">
			<h1>
				<small>Hello, {user?.email ?? "Guest"}</small>
				Your basket
			</h1>
			<div className="split">
				<section className="sheet" aria-label="Items">
					<BasketLines
						action={(item) => (
							<button type="button" className="quiet" onClick={() => remove(item)}>
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
