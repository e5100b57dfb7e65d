import type { BasketItem } from "#app/basket/basket.ts";
import type { Product } from "#app/catalogue/product.ts";
import type { Owner, Unowned } from "#app/orders/orders.server.ts";

// A PaymentIntent's metadata contains a copy of its order, from which reconcile can rebuild a lost order.

/** The copy of an order in metadata. */
export interface OrderCopy {
	userId: string | null;
	guestTokenHash: string | null;
	items: { id: string; count: number; priceCents: number }[];
}

/** Returns an order's metadata. Items are encoded as id:count:cents, such as "4903850:2:19999,12321341:1:1196". Six
 *  products always fit within Stripe's limit of 500 characters per value. */
export function toMetadata(owner: Owner, items: BasketItem[]): Record<string, string> {
	const lines = new Map<string, { count: number; priceCents: number }>();
	for (const { id, priceCents } of items) lines.set(id, { count: (lines.get(id)?.count ?? 0) + 1, priceCents });
	return {
		...toOwnerMetadata(owner),
		items: [...lines].map(([id, { count, priceCents }]) => `${id}:${count}:${priceCents}`).join(","),
	};
}

/** Returns the metadata of an order's owner. Stripe deletes keys with an empty value. */
export function toOwnerMetadata({ userId, guestTokenHash }: Owner | Unowned) {
	return { user_id: userId ?? "", guest_token_hash: guestTokenHash ?? "" };
}

/** Returns the copy of the order, or null if the metadata has no valid items. */
export function fromMetadata(metadata: Record<string, string>): OrderCopy | null {
	const text = metadata["items"] ?? "";
	if (!/^\w+:[1-9]\d{0,2}:[1-9]\d{0,7}(,\w+:[1-9]\d{0,2}:[1-9]\d{0,7})*$/.test(text)) return null;
	const items = text.split(",").map((line) => {
		const [id = "", count, priceCents] = line.split(":");
		return { id, count: Number(count), priceCents: Number(priceCents) };
	});
	return { userId: metadata["user_id"] || null, guestTokenHash: metadata["guest_token_hash"] || null, items };
}

/** Returns the purchased items with their original prices and the current titles and images. A product that is no
 *  longer sold gets a placeholder title and no image. */
export function rebuiltItems({ items }: OrderCopy, catalogue: Product[]): BasketItem[] {
	return items.flatMap(({ id, count, priceCents }) => {
		const product = catalogue.find((product) => product.id === id) ?? withdrawnProduct(id);
		return Array.from({ length: count }, () => ({ ...product, priceCents }));
	});
}

const withdrawnProduct = (id: string) => ({ id, title: `Item ${id}, no longer sold`, image: "", rating: 3 });
