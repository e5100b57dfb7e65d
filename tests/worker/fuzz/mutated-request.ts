import fc from "fast-check";
import { sessionCookieName } from "#app/auth/sessions.server.ts";
import type { RawRequest } from "../../support/raw-request.ts";
import { malformed, malformedHeader, weighted } from "./arbitraries.ts";

type Mutation = (request: RawRequest) => Partial<RawRequest>;

/** Methods that workerd passes to a Worker. workerd handles CONNECT itself. */
const methods = "GET HEAD POST PUT DELETE PATCH OPTIONS TRACE PROPFIND QUERY".split(" ");
const long = "x".repeat(5000);
const headerLines = [
	...["Origin: null", "Origin: https://evil.test", "Origin: ", "Origin: <<origin>>/", "Origin: <<origin>>, <<origin>>"],
	...["Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: SAME-ORIGIN", "Sec-Fetch-Site: ", "Referer: https://evil.test"],
	...["Content-Type: application/x-www-form-urlencoded", "Content-Type: application/json", "Content-Type: text/plain"],
	...["Content-Type: multipart/form-data", "Content-Type: ", "Content-Encoding: gzip", "Expect: 100-continue"],
	...["Accept: text/html", "Accept: application/json", `Accept: ${long}`, `Accept-Language: ${long}`],
	...["Accept-Language: en;q=2", "X-Forwarded-Host: evil.test", "X-HTTP-Method-Override: POST", "Range: bytes=0-0"],
	...["CF-Connecting-IP: 127.0.0.1", "CF-Connecting-IP: ", "CF-Connecting-IP: 1.2.3.4, ::1", "CF-Visitor: {"],
	...['CF-Visitor: {"scheme":"https"}', 'If-None-Match: W/"x"', "Upgrade: websocket", "Upgrade: h2c"],
	...["Authorization: Bearer sk_x", "Host: evil.test", "Host: LOCALHOST", "Host: [::1]", "Host: xn--e1afmkfd.test"],
	...[`Cookie: ${sessionCookieName}=<<victim hash>>`, "Cookie: ;;;==;"],
	...["Stripe-Signature: ", "previous-client-secret: "],
];
const headerName = fc.constantFrom(
	...headerLines.map((line) => line.replace(/:.*/, "")).filter((name) => name !== "Host"),
);
const header = fc.oneof(
	fc.constantFrom(...headerLines).map((line): [string, string] => [line.replace(/:.*/, ""), line.replace(/.*?: /, "")]),
	fc.tuple(headerName, malformedHeader),
);
const isNamed =
	(name: string) =>
	([given]: [string, string]) =>
		given.toLowerCase() === name.toLowerCase();
const without = (headers: RawRequest["headers"], name: string) => headers.filter((given) => !isNamed(name)(given));

const respell = fc.constantFrom<(path: string) => string>(
	(path) => path.toUpperCase(),
	(path) => path.replace(/(?<!^)[./](?=\w*$)/, (mark) => (mark === "." ? "%2e" : "%2f")),
	...["/", "/.", "/x/.."].map((prefix) => (path: string) => prefix + path),
	...["/", "%00", ".data", "#x", ";x"].map((suffix) => (path: string) => path + suffix),
);
const bodies = ["a".repeat(1025), "a".repeat(16 * 1024 + 1), "a".repeat(300 * 1024), "[".repeat(7000)];
const framings = ["chunks", "nothing", "length, goes on", "length, breaks off", "chunks, break off"] as const;
type Change<T> = (value: T, request: RawRequest) => Partial<RawRequest>;

function change<T>(weight: number, values: fc.Arbitrary<T>, mutate: Change<T>): [number, fc.Arbitrary<Mutation>] {
	return [weight, values.map((value) => (request: RawRequest) => mutate(value, request))];
}

const mutation = weighted<Mutation>(
	change(8, header, (set, { headers }) => ({ headers: [...without(headers, set[0]), set] })),
	// workerd joins two Host headers into one invalid header
	change(3, header, (added, { headers }) => ({ headers: added[0] === "Host" ? headers : [...headers, added] })),
	change(4, headerName, (name, { headers }) => ({ headers: without(headers, name) })),
	change(3, fc.constantFrom(...methods), (method) => ({ method })),
	change(3, respell, (respell, { target }) => ({ target: target.replace(/^[^?]*/, respell) })),
	change(2, fc.tuple(fc.nat(), malformed), ([at, piece], { body }) => ({
		body: body.slice(0, at % (body.length + 1)) + piece,
	})),
	change(2, fc.oneof(malformed, fc.constantFrom(...bodies)), (body) => ({ body })),
	change(2, fc.constantFrom(...framings), (framing) => ({ framing })),
);

/** Leaves half of the requests valid and applies one to three mutations to the others. */
export const mutated = (valid: fc.Arbitrary<RawRequest>) =>
	fc
		.tuple(valid, fc.oneof(fc.constant([]), fc.array(mutation, { minLength: 1, maxLength: 3 })))
		.map(([request, mutations]) => mutations.reduce(apply, request));

const apply = (request: RawRequest, mutate: Mutation): RawRequest => ({ ...request, ...mutate(request) });

/** Returns whether a response may come from workerd, which rejects WebSocket requests other than GET, or from Miniflare,
 *  which rejects a foreign Host or Origin for /cdn-cgi/, instead of the Worker. */
export const isForRuntime = ({ method, headers, target }: RawRequest) =>
	(method !== "GET" && headers.some(isNamed("Upgrade"))) || target.includes("/cdn-cgi/");
