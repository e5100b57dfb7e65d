import { type IncomingMessage, request } from "node:http";
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { brotliCompressSync, constants, createBrotliCompress } from "node:zlib";
import { listen } from "../../tests/support/listen.ts";
import { issueCertificate } from "./certificate.ts";

/** The shop's content types that Cloudflare compresses:
 *  https://developers.cloudflare.com/speed/optimization/content/compression/ */
const compressible = /^(application\/json|image\/svg\+xml|text\/(css|html|javascript|plain|x-script))(;|$)/;

/** Cloudflare's compression level. The output is flushed after each chunk that the shop streams. */
const brotli = { flush: constants.BROTLI_OPERATION_FLUSH, params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

interface CachedFile {
	headers: Record<string, string | string[]>;
	body: Buffer;
}

/** Starts a proxy with the features of Cloudflare's edge that affect bytes and connections: HTTP/2, brotli, and a cache
 *  of public files. Chromium trusts its certificate if started with `trust`. */
export async function openEdge(shop: URL) {
	const cache = new Map<string, CachedFile>();

	async function handle(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
		const { url, method } = request;
		const file = method === "GET" && cache.get(url);
		if (file) {
			response.writeHead(200, file.headers).end(file.body);
			return;
		}
		const origin = await forward(request, new URL(url, shop));
		const { statusCode = 502 } = origin;
		const headers = listHeaders(origin);
		// the shop allows the frame of the card input at the origin of the proxy's request, which is HTTP
		const policy = headers["content-security-policy"];
		if (policy) headers["content-security-policy"] = String(policy).replaceAll("http://", "https://");
		const compresses = compressible.test(String(headers["content-type"])) && method !== "HEAD";
		if (compresses) {
			delete headers["content-length"];
			headers["content-encoding"] = "br";
		}
		if (method === "GET" && statusCode === 200 && String(headers["cache-control"]).includes("public")) {
			const bytes = await buffer(origin);
			const body = compresses ? brotliCompressSync(bytes, brotli) : bytes;
			cache.set(url, { headers, body });
			response.writeHead(200, headers).end(body);
			return;
		}
		response.writeHead(statusCode, headers);
		if (compresses) await pipeline(origin, createBrotliCompress(brotli), response);
		else await pipeline(origin, response);
	}

	const { key, cert, publicKeyHash } = issueCertificate("localhost");
	const trust = `--ignore-certificate-errors-spki-list=${publicKeyHash}`;
	const server = createSecureServer({ key, cert }, (request, response) => {
		// the browser may close the connection first
		handle(request, response).catch(() => response.destroy());
	});
	return { url: new URL(`https://localhost:${await listen(server)}`), trust, close: () => server.close() };
}

/** Forwards a request to the shop, and requests an uncompressed response. */
function forward(incoming: Http2ServerRequest, url: URL): Promise<IncomingMessage> {
	const own = Object.entries(incoming.headers).filter(([name]) => !name.startsWith(":"));
	const headers = { ...Object.fromEntries(own), host: incoming.authority, "accept-encoding": "identity" };
	return new Promise((resolve, reject) => {
		incoming.pipe(request(url, { method: incoming.method, headers }, resolve).on("error", reject));
	});
}

/** Returns the headers except those that apply only to HTTP/1 connections. */
function listHeaders({ headersDistinct }: IncomingMessage): CachedFile["headers"] {
	const { connection, "keep-alive": alive, "transfer-encoding": transfer, ...headers } = headersDistinct;
	return Object.fromEntries(
		Object.entries(headers).map(([name, values = []]) => [name, name === "set-cookie" ? values : values.join(", ")]),
	);
}
