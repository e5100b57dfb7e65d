import { DurableObject } from "cloudflare:workers";
import { inArray, sql } from "drizzle-orm";
import { openPrimary } from "#app/http/databases.server.ts";
import { logError } from "#app/http/log.server.ts";
import { sessions } from "#drizzle/schema.ts";
import { closeCodes } from "./close-codes.ts";

/** Sockets that one session may have open at once; the oldest gives way to another. */
const maxSockets = 5;
/** Milliseconds after which the sessions of the open sockets are looked up again, at the latest. */
const sessionCheckInterval = 60 * 60 * 1000;
/** Milliseconds between two such queries, at least. */
const minSessionCheckInterval = 60 * 1000;

/** What is kept with each socket, through hibernation too. */
interface Attachment {
	/** Milliseconds. */
	openedAt: number;
	/** Milliseconds: when its session is over. */
	endsAt: number;
}

/** The open pages of one customer. It tells them that something about their orders has changed, never what: each page
 *  then reads its orders as it did when it was loaded, by its own rights. Nothing is stored, and while nothing happens
 *  the object is not even in memory: its sockets hibernate. */
export class OrderFeed extends DurableObject<Env> {
	/** Milliseconds: when the sessions were queried last. */
	#checkedAt = 0;

	constructor(ctx: DurableObjectState, env: Env) {
		super(ctx, env);
		// answered without waking anybody, so that a page can tell whether its connection still lives
		ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
	}

	/** Takes a socket. The Worker has checked who asks: `session` is the session's hash, `seconds` what is left of it. */
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

	/** Tells every open page of this customer. */
	notify(): void {
		for (const socket of this.ctx.getWebSockets()) {
			try {
				socket.send("changed");
			} catch {
				// it has gone, and reads everything anew when it is back
			}
		}
		this.ctx.waitUntil(this.#closeEndedSessions());
	}

	/** Closes the sockets of a session that is over. */
	disconnect(session: string): void {
		for (const socket of this.ctx.getWebSockets(session)) close(socket, closeCodes.signedOut, "Signed out.");
	}

	/** Closes the sockets of sessions that have ended since. */
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
				// one JSON parameter, since a statement takes 100 parameters
				.where(inArray(sessions.id, sql`(select value from json_each(${JSON.stringify([...ids])}))`));
			for (const { id } of live) ids.delete(id);
			for (const id of ids) this.disconnect(id);
		} catch (error) {
			logError("feed_failed", error);
		}
	}

	/** Closes what is past its session's end, and sets the alarm for the next end or check. */
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

	/** Pages have nothing to say. */
	override webSocketMessage(socket: WebSocket): void {
		close(socket, 1003, "This feed only tells.");
	}

	/** A page says goodbye, or answers ours. To a socket that may hibernate the runtime leaves the answer to us, and a page
	 *  that gets none would be counted as open until the object next leaves memory. */
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
		// closed already
	}
}
