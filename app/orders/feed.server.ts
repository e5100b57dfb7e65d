import type { Session } from "#app/auth/sessions.server.ts";
import { logError } from "#app/http/log.server.ts";
import type { Services } from "#app/http/services.server.ts";
import { withTimeout } from "#app/ui/timeout.ts";

// Notifications are best-effort: a call that fails, for example because the object was just moved, is retried once. A
// failure is logged and otherwise ignored.

type FeedServices = Pick<Services, "orderFeed" | "timeouts">;

/** Opens a WebSocket to a customer's feed, for one page of a session. Returns a 101 response with the socket. */
export function connectFeed(services: Services, { id, userId, expiresAt }: Session): Promise<Response> {
	const query = new URLSearchParams({ session: id, expires: String(expiresAt) });
	const upgrade = new Request(`https://feed/?${query}`, { headers: { Upgrade: "websocket" } });
	return services.orderFeed(userId).fetch(upgrade);
}

/** Notifies a customer's open pages that their orders may have changed. Does nothing for a guest (null). Never
 *  rejects. */
export async function notifyFeed(services: FeedServices, userId: string | null): Promise<void> {
	if (userId) await bestEffort(services, () => services.orderFeed(userId).notify());
}

/** Closes the sockets of a session that has ended. Does nothing for a guest (null). Never rejects. */
export async function disconnectFeed(services: Services, session: Session | null): Promise<void> {
	if (session) await bestEffort(services, () => services.orderFeed(session.userId).disconnect(session.id));
}

async function bestEffort({ timeouts }: FeedServices, work: () => Promise<void>): Promise<void> {
	try {
		await withTimeout(timeouts.feed, work().catch(work));
	} catch (error) {
		logError("feed_failed", error);
	}
}
