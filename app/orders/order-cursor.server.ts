import type { OrderCursor } from "./list-orders.server.ts";

/** Formats the cursor of a page of orders for its URL: "1763650000-pi_123". */
export function writeCursor({ created, id }: OrderCursor): string {
	return `${created}-${id}`;
}

/** Returns the cursor in a URL, or null (the newest page) if it is missing or invalid. */
export function readCursor(url: URL): OrderCursor | null {
	const [, created, id] = /^(\d{1,10})-(pi_[A-Za-z0-9]{1,100})$/.exec(url.searchParams.get("before") ?? "") ?? [];
	return created && id ? { created: Number(created), id } : null;
}
