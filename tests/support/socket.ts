import { request as httpRequest } from "node:http";
import type { Duplex } from "node:stream";
import { fetch, type Response, type WebSocket } from "miniflare";
import type { Shop } from "./shop.ts";
import type { Visitor } from "./visitor.ts";

/** Asks for a WebSocket over HTTP, with these headers besides those that every browser sends for one. Answers with it,
 *  or with the refusal: Node's own fetch does neither. */
export function upgrade({ url }: Shop, headers: Record<string, string>, path = "/orders/feed"): Promise<Response> {
	return fetch(new URL(path, url), { headers: { ...headers, Upgrade: "websocket" } });
}

/** What a browser says for `new WebSocket(…)` in a page of the shop. */
export function ofOwnPage({ url }: Shop, visitor: Visitor): { Origin: string; Cookie?: string } {
	const session = visitor.cookie("__Host-session");
	return { Origin: url.origin, ...(session && { Cookie: `__Host-session=${session}` }) };
}

/** The feed in an open page of a customer's. */
export class OpenFeed {
	readonly #socket: WebSocket;
	readonly #heard: unknown[] = [];
	#answered = () => {};
	/** Resolves with the code when the shop closes it, or the page did. */
	readonly closed: Promise<number>;

	constructor(socket: WebSocket) {
		this.#socket = socket;
		this.closed = new Promise((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)));
		socket.addEventListener("message", ({ data }) => {
			if (data === "pong") this.#answered();
			else this.#heard.push(data);
		});
		socket.accept();
	}

	/** What the shop has said so far. It is all of it: messages come in their order, and the answer to a ping after them.
	 *  Rejects when the feed is closed. */
	async heard(): Promise<unknown[]> {
		const answered = new Promise<void>((resolve) => {
			this.#answered = resolve;
		});
		this.#socket.send("ping");
		const code = await Promise.race([answered, this.closed]);
		if (code !== undefined) throw new Error(`The feed was closed with ${code}.`);
		return this.#heard;
	}

	/** Resolves with the next message of the shop's. */
	next(): Promise<unknown> {
		return new Promise((resolve) => {
			this.#socket.addEventListener("message", ({ data }) => resolve(data), { once: true });
		});
	}

	say(message: string | Uint8Array<ArrayBuffer>): void {
		this.#socket.send(message);
	}

	/** The page is left. Resolves with the code of the shop's goodbye. */
	leave(): Promise<number> {
		this.#socket.close(1000);
		return this.closed;
	}
}

/** Opens the feed as a page does that this visitor has just loaded. Rejects when the shop refuses. */
export async function openFeed(shop: Shop, visitor: Visitor, path?: string): Promise<OpenFeed> {
	const { status, webSocket } = await upgrade(shop, ofOwnPage(shop, visitor), path);
	if (!webSocket) throw new Error(`The feed was refused with ${status}.`);
	const feed = new OpenFeed(webSocket);
	// workerd ends the connection of a socket that has never said a word ten seconds after closing it
	await feed.heard();
	return feed;
}

/** Opens the feed as a page does whose machine falls asleep at once: it answers nothing any more, not even a goodbye.
 *  Resolves with its connection. */
export function openSleepingFeed(shop: Shop, visitor: Visitor): Promise<Duplex> {
	const headers = {
		...ofOwnPage(shop, visitor),
		Connection: "Upgrade",
		Upgrade: "websocket",
		"Sec-WebSocket-Version": "13",
		"Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
	};
	return new Promise((resolve, reject) => {
		httpRequest(new URL("/orders/feed", shop.url), { headers })
			.on("upgrade", (_, connection) => resolve(connection))
			.on("response", ({ statusCode }) => reject(new Error(`The feed was refused with ${statusCode}.`)))
			.on("error", reject)
			.end();
	});
}
