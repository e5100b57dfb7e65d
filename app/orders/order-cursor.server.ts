import type { OrderCursor } from "./orders.server.ts";

/** As it stands in the URL of a page of orders: "1763650000-pi_123". */
export function writeCursor({ created, id }: OrderCursor): string {
	return `${created}-${id}`;
}

/** The place in the history that a URL names; null, the newest, when it names none or nothing that could be one. */
export function readCursor(url: URL): OrderCursor | null {
	const [, created, id] = /^(\d{1,10})-(pi_[A-Za-z0-9]{1,100})$/.exec(url.searchParams.get("before") ?? "") ?? [];
	return created && id ? { created: Number(created), id } : null;
}
