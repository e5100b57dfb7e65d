import { formatMoney } from "#app/ui/money.ts";

export function OrderTotal({ amount, currency, id }: { amount: number; currency?: string; id?: string }) {
	return (
		<p className="total" id={id}>
			<span>Order Total:</span> <b className="price">{formatMoney(amount, currency)}</b>
		</p>
	);
}
