import { connect } from "node:net";

/** A request as it stands on the wire, whether HTTP allows it or not. Each character of its texts is one byte. */
export interface RawRequest {
	method: string;
	target: string;
	headers: [string, string][];
	body: string;
	/** How the body's end is told: by its length, in chunks, or not at all. Or falsely: it breaks off, or goes on. */
	framing:
		| "length"
		| "chunks"
		| "nothing"
		| "length, breaks off"
		| "chunks, break off"
		| "length, goes on"
		| "length, stalls";
}

/** As much of a Response as `read` of answer.ts looks at. */
export interface RawAnswer {
	status: number;
	headers: [string, string][];
	text(): Promise<string>;
}

/** UTF-8 as a raw request has it. */
export const toBytes = (text: string) => Buffer.from(text).toString("latin1");

/** Sends a request just as it is: fetch would tidy its path and headers, or refuse it. Null when the connection ends
 *  without an answer. Rejects when nothing comes for a minute. */
export async function sendRaw({ hostname, port }: URL, request: RawRequest): Promise<RawAnswer | null> {
	const received: Buffer[] = [];
	await new Promise<void>((resolve, reject) => {
		const socket = connect(Number(port), hostname);
		socket.on("data", (data) => {
			received.push(data);
			// a WebSocket that has opened stays open
			if (received[0]?.toString("latin1").startsWith("HTTP/1.1 101")) socket.destroy();
		});
		// who is refused while still sending may see the connection break
		socket.on("error", () => undefined);
		socket.on("close", () => resolve());
		socket.setTimeout(60_000, () => {
			reject(new Error(`No answer to ${request.method} ${request.target} within a minute.`));
			socket.destroy();
		});
		if (request.framing === "length, stalls") socket.write(onTheWire(request), "latin1");
		// the end of the stream is also the end of a body
		else socket.end(onTheWire(request), "latin1");
	});
	return parse(Buffer.concat(received), request.method);
}

function onTheWire({ method, target, headers, body, framing }: RawRequest): string {
	const length = (bytes: number) => `Content-Length: ${bytes}\r\n`;
	const chunk = (text: string) => (text ? `${text.length.toString(16)}\r\n${text}\r\n` : "");
	const half = Math.ceil(body.length / 2);
	const chunks = chunk(body.slice(0, half)) + chunk(body.slice(half));
	const chunked = "Transfer-Encoding: chunked\r\n";
	const [told, sent] = {
		length: [body || method === "POST" ? length(body.length) : "", body],
		chunks: [chunked, `${chunks}0\r\n\r\n`],
		nothing: ["", body],
		"length, breaks off": [length(body.length + 10), body],
		"chunks, break off": [chunked, chunks],
		"length, goes on": [length(half), body],
		"length, stalls": [length(body.length + 10), body],
	}[framing];
	const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
	return `${method} ${target} HTTP/1.1\r\n${lines.join("")}${told}\r\n${sent}`;
}

/** The first answer of what may be several. */
function parse(received: Buffer, method: string): RawAnswer | null {
	const end = received.indexOf("\r\n\r\n");
	if (end === -1) return null;
	const [line = "", ...lines] = received.toString("latin1", 0, end).split("\r\n");
	const status = Number(line.split(" ")[1]);
	const headers = lines.map((text): [string, string] => {
		const [, name = "", value = ""] = /^([^:]+):\s*(.*)$/.exec(text) ?? [];
		return [name.toLowerCase(), value];
	});
	const header = (name: string) => headers.find(([given]) => given === name)?.[1];
	const rest = received.subarray(end + 4);
	const isEmpty = method === "HEAD" || status === 101 || status === 204 || status === 304;
	const whole =
		header("transfer-encoding") === "chunked"
			? unchunk(rest)
			: rest.subarray(0, Number(header("content-length") ?? rest.length));
	return { status, headers, text: async () => (isEmpty ? "" : whole.toString()) };
}

function unchunk(rest: Buffer): Buffer {
	const chunks: Buffer[] = [];
	for (let at = 0; at < rest.length; ) {
		const lineEnd = rest.indexOf("\r\n", at);
		const size = Number.parseInt(rest.toString("latin1", at, lineEnd), 16);
		if (!(size > 0)) break;
		chunks.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size));
		at = lineEnd + 2 + size + 2;
	}
	return Buffer.concat(chunks);
}
