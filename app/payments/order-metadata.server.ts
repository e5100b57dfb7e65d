import type { BasketItem } from "#app/basket/basket.ts";
import type { Product } from "#app/catalogue/product.ts";
import type { Owner, Unowned } from "#app/orders/orders.server.ts";

// A PaymentIntent's metadata has a copy of its order, from which a lost order can be rebuilt.

/** An order in metadata. */
export interface OrderCopy {
	userId: string | null;
	guestTokenHash: string | null;
	items: { id: string; count: number; priceCents: number }[];
}

/** Returns the metadata of an order. Items are "4903850:2:19999,12321341:1:1196": id, count, price in cents. Six
 *  products always fit into Stripe's 500 characters. */
export function toMetadata(owner: Owner, items: BasketItem[]): Record<string, string> {
	const lines = new Map<string, { count: number; priceCents: number }>();
	for (const { id, priceCents } of items) lines.set(id, { count: (lines.get(id)?.count ?? 0) + 1, priceCents });
	return {
		...toOwnerMetadata(owner),
		items: [...lines].map(([id, { count, priceCents }]) => `${id}:${count}:${priceCents}`).join(","),
	};
}

/** Returns the owner's part of the metadata. Stripe deletes a key with an empty value. */
export function toOwnerMetadata({ userId, guestTokenHash }: Owner | Unowned) {
	return { user_id: userId ?? "", guest_token_hash: guestTokenHash ?? "" };
}

/** Returns null unless the metadata contains items. */
export function fromMetadata(metadata: Record<string, string>): OrderCopy | null {
	const text = metadata["items"] ?? "";
	if (!/^\w+:[1-9]\d{0,2}:[1-9]\d{0,7}(,\w+:[1-9]\d{0,2}:[1-9]\d{0,7})*$/.test(text)) return null;
	const items = text.split(",").map((line) => {
		const [id = "", count, priceCents] = line.split(":");
		return { id, count: Number(count), priceCents: Number(priceCents) };
	});
	return { userId: metadata["user_id"] || null, guestTokenHash: metadata["guest_token_hash"] || null, items };
}

/** Returns the items that were bought, at their prices of that time and with the current titles and images. A product
 *  that is no longer sold has neither. */
export function rebuiltItems({ items }: OrderCopy, catalogue: Product[]): BasketItem[] {
	return items.flatMap(({ id, count, priceCents }) => {
		const product = catalogue.find((product) => product.id === id) ?? withdrawnProduct(id);
		return Array.from({ length: count }, () => ({ ...product, priceCents }));
	});
}

const withdrawnProduct = (id: string) => ({ id, title: `Item ${id}, no longer sold`, image: "", rating: 3 });
