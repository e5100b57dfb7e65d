import fc from "fast-check";
import { malformed, malformedHeader, weighted } from "./arbitraries.ts";
import type { RawRequest } from "./raw-request.ts";

type Headers = RawRequest["headers"];
type Mutation = (request: RawRequest) => Partial<RawRequest>;

/** Methods that workerd passes to a Worker. workerd handles CONNECT itself. */
const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "QUERY"];
const long = "x".repeat(5000);
const form = "application/x-www-form-urlencoded";
const multipart = "multipart/form-data";
const headerValues = new Map<string, string[]>([
	["Origin", ["null", "https://evil.test", "", "<<origin>>/", "<<origin>>, <<origin>>", "http://127.0.0.1:1"]],
	["Sec-Fetch-Site", ["cross-site", "same-site", "none", "SAME-ORIGIN", "same-origin, cross-site", ""]],
	["Content-Type", [form, "application/json", "text/plain", multipart, `${multipart}; boundary=x`, ""]],
	["Content-Encoding", ["gzip", "br", "x"]],
	["Accept", ["text/html", "application/json", "text/html;q=0", long]],
	["Accept-Language", ["de", "*", "en;q=2", long, "../../etc/passwd"]],
	["X-Forwarded-Host", ["evil.test"]],
	["X-Forwarded-Proto", ["https", "ftp"]],
	["X-Forwarded-For", ["127.0.0.1", "203.0.113.1, 127.0.0.1"]],
	["Forwarded", ["for=127.0.0.1;host=evil.test;proto=https"]],
	["X-Original-URL", ["/orders", "/stripe-emulator/state"]],
	["X-HTTP-Method-Override", ["POST", "DELETE"]],
	["CF-Connecting-IP", ["127.0.0.1", "", "::1", "1.2.3.4, 5.6.7.8"]],
	["CF-IPCountry", ["XX", "T1"]],
	["CF-Worker", ["half-dozen"]],
	["CF-Visitor", ['{"scheme":"https"}', "{"]],
	["Range", ["bytes=0-0", "bytes=-1", "lines=1-"]],
	["If-None-Match", ["*", '"x"', 'W/"x"']],
	["If-Modified-Since", ["Thu, 01 Jan 1970 00:00:00 GMT", "yesterday"]],
	["If-Match", ["*", "x"]],
	["Upgrade", ["websocket", "WebSocket", "h2c", ""]],
	["Sec-WebSocket-Protocol", ["a, b", ""]],
	["Sec-WebSocket-Extensions", ["permessage-deflate; client_max_window_bits=99"]],
	["User-Agent", ["Googlebot/2.1", "", long]],
	["Authorization", ["Bearer sk_x", "Basic Og=="]],
	["Expect", ["100-continue"]],
	["Host", ["evil.test", "LOCALHOST", "localhost.", "[::1]", "xn--e1afmkfd.test"]],
	["X-React-Router-Revalidate", ["yes"]],
	["Cookie", ["__Host-session=<<victim hash>>", "", ";;;==;"]],
	...["Stripe-Signature", "previous-client-secret", "Referer"].map((name): [string, string[]] => [name, []]),
]);
const headerNames = [...headerValues.keys()];
const header = fc
	.constantFrom(...headerNames)
	.chain((name) =>
		fc.tuple(fc.constant(name), fc.oneof(fc.constantFrom("", ...(headerValues.get(name) ?? [])), malformedHeader)),
	);
const isNamed =
	(name: string) =>
	([given]: [string, string]) =>
		given.toLowerCase() === name.toLowerCase();
const without = (headers: Headers, name: string) => headers.filter((given) => !isNamed(name)(given));

const respell = fc.constantFrom<(path: string) => string>(
	(path) => path.toUpperCase(),
	(path) => path.replace(/[./](?=\w*$)/, (mark) => (mark === "." ? "%2e" : "%2f")),
	(path) => path.replace(/\/(\w)/, (_, letter: string) => `/%${letter.charCodeAt(0).toString(16)}`),
	...["/", "/.", "/x/.."].map((prefix) => (path: string) => prefix + path),
	...["/", "%00", ".data", "#x", ";x"].map((suffix) => (path: string) => path + suffix),
);
/** A position as a fraction of the length. */
const position = fc.double({ min: 0, max: 1, noNaN: true });
const before = (text: string, at: number) => text.slice(0, Math.floor(text.length * at));
const insert = (text: string, at: number, piece: string) => text.replace(before(text, at), (start) => start + piece);
const bodies = ["a".repeat(1025), "a".repeat(16 * 1024 + 1), "a".repeat(300 * 1024), "[".repeat(7000)];
const framings = ["chunks", "nothing", "length, goes on", "length, breaks off", "chunks, break off"] as const;
/** Makes a request invalid, or one that workerd does not pass to the Worker. */
const invalid = fc.constantFrom<Mutation>(
	() => ({ method: "FOO" }),
	({ method }) => ({ method: method.toLowerCase() }),
	() => ({ method: "CONNECT" }),
	({ target }) => ({ target: `http://evil.test${target}` }),
	() => ({ target: "*" }),
	({ headers }) => ({ headers: without(headers, "Host") }),
	({ headers }) => ({ headers: [...headers, ["Host", "evil.test"]] }),
	({ headers }) => ({ headers: [...headers, ["Content-Length", "-1"]] }),
	({ headers }) => ({ headers: [...headers, ["X", "a\0b"]] }),
);

const mutation = weighted<Mutation>(
	[
		8,
		header.map((set) => ({ headers }) => ({ headers: [...without(headers, set[0]), set] })),
	],
	// workerd joins two Host headers into one invalid header
	[
		3,
		header
			.filter(([name]) => name !== "Host")
			.map((added) => ({ headers }) => ({ headers: [...headers, added] })),
	],
	[
		4,
		fc.constantFrom(...headerNames.filter((name) => name !== "Host")).map((name) => ({ headers }) => ({
			headers: without(headers, name),
		})),
	],
	[3, fc.constantFrom(...methods).map((method) => () => ({ method }))],
	[
		3,
		respell.map((respell) => ({ target }) => ({ target: target.replace(/^[^?]*/, respell) })),
	],
	[
		2,
		position.map((at) => ({ body }) => ({ body: before(body, at) })),
	],
	[
		2,
		fc.tuple(position, malformed).map(([at, piece]) => ({ body }) => ({ body: insert(body, at, piece) })),
	],
	[2, fc.oneof(malformed, fc.constantFrom(...bodies)).map((body) => () => ({ body }))],
	[2, fc.constantFrom(...framings).map((framing) => () => ({ framing }))],
	[1, invalid],
);

/** Leaves half of the requests valid and applies one to three mutations to the others. */
export const mutated = (valid: fc.Arbitrary<RawRequest>) =>
	fc
		.tuple(valid, fc.oneof(fc.constant([]), fc.array(mutation, { minLength: 1, maxLength: 3 })))
		.map(([request, mutations]) => mutations.reduce(apply, request));

const apply = (request: RawRequest, mutate: Mutation): RawRequest => ({ ...request, ...mutate(request) });

/** Returns whether workerd may respond without calling the Worker. In production, Cloudflare's servers respond to such
 *  requests. */
export function isForWorkerd({ method, target, headers }: RawRequest): boolean {
	const hosts = headers.filter(isNamed("Host")).map(([, host]) => host);
	return (
		!methods.includes(method) ||
		// the Worker sees every WebSocket request as a GET
		(method !== "GET" && headers.some(isNamed("Upgrade"))) ||
		!target.startsWith("/") ||
		hosts.length !== 1 ||
		!hosts.every(isHost) ||
		headers.flat().join().length > 64 * 1024 ||
		headers.some(([name, value]) => isNamed("Content-Length")([name, value]) || value.includes("\0"))
	);
}

function isHost(host: string): boolean {
	if (host === "<<host>>") return true;
	return /^([a-z\d.-]+|\[[\d:]+\])(:\d+)?$/i.test(host) && URL.canParse(`http://${host}`);
}
