import { Link } from "react-router";
import { formatMoney } from "#app/ui/money.ts";

/** A guest's latest payment, passed to /orders in the history entry's state. */
export interface Receipt {
	orderId: string;
	/** Cents. */
	amount: number;
}

/** Returns the receipt in a location's state, or null. Validates its shape, because the browser persists the state. */
export function guestReceiptIn(state: unknown): Receipt | null {
	if (typeof state !== "object" || state === null || !("orderId" in state) || !("amount" in state)) return null;
	const { orderId, amount } = state;
	return typeof orderId === "string" && typeof amount === "number" ? { orderId, amount } : null;
}

export function GuestReceipt({ orderId, amount }: Receipt) {
	return (
		<section className="sheet receipt" aria-label="Your payment">
			<p>
				Thank you! You paid <b>{formatMoney(amount)}</b> for order <code>{orderId}</code>.
			</p>
			<p>
				<Link to="/login">Sign in or create an account</Link> in this browser to save the order to your account.
			</p>
		</section>
	);
}
