import { createServer, type IncomingHttpHeaders } from "node:http";

interface Received {
	path: string;
	headers: IncomingHttpHeaders;
	body: string;
}

interface Answer {
	status: number;
	body: string;
	headers?: Record<string, string>;
}

/** An HTTP server that receives webhooks. */
export interface Receiver {
	url(path: string): string;
	/** Resolves to the next request. */
	next(): Promise<Received>;
	/** Returns and removes the requests received so far. */
	take(): Received[];
	/** Sets the responses; the default is 200. */
	respond(answer: (received: Received) => Answer): void;
	close(): void;
}

export async function openReceiver(): Promise<Receiver> {
	const received: Received[] = [];
	let answer = (_: Received): Answer => ({ status: 200, body: "" });
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		const { url: path = "", headers } = request;
		const one = { path, headers, body: Buffer.concat(chunks).toString() };
		received.push(one);
		server.emit("webhook", one);
		const { status, body, headers: own } = answer(one);
		response.writeHead(status, { Connection: "close", ...own }).end(body);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	const port = typeof address === "object" && address ? address.port : 0;
	return {
		url: (path) => `http://127.0.0.1:${port}${path}`,
		next: () => new Promise((resolve) => server.once("webhook", resolve)),
		take: () => received.splice(0),
		respond(next) {
			answer = next;
		},
		close: () => void server.close(),
	};
}
