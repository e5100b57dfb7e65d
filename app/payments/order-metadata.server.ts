import type { BasketItem } from "#app/basket/basket.ts";
import type { Product } from "#app/catalogue/product.ts";
import type { Owner, Unowned } from "#app/orders/orders.server.ts";

// A PaymentIntent's metadata holds a copy of its order, from which the order can be rebuilt when ours is lost.

/** An order as the metadata holds it. */
export interface OrderCopy {
	userId: string | null;
	guestTokenHash: string | null;
	items: { id: string; count: number; priceCents: number }[];
}

/** Returns metadata for `update`. Items read "4903850:2:19999,12321341:1:1196": id, count, price in cents; six products
 *  never fill Stripe's 500 characters. */
export function toMetadata(owner: Owner, items: BasketItem[]): Record<string, string> {
	const lines = new Map<string, { count: number; priceCents: number }>();
	for (const { id, priceCents } of items) lines.set(id, { count: (lines.get(id)?.count ?? 0) + 1, priceCents });
	return {
		...toOwnerMetadata(owner),
		items: [...lines].map(([id, { count, priceCents }]) => `${id}:${count}:${priceCents}`).join(","),
	};
}

/** Returns only the owner's part of it. Stripe deletes what is set to an empty string. */
export function toOwnerMetadata({ userId, guestTokenHash }: Owner | Unowned) {
	return { user_id: userId ?? "", guest_token_hash: guestTokenHash ?? "" };
}

/** Null unless the metadata holds items. */
export function fromMetadata(metadata: Record<string, string>): OrderCopy | null {
	const text = metadata["items"] ?? "";
	if (!/^\w+:[1-9]\d{0,2}:[1-9]\d{0,7}(,\w+:[1-9]\d{0,2}:[1-9]\d{0,7})*$/.test(text)) return null;
	const items = text.split(",").map((line) => {
		const [id = "", count, priceCents] = line.split(":");
		return { id, count: Number(count), priceCents: Number(priceCents) };
	});
	return { userId: metadata["user_id"] || null, guestTokenHash: metadata["guest_token_hash"] || null, items };
}

/** Returns the basket that was bought, at the prices of then and with today's titles and pictures. A product that is no
 *  longer sold has neither. */
export function rebuiltItems({ items }: OrderCopy, catalogue: Product[]): BasketItem[] {
	return items.flatMap(({ id, count, priceCents }) => {
		const product = catalogue.find((product) => product.id === id) ?? withdrawnProduct(id);
		return Array.from({ length: count }, () => ({ ...product, priceCents }));
	});
}

const withdrawnProduct = (id: string) => ({ id, title: `Item ${id}, no longer sold`, image: "", rating: 3 });
