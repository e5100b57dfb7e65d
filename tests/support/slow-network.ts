import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import { listen } from "./listen.ts";
import type { Shop } from "./shop.ts";

/** Bytes of a page that come at once, and the milliseconds to the next of them, in which a browser paints. */
const piece = { bytes: 600, milliseconds: 40 };

/** The shop behind a network that brings a page in pieces, and its last bytes, if some are held back, when it is told. */
export async function openSlowNetwork(shop: Shop, { heldBack = 0 } = {}) {
	const { promise: released, resolve: release } = Promise.withResolvers<void>();

	const server = createServer(async (asked, answered) => {
		const { accept = "*/*" } = asked.headers;
		const answer = await shop.fetch(asked.url ?? "/", { headers: { accept, "accept-encoding": "identity" } });
		answered.writeHead(answer.status, Object.fromEntries(answer.headers));
		const bytes = await answer.bytes();
		if (!answer.headers.get("Content-Type")?.startsWith("text/html")) return answered.end(bytes);
		const end = bytes.length - heldBack;
		for (let start = 0; start < end; start += piece.bytes) {
			answered.write(bytes.subarray(start, Math.min(start + piece.bytes, end)));
			await setTimeout(piece.milliseconds);
		}
		if (heldBack > 0) await released;
		answered.end(bytes.subarray(end));
	});
	const url = new URL(`http://localhost:${await listen(server)}`);
	return { url, release, [Symbol.asyncDispose]: async () => void server.close() };
}
