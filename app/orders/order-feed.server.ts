import { DurableObject } from "cloudflare:workers";
import { inArray, sql } from "drizzle-orm";
import { openPrimary } from "#app/http/databases.server.ts";
import { logError } from "#app/http/log.server.ts";
import { sessions } from "#drizzle/schema.ts";
import { closeCodes } from "./close-codes.ts";

/** Sockets that one session may have open. One more closes the oldest. */
const maxSockets = 5;
/** Milliseconds, at most, between two checks of the sessions of open sockets. */
const sessionCheckInterval = 60 * 60 * 1000;
/** Milliseconds, at least, between two checks. */
const minSessionCheckInterval = 60 * 1000;

/** Is stored with each socket, and survives hibernation. */
interface Attachment {
	/** Milliseconds. */
	openedAt: number;
	/** Milliseconds: when its session expires. */
	endsAt: number;
}

/** The open pages of one customer. It sends only "changed": each page then loads its orders again. It stores nothing,
 *  and its sockets hibernate, so that it is out of memory while nothing happens. */
export class OrderFeed extends DurableObject<Env> {
	/** Milliseconds: when the sessions were checked last. */
	#checkedAt = 0;

	constructor(ctx: DurableObjectState, env: Env) {
		super(ctx, env);
		// the runtime responds without waking the object, so that a page can check its connection
		ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
	}

	/** Accepts a socket. The Worker has authenticated it: `session` is the session's hash, `seconds` the time until it
	 *  expires. */
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

	/** Notifies every open page of this customer. */
	notify(): void {
		for (const socket of this.ctx.getWebSockets()) {
			try {
				socket.send("changed");
			} catch {
				// the socket has closed; its page loads its orders when it reconnects
			}
		}
		this.ctx.waitUntil(this.#closeEndedSessions());
	}

	/** Closes the sockets of a session that has ended. */
	disconnect(session: string): void {
		for (const socket of this.ctx.getWebSockets(session)) close(socket, closeCodes.signedOut, "Signed out.");
	}

	override async alarm(): Promise<void> {
		await this.#scheduleAlarm();
		await this.#closeEndedSessions();
	}

	/** Closes the sockets whose session is no longer in D1. `disconnect` does so at sign-out, but may fail, may come before a
	 *  socket that is just opening, and is not called when an account is closed by SQL. */
	async #closeEndedSessions(): Promise<void> {
		const ids = new Set(this.ctx.getWebSockets().flatMap((socket) => this.ctx.getTags(socket)));
		if (ids.size === 0 || Date.now() < this.#checkedAt + minSessionCheckInterval) return;
		this.#checkedAt = Date.now();
		try {
			const live = await openPrimary(this.env.DB)
				.select({ id: sessions.id })
				.from(sessions)
				// one JSON parameter, because a statement takes at most 100
				.where(inArray(sessions.id, sql`(select value from json_each(${JSON.stringify([...ids])}))`));
			for (const { id } of live) ids.delete(id);
			for (const id of ids) this.disconnect(id);
		} catch (error) {
			logError("feed_failed", error);
		}
	}

	/** Closes the sockets of expired sessions, and sets the alarm for the next expiry or check. */
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

	/** Pages send nothing but pings. */
	override webSocketMessage(socket: WebSocket): void {
		close(socket, 1003, "This feed only tells.");
	}

	/** Completes the closing handshake: the runtime does not do it for sockets that hibernate, and would count the page
	 *  as open until the object next leaves memory. */
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
