import { createServer } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { Shop } from "./shop.ts";

/** Bytes of a page that come at once, and the milliseconds to the next of them, in which a browser paints. */
const piece = { bytes: 600, milliseconds: 40 };

/** The shop behind a network that brings a page in pieces. */
export async function openSlowNetwork(shop: Shop) {
	const server = createServer(async (asked, answered) => {
		const { accept = "*/*" } = asked.headers;
		const answer = await shop.fetch(asked.url ?? "/", { headers: { accept, "accept-encoding": "identity" } });
		answered.writeHead(answer.status, Object.fromEntries(answer.headers));
		const bytes = await answer.bytes();
		const isPage = answer.headers.get("Content-Type")?.startsWith("text/html");
		for (let start = 0; isPage && start < bytes.length; start += piece.bytes) {
			answered.write(bytes.subarray(start, start + piece.bytes));
			await setTimeout(piece.milliseconds);
		}
		answered.end(isPage ? undefined : bytes);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	if (typeof address !== "object" || address === null) throw new Error("The network listens on a port.");
	return { url: new URL(`http://localhost:${address.port}`), [Symbol.asyncDispose]: async () => void server.close() };
}
