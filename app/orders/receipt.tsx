import { type ReactNode, useEffect } from "react";
import { Link } from "react-router";
import { DeliveryAddress } from "#app/basket/delivery-address.tsx";
import { foldItems } from "#app/basket/fold-items.ts";
import { receiptNotice } from "#app/brand.ts";
import type { PaidOrder } from "#app/tab/tab-state.ts";
import { announce } from "#app/ui/announcer.tsx";
import { formatLocally } from "#app/ui/date.tsx";
import { formatMoney } from "#app/ui/money.ts";
import { type DatedOrder, OrderCard } from "./order-list.tsx";

interface ReceiptProps {
	paid: PaidOrder;
	/** The order as the server lists it, if it does: a guest has no list. */
	listed: DatedOrder | undefined;
	isNew: boolean;
	isGuest: boolean;
	/** False if the browser keeps no cookies. */
	canSignIn: boolean;
	children?: ReactNode;
}

export function Receipt({ paid, listed, isNew, isGuest, canSignIn, children }: ReceiptProps) {
	// closes the message about the payment
	useEffect(() => announce(""), []);
	const { items, created, amount, currency } = paid;
	const own = { basket: foldItems(items), status: "paid" as const, refunded: 0, date: formatLocally(created) };
	const keptBy = !isGuest
		? "You can find this order here whenever you sign in."
		: canSignIn
			? "The next person who signs in or creates an account in this browser gets this order."
			: "Only this tab shows this order, because your browser keeps no cookies for this shop.";
	return (
		<section className="receipt" aria-label="Your payment">
			<div className="sheet split">
				{isNew && (
					<section className="step">
						<h2>Thank you for your order!</h2>
						<p>
							You paid <b>{formatMoney(amount, currency)}</b>. <span>{receiptNotice}</span>
						</p>
					</section>
				)}
				<OrderCard order={listed ?? { ...paid, ...own }} isReceipt />
				<section className="step">
					<h2>Delivery address</h2>
					<DeliveryAddress />
					<div className="next">
						<p>{keptBy}</p>
						<p className="buttons">
							{isGuest && canSignIn && (
								<Link className="button main" to="/login">
									Sign In or Create Account
								</Link>
							)}
							<Link className="button" to="/">
								Continue shopping
							</Link>
						</p>
						{children}
					</div>
				</section>
			</div>
		</section>
	);
}
