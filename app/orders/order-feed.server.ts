import { DurableObject } from "cloudflare:workers";
import { signedOut } from "./close-codes.ts";

/** Sends "changed" to the open pages of one customer, which then reload their orders. Stores only the time of its
 *  alarm. Its sockets hibernate, so it uses no memory while idle. */
export class OrderFeed extends DurableObject<Env> {
	constructor(ctx: DurableObjectState, env: Env) {
		super(ctx, env);
		// lets a page check its connection: the runtime responds without waking the object
		ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
	}

	/** Accepts a socket that the Worker has authenticated. `session` is the hash of the session token, and `expires` is
	 *  when the session expires, in Unix seconds. */
	override async fetch(request: Request): Promise<Response> {
		const { searchParams } = new URL(request.url);
		const [page, ours] = Object.values(new WebSocketPair());
		if (!page || !ours) throw new Error("A WebSocketPair has two ends; has its shape changed?");
		this.ctx.acceptWebSocket(ours, [searchParams.get("session") ?? ""]);
		ours.serializeAttachment(Number(searchParams.get("expires")) * 1000);
		await this.#closeExpired();
		return new Response(null, { status: 101, webSocket: page });
	}

	notify(): void {
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
		for (const socket of this.ctx.getWebSockets(session)) close(socket, signedOut, "Signed out.");
	}

	override alarm(): Promise<void> {
		return this.#closeExpired();
	}

	/** Closes the sockets of expired sessions and sets the alarm for the next expiry. */
	async #closeExpired(): Promise<void> {
		let next = Number.POSITIVE_INFINITY;
		for (const socket of this.ctx.getWebSockets()) {
			const endsAt = Number(socket.deserializeAttachment());
			if (endsAt <= Date.now()) close(socket, signedOut, "The session is over.");
			else next = Math.min(next, endsAt);
		}
		if (Number.isFinite(next)) await this.ctx.storage.setAlarm(next);
	}

	/** Closes the socket: pages may send only pings, which the runtime handles. */
	override webSocketMessage(socket: WebSocket): void {
		close(socket, 1003, "This feed accepts only pings.");
	}

	/** Completes the closing handshake. The runtime does not do this for hibernating sockets, and would count the page
	 *  as open until the object is next evicted from memory. */
	override webSocketClose(socket: WebSocket): void {
		close(socket, 1000, "");
	}

	override webSocketError(): void {}
}

function close(socket: WebSocket, code: number, reason: string): void {
	try {
		socket.close(code, reason);
	} catch {
		// already closed
	}
}
