import type { BasketItem } from "#app/basket/basket.ts";
import type { Product } from "#app/catalogue/product.ts";
import type { Owner } from "#app/orders/orders.server.ts";

// A PaymentIntent's metadata holds a second copy of its order, from which the order can be rebuilt when ours is lost.

/** An order as the metadata holds it. */
export interface OrderCopy {
	userId: string | null;
	guestTokenHash: string | null;
	items: { id: string; count: number; priceCents: number }[];
}

/** Metadata for `update`. Empty strings make Stripe forget what an earlier place wrote. Items read
 *  "4903850:2:19999,12321341:1:1196": id, count, price in cents; six products never fill Stripe's 500 characters. */
export function toMetadata(owner: Owner, items: BasketItem[]): Record<string, string> {
	const lines = new Map<string, { count: number; priceCents: number }>();
	for (const { id, priceCents } of items) lines.set(id, { count: (lines.get(id)?.count ?? 0) + 1, priceCents });
	return {
		user_id: owner.userId ?? "",
		guest_token_hash: owner.guestTokenHash ?? "",
		items: [...lines].map(([id, { count, priceCents }]) => `${id}:${count}:${priceCents}`).join(","),
	};
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

/** The basket that was bought, at the prices of then and with the titles and pictures of now; null when one of the
 *  products is no longer in the catalogue. */
export function rebuiltItems({ items }: OrderCopy, catalogue: Product[]): BasketItem[] | null {
	const basket: BasketItem[] = [];
	for (const { id, count, priceCents } of items) {
		const product = catalogue.find((product) => product.id === id);
		if (!product) return null;
		for (let index = 0; index < count; index++) basket.push({ ...product, priceCents });
	}
	return basket;
}
