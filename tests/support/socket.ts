import { request as httpRequest } from "node:http";
import type { Duplex } from "node:stream";
import { fetch, type Response, type WebSocket } from "miniflare";
import { sessionCookieName } from "#app/auth/sessions.server.ts";
import type { Customer } from "./customer.ts";
import type { Shop } from "./shop.ts";

/** Requests a WebSocket. The response holds the WebSocket or the error; Node's own fetch supports neither. */
export function upgrade({ url }: Shop, headers: Record<string, string>, path = "/orders/feed"): Promise<Response> {
	return fetch(new URL(path, url), { headers: { ...headers, Upgrade: "websocket" } });
}

/** Returns the headers that a browser sends for `new WebSocket(…)` from a page of the shop. */
export function ofOwnPage({ url }: Shop, customer: Customer): { Origin: string; Cookie?: string } {
	const session = customer.cookie(sessionCookieName);
	return { Origin: url.origin, ...(session && { Cookie: `${sessionCookieName}=${session}` }) };
}

/** The live order feed of an open page. */
export class OpenFeed {
	readonly #socket: WebSocket;
	readonly #messages: unknown[] = [];
	#resolvePong = () => {};
	/** Resolves with the close code. */
	readonly closed: Promise<number>;

	constructor(socket: WebSocket) {
		this.#socket = socket;
		this.closed = new Promise((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)));
		socket.addEventListener("message", ({ data }) => {
			if (data === "pong") this.#resolvePong();
			else this.#messages.push(data);
		});
		socket.accept();
	}

	/** Returns every message that the shop has sent. Waits for the pong to a ping, which arrives after them. Rejects if
	 *  the feed is closed. */
	async received(): Promise<unknown[]> {
		const pong = new Promise<void>((resolve) => {
			this.#resolvePong = resolve;
		});
		this.#socket.send("ping");
		const code = await Promise.race([pong, this.closed]);
		if (code !== undefined) throw new Error(`The feed was closed with ${code}.`);
		return this.#messages;
	}

	/** Resolves with the next message. */
	next(): Promise<unknown> {
		return new Promise((resolve) => {
			this.#socket.addEventListener("message", ({ data }) => resolve(data), { once: true });
		});
	}

	send(message: string | Uint8Array<ArrayBuffer>): void {
		this.#socket.send(message);
	}
}

/** Opens the feed as this customer's page does. Rejects if the shop refuses the upgrade. */
export async function openFeed(shop: Shop, customer: Customer, path?: string): Promise<OpenFeed> {
	const feed = await startFeed(shop, customer, path);
	await feed.received();
	return feed;
}

/** Opens a feed that the shop may close at any time. */
export async function startFeed(shop: Shop, customer: Customer, path?: string): Promise<OpenFeed> {
	const { status, webSocket } = await upgrade(shop, ofOwnPage(shop, customer), path);
	if (!webSocket) throw new Error(`The feed was refused with ${status}.`);
	const feed = new OpenFeed(webSocket);
	// workerd takes ten seconds to end a closed connection whose client never sent a message
	feed.send("ping");
	return feed;
}

/** Opens the feed of a page whose machine goes to sleep immediately, so that it never returns a close frame. Resolves
 *  with the connection. */
export function openSleepingFeed(shop: Shop, customer: Customer): Promise<Duplex> {
	const headers = {
		...ofOwnPage(shop, customer),
		...{ Connection: "Upgrade", Upgrade: "websocket" },
		...{ "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==" },
	};
	return new Promise((resolve, reject) => {
		httpRequest(new URL("/orders/feed", shop.url), { headers })
			.on("upgrade", (_, connection) => resolve(connection))
			.on("response", ({ statusCode }) => reject(new Error(`The feed was refused with ${statusCode}.`)))
			.on("error", reject)
			.end();
	});
}
