import type { BasketItem } from "#app/tab/basket.ts";
import type { Confirmation } from "#app/tab/purchase.ts";
import { formatMoney } from "#app/ui/money.ts";

// What the shopper is told about a payment, except for the reasons in the server's errors (payments/shop-api.server.ts)
// and for what all pages show (tab/purchase.ts).

export const refundedNotice = "Your payment was refunded, and nothing will be delivered.";

const notPaid = "Your payment did not go through.";

/** Returns the notice of a payment that has certainly not been charged. `reason` says why; by default, there was no
 *  response. */
export function notCharged(reason = "We couldn't reach the shop."): string {
	return `${reason} You have not been charged.`.trim();
}

export const canceledNotice = notCharged(notPaid);

/** Returns the notice of a card that was declined. */
export function declinedNotice({ code, message = notPaid }: NonNullable<Confirmation["error"]>): string {
	return code === "card_declined" ? `${message} Nothing was charged; try another card.` : notCharged(message);
}

/** Returns a sentence for each product whose price has changed or that is no longer sold. `prices` contains cents by
 *  product id. */
export function describeChanges(items: readonly BasketItem[], prices: Readonly<Record<string, number>>): string {
	const changes = items.flatMap(({ id, title, priceCents }) => {
		const price = prices[id];
		if (price === undefined) return [`${title} is no longer available.`];
		return price === priceCents ? [] : [`${title} now costs ${formatMoney(price)}.`];
	});
	return [...new Set(changes)].join(" ");
}
