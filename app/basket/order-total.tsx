import { formatMoney } from "#app/ui/money.ts";

interface OrderTotalProps {
	/** Cents. */
	amount: number;
	/** The shop's by default. */
	currency?: string;
	id?: string;
}

export function OrderTotal({ amount, currency, id }: OrderTotalProps) {
	return (
		<p className="total" id={id}>
			<span>Order Total:</span> <b className="price">{formatMoney(amount, currency)}</b>
		</p>
	);
}
