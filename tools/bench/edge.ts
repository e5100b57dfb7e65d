import { type IncomingMessage, request } from "node:http";
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { brotliCompressSync, constants, createBrotliCompress } from "node:zlib";
import { listen } from "../../tests/support/listen.ts";
import { issueCertificate } from "./certificate.ts";

/** Of all that Cloudflare compresses, what the shop sends:
 *  https://developers.cloudflare.com/speed/optimization/content/compression/ */
const compressible = new Set([
	"application/json",
	"image/svg+xml",
	"text/css",
	"text/html",
	"text/javascript",
	"text/plain",
	"text/x-script",
]);

/** As quick as Cloudflare's, and piece by piece as the shop sends a page. */
const brotli = { flush: constants.BROTLI_OPERATION_FLUSH, params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

interface Kept {
	headers: Record<string, string | string[]>;
	body: Buffer;
}

/** What stands before the shop in production, as far as bytes and connections go: HTTP/2, text in brotli, and a cache
 *  of public files. Every page is requested from the shop. A Chromium trusts the certificate when it is started with
 *  `publicKeyHash`. */
export async function openEdge(shop: URL) {
	const kept = new Map<string, Kept>();

	async function answer(asked: Http2ServerRequest, answered: Http2ServerResponse): Promise<void> {
		const { url, method } = asked;
		const file = method === "GET" && kept.get(url);
		if (file) {
			answered.writeHead(200, file.headers).end(file.body);
			return;
		}
		const from = await passOn(asked, new URL(url, shop));
		const { statusCode = 502 } = from;
		const headers = headersOf(from);
		const [type = ""] = String(headers["content-type"]).split(";");
		const compresses = compressible.has(type) && method !== "HEAD";
		if (compresses) {
			delete headers["content-length"];
			headers["content-encoding"] = "br";
		}
		if (method === "GET" && statusCode === 200 && String(headers["cache-control"]).includes("public")) {
			const bytes = await buffer(from);
			const body = compresses ? brotliCompressSync(bytes, brotli) : bytes;
			kept.set(url, { headers, body });
			answered.writeHead(200, headers).end(body);
			return;
		}
		answered.writeHead(statusCode, headers);
		if (compresses) await pipeline(from, createBrotliCompress(brotli), answered);
		else await pipeline(from, answered);
	}

	const { key, cert, publicKeyHash } = issueCertificate("localhost");
	const server = createSecureServer({ key, cert }, (asked, answered) => {
		// a browser that goes away ends what it has asked for
		answer(asked, answered).catch(() => answered.destroy());
	});
	return { url: new URL(`https://localhost:${await listen(server)}`), publicKeyHash, close: () => server.close() };
}

/** Asks the shop for what a browser has asked for, uncompressed. */
function passOn(asked: Http2ServerRequest, url: URL): Promise<IncomingMessage> {
	const own = Object.entries(asked.headers).filter(([name]) => !name.startsWith(":"));
	const headers = { ...Object.fromEntries(own), host: asked.authority, "accept-encoding": "identity" };
	return new Promise((resolve, reject) => {
		asked.pipe(request(url, { method: asked.method, headers }, resolve).on("error", reject));
	});
}

/** All but those that are about a connection, which HTTP/2 has none of. */
function headersOf({ headersDistinct }: IncomingMessage): Kept["headers"] {
	const { connection, "keep-alive": alive, "transfer-encoding": transfer, ...headers } = headersDistinct;
	return Object.fromEntries(
		Object.entries(headers).map(([name, values = []]) => [name, name === "set-cookie" ? values : values.join(", ")]),
	);
}
