import { inTime } from "#app/http/answer-in-time.server.ts";
import { logError } from "#app/http/log.server.ts";
import type { Outside } from "#app/outside.server.ts";

// The way to a customer's feed. What it tells is only news: that it fails is logged, and changes nothing for anybody.

/** Opens the feed for a page of a customer's session: an answer of 101 with the socket. */
export function connect(
	outside: Outside,
	customer: { id: string },
	session: { id: string; seconds: number },
): Promise<Response> {
	const query = new URLSearchParams({ session: session.id, seconds: String(session.seconds) });
	const upgrade = new Request(`https://feed/?${query}`, { headers: { Upgrade: "websocket" } });
	return outside.orderFeed(customer.id).fetch(upgrade);
}

/** Notifies a customer's open pages that their orders have changed; a guest, null, has none. Never rejects. */
export async function notifyFeed(outside: Outside, userId: string | null): Promise<void> {
	if (userId) await tell(outside, () => outside.orderFeed(userId).announce());
}

/** Closes the feed in the pages of a session that has just ended; a guest had none. Never rejects. */
export async function disconnect(
	outside: Outside,
	customer: { id: string } | null,
	session: { id: string } | null,
): Promise<void> {
	if (customer && session) await tell(outside, () => outside.orderFeed(customer.id).disconnect(session.id));
}

async function tell({ limits }: Outside, work: () => Promise<void>): Promise<void> {
	try {
		await inTime(limits.feed, work());
	} catch (error) {
		logError("feed_failed", error);
	}
}
