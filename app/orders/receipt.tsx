import { type ReactNode, useEffect } from "react";
import { Link } from "react-router";
import { foldItems } from "#app/basket/fold-items.ts";
import { receiptNotice } from "#app/brand.ts";
import type { PaidOrder } from "#app/tab/tab-state.ts";
import { announce } from "#app/ui/announcer.tsx";
import { formatLocally } from "#app/ui/date.tsx";
import { formatMoney } from "#app/ui/money.ts";
import { OrderCard } from "./order-list.tsx";

interface ReceiptProps {
	order: PaidOrder;
	/** Whether the payment has just been made. */
	isNew: boolean;
	isListed: boolean;
	isGuest: boolean;
	/** Whether the browser keeps cookies. */
	canSignIn: boolean;
	/** What else a guest can do. */
	children?: ReactNode;
}

/** Renders how much this tab has just paid, and the order if the page does not list it, as for a guest, who has no
 *  list. */
export function Receipt({ order, isNew, isListed, isGuest, canSignIn, children }: ReceiptProps) {
	// closes the message about the payment
	useEffect(() => announce(""), []);
	const basket = foldItems(order.items);
	const listed = { ...order, basket, status: "paid" as const, refunded: 0, date: formatLocally(order.created) };
	return (
		<section className="receipt" aria-label="Your payment">
			{isNew && (
				<>
					<h2>Thank you for your order!</h2>
					<p>
						You paid <b>{formatMoney(order.amount, order.currency)}</b>. <span>{receiptNotice}</span>
					</p>
				</>
			)}
			{isGuest && (
				<p>
					{canSignIn
						? "The next person who signs in or creates an account in this browser gets this order."
						: "Only this tab shows this order, because your browser keeps no cookies for this shop."}
				</p>
			)}
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
			{!isListed && <OrderCard order={listed} isPaid={isNew} />}
		</section>
	);
}
