import { connect } from "node:net";

/** An HTTP request before serialization, valid or not. Each character in its strings represents one byte. */
export interface RawRequest {
	method: string;
	target: string;
	headers: [string, string][];
	body: string;
	/** How the end of the body is marked: correctly, not at all, too early or too late. */
	framing: keyof ReturnType<typeof framings>;
}

interface RawResponse {
	status: number;
	headers: [string, string][];
	text(): Promise<string>;
}

/** Encodes text as UTF-8, with one character per byte. */
export const toBytes = (text: string) => Buffer.from(text).toString("latin1");

/** Sends a request unchanged; fetch would normalize or reject it. By default, it is a GET of the home page. Rejects if
 *  the connection closes without a response, or after a minute without activity. */
export async function sendRaw({ host, hostname, port }: URL, changes: Partial<RawRequest>): Promise<RawResponse> {
	const home: RawRequest = { method: "GET", target: "/", headers: [["Host", host]], body: "", framing: "length" };
	const request = { ...home, ...changes };
	const received: Buffer[] = [];
	await new Promise<void>((resolve, reject) => {
		const socket = connect(Number(port), hostname);
		socket.on("data", (data) => {
			received.push(data);
			// an accepted WebSocket would stay open
			if (received[0]?.toString("latin1").startsWith("HTTP/1.1 101")) socket.destroy();
		});
		// a response sent mid-upload can reset the connection
		socket.on("error", () => undefined);
		socket.on("close", () => resolve());
		socket.setTimeout(60_000, () => {
			reject(new Error(`No response to ${request.method} ${request.target} within a minute.`));
			socket.destroy();
		});
		const lines = request.headers.map(([name, value]) => `${name}: ${value}\r\n`);
		const end = framings(request)[request.framing];
		const text = `${request.method} ${request.target} HTTP/1.1\r\n${lines.join("")}${end}`;
		if (request.framing === "length, stalls") socket.write(text, "latin1");
		// the end of the stream also ends the body
		else socket.end(text, "latin1");
	});
	return parse(Buffer.concat(received), request.method);
}

/** Returns the last header and the body, by framing. */
function framings({ method, body }: { method: string; body: string }) {
	const length = (bytes: number) => `Content-Length: ${bytes}\r\n\r\n${body}`;
	const chunk = (text: string) => (text ? `${text.length.toString(16)}\r\n${text}\r\n` : "");
	const half = Math.ceil(body.length / 2);
	const chunks = `Transfer-Encoding: chunked\r\n\r\n${chunk(body.slice(0, half))}${chunk(body.slice(half))}`;
	return {
		length: body || method === "POST" ? length(body.length) : "\r\n",
		chunks: `${chunks}0\r\n\r\n`,
		nothing: `\r\n${body}`,
		"length, breaks off": length(body.length + 10),
		"chunks, break off": chunks,
		"length, goes on": length(half),
		"length, stalls": length(body.length + 10),
	};
}

/** Parses the first response. */
function parse(received: Buffer, method: string): RawResponse {
	const end = received.indexOf("\r\n\r\n");
	if (end === -1) throw new Error("The connection was closed without a response.");
	const [line = "", ...lines] = received.toString("latin1", 0, end).split("\r\n");
	const status = Number(line.split(" ")[1]);
	const headers = lines.map((text): [string, string] => {
		const [, name = "", value = ""] = /^([^:]+):\s*(.*)$/.exec(text) ?? [];
		return [name.toLowerCase(), value];
	});
	const { "transfer-encoding": coding, "content-length": length } = Object.fromEntries(headers);
	const rest = received.subarray(end + 4);
	const isEmpty = method === "HEAD" || status === 101 || status === 204 || status === 304;
	const body = coding === "chunked" ? unchunk(rest) : rest.subarray(0, Number(length ?? rest.length));
	return { status, headers, text: async () => (isEmpty ? "" : body.toString()) };
}

function unchunk(rest: Buffer): Buffer {
	const start = rest.indexOf("\r\n") + 2;
	const size = Number.parseInt(rest.toString("latin1", 0, start), 16);
	if (!(size > 0)) return Buffer.alloc(0);
	return Buffer.concat([rest.subarray(start, start + size), unchunk(rest.subarray(start + size + 2))]);
}
