import { Link } from "react-router";
import { useShopping } from "#app/basket/app-state.tsx";
import { Line } from "#app/basket/line.tsx";
import { Subtotal } from "#app/basket/subtotal.tsx";
import type { Route } from "./+types/checkout";

export const handle = { header: true, footerBar: false };

export const meta: Route.MetaFunction = () => [{ title: "Your basket · Half Dozen" }];

export default function Checkout() {
	const { basket, user, remove } = useShopping();
	return (
		<div className="wrap page">
			<h1>
				<small>Hello, {user?.email ?? "Guest"}</small>
				Your basket
			</h1>
			<div className="split">
				<section className="sheet" aria-label="Items">
					{basket.length === 0 ? (
						<p>
							Your basket is empty. <Link to="/">Have a look at the six things.</Link>
						</p>
					) : (
						<ul>
							{basket.map((item, index) => (
								// a basket may hold a product twice, and only its place tells the two apart
								// biome-ignore lint/suspicious/noArrayIndexKey: lines keep no state of their own
								<Line key={index} item={item}>
									<button type="button" className="quiet" onClick={() => remove(item)}>
										Remove from Basket
									</button>
								</Line>
							))}
						</ul>
					)}
				</section>
				<Subtotal />
			</div>
		</div>
	);
}
