import { DurableObject } from "cloudflare:workers";
import { inArray, sql } from "drizzle-orm";
import { openPrimary } from "#app/http/databases.server.ts";
import { logError } from "#app/http/log.server.ts";
import type { FeedChange } from "#app/services.server.ts";
import { sessions } from "#drizzle/schema.ts";
import { closeCodes } from "./close-codes.ts";

/** Maximum number of open sockets per session. Opening another one closes the oldest. */
const maxSockets = 5;
/** Maximum number of orders whose notifications are remembered. */
const maxSent = 200;
/** Maximum interval between two checks of the sessions of open sockets, in milliseconds. */
const sessionCheckInterval = 60 * 60 * 1000;
/** Minimum interval between two checks, in milliseconds. */
const minSessionCheckInterval = 60 * 1000;

/** Data stored with each socket. Survives hibernation. */
interface Attachment {
	/** Unix milliseconds. */
	openedAt: number;
	/** When the socket's session expires, in Unix milliseconds. */
	endsAt: number;
}

/** Sends "changed" to the open pages of one customer, which then reload their orders. Stores no data, and its sockets
 *  hibernate, so it uses no memory while idle. */
export class OrderFeed extends DurableObject<Env> {
	/** The latest order changes that were sent, such as "pi_1 paid". Losing them only causes another message. */
	readonly #sent = new Set<string>();
	/** When the sessions were last checked, in Unix milliseconds. */
	#checkedAt = 0;

	constructor(ctx: DurableObjectState, env: Env) {
		super(ctx, env);
		// lets a page check its connection: the runtime responds without waking the object
		ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
	}

	/** Accepts a socket that the Worker has authenticated. `session` is the hash of the session token, and `seconds` is
	 *  the time until the session expires. */
	override async fetch(request: Request): Promise<Response> {
		const { searchParams } = new URL(request.url);
		const session = searchParams.get("session") ?? "";
		const now = Date.now();
		const open = this.ctx
			.getWebSockets(session)
			.toSorted((a, b) => attachmentOf(a).openedAt - attachmentOf(b).openedAt);
		for (const socket of open.slice(0, Math.max(open.length - maxSockets + 1, 0))) {
			close(socket, closeCodes.tooMany, "This session has too many pages open.");
		}
		const [page, ours] = Object.values(new WebSocketPair());
		if (!page || !ours) throw new Error("A WebSocketPair has two ends; has its shape changed?");
		this.ctx.acceptWebSocket(ours, [session]);
		ours.serializeAttachment({ openedAt: now, endsAt: now + Number(searchParams.get("seconds")) * 1000 });
		await this.#scheduleAlarm();
		return new Response(null, { status: 101, webSocket: page });
	}

	/** Notifies all open pages of this customer, unless the change is not new and was sent. A page that opened its socket
	 *  since then has reloaded its orders, because it does so after opening the socket. */
	notify({ orders, isNew }: FeedChange = { orders: [], isNew: true }): void {
		if (isNew || !orders.every((order) => this.#sent.has(order))) this.#send();
		for (const order of orders) this.#sent.add(order);
		for (const oldest of this.#sent) {
			if (this.#sent.size <= maxSent) break;
			this.#sent.delete(oldest);
		}
		this.ctx.waitUntil(this.#closeEndedSessions());
	}

	#send(): void {
		for (const socket of this.ctx.getWebSockets()) {
			try {
				socket.send("changed");
			} catch {
				// the socket has closed; its page reloads its orders when it reconnects
			}
		}
	}

	/** Closes the sockets of a session that has ended. */
	disconnect(session: string): void {
		for (const socket of this.ctx.getWebSockets(session)) close(socket, closeCodes.signedOut, "Signed out.");
	}

	override async alarm(): Promise<void> {
		await this.#scheduleAlarm();
		await this.#closeEndedSessions();
	}

	/** Closes the sockets of sessions that are no longer in D1. At sign-out, `disconnect` closes them, but it may fail
	 *  or run before a new socket opens. It is not called when an operator closes an account with SQL. */
	async #closeEndedSessions(): Promise<void> {
		const ids = new Set(this.ctx.getWebSockets().flatMap((socket) => this.ctx.getTags(socket)));
		if (ids.size === 0 || Date.now() < this.#checkedAt + minSessionCheckInterval) return;
		this.#checkedAt = Date.now();
		try {
			const live = await openPrimary(this.env.DB)
				.select({ id: sessions.id })
				.from(sessions)
				// one JSON parameter, because D1 limits a statement to 100 parameters
				.where(inArray(sessions.id, sql`(select value from json_each(${JSON.stringify([...ids])}))`));
			for (const { id } of live) ids.delete(id);
			for (const id of ids) this.disconnect(id);
		} catch (error) {
			logError("feed_failed", error);
		}
	}

	/** Closes the sockets of expired sessions and sets the alarm for the next expiry or check. */
	async #scheduleAlarm(): Promise<void> {
		let next = Number.POSITIVE_INFINITY;
		for (const socket of this.ctx.getWebSockets()) {
			const { endsAt } = attachmentOf(socket);
			if (endsAt <= Date.now()) close(socket, closeCodes.signedOut, "The session is over.");
			else next = Math.min(next, endsAt, Date.now() + sessionCheckInterval);
		}
		const planned = await this.ctx.storage.getAlarm();
		if (Number.isFinite(next) && (planned === null || next < planned)) await this.ctx.storage.setAlarm(next);
	}

	/** Closes the socket: pages may send only pings, which the runtime handles. */
	override webSocketMessage(socket: WebSocket): void {
		close(socket, 1003, "This feed only tells.");
	}

	/** Completes the closing handshake. The runtime does not do this for hibernating sockets, and would count the page
	 *  as open until the object is next evicted from memory. */
	override webSocketClose(socket: WebSocket): void {
		close(socket, 1000, "");
	}

	override webSocketError(): void {}
}

function attachmentOf(socket: WebSocket): Attachment {
	return socket.deserializeAttachment();
}

function close(socket: WebSocket, code: number, reason: string): void {
	try {
		socket.close(code, reason);
	} catch {
		// already closed
	}
}
