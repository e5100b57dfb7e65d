import fc from "fast-check";
import { odd, oddInLine, oddInTarget, often, some } from "./odd.ts";
import { type RawRequest, toBytes } from "./raw-request.ts";

// Requests to the shop that begin as good ones and are then spoilt, so that many come far. What only an open shop can
// fill in stands in <<angle brackets>>: see cast.ts.

const payments = [
	...["payable", "placed", "placed by customer", "paid", "paid by customer", "settled", "canceled", "asking", "orphan"],
	...["foreign", "bystander"],
];
const secrets = fc.constantFrom(...payments.map((name) => `<<${name}>>`));
/** Nobody but the victim knows the victim's client secret; the id is on a receipt. */
const paymentIds = fc.constantFrom(...[...payments, "victim"].map((name) => `<<${name} id>>`));
const stolen = fc.constantFrom("<<victim id>>_secret_<<payable tail>>", "<<victim guest id>>_secret_<<payable tail>>");
const wrongSecrets = fc.oneof(
	fc.constantFrom(...payments.map((name) => `<<${name} id>>_secret_<<payable tail>>`)),
	fc.constantFrom("<<payable>>x", "<<payable>>\n", "<<payable id>>", "pi_../x_secret_y", "pi_1_secret_1"),
	fc.constantFrom("<<payable>>?expand[]=customer", `pi_1_secret_${"a".repeat(300)}`),
	odd,
);
const clientSecret = fc.oneof(
	{ weight: 5, arbitrary: secrets },
	{ weight: 2, arbitrary: stolen },
	{ weight: 2, arbitrary: wrongSecrets },
);

// --- who asks

const sessions = fc.constantFrom(
	"<<session>>",
	"<<session>>",
	"<<session>>",
	"<<session of nobody>>",
	"<<victim hash>>",
	"<<session over>>",
);
const guests = fc.constantFrom("<<guest>>", "<<guest>>", "<<guest of nobody>>", "<<victim guest hash>>");
const bookmarks = fc.constantFrom("00000000-00000001-00000002-00000000000000000000000000000000", "first-primary", "x");
const cookie = fc.oneof(
	fc.tuple(
		fc.constantFrom("__Host-session", "__Host-session", "session", "__host-session"),
		often(sessions, oddInLine),
	),
	fc.tuple(fc.constant("__Host-guest"), often(guests, oddInLine)),
	fc.tuple(fc.constant("__Host-bookmark"), often(bookmarks, oddInLine)),
	fc.tuple(oddInLine, oddInLine),
);
const inJar = (cookies: [string, string][]) => cookies.map(([name, value]) => `${name}=${value}`).join("; ");
const jar = fc.oneof(
	{ weight: 3, arbitrary: fc.constant("") },
	{
		weight: 5,
		arbitrary: fc.constantFrom("__Host-session=<<session>>", "__Host-session=<<session>>; __Host-guest=<<guest>>"),
	},
	{ weight: 3, arbitrary: fc.constant("__Host-guest=<<guest>>") },
	{ weight: 3, arbitrary: some(cookie, 4).map(inJar) },
	{ weight: 1, arbitrary: cookie.map((one) => inJar(Array.from({ length: 40 }, () => one))) },
	{ weight: 1, arbitrary: oddInLine },
);

const hextet = fc.integer({ min: 0, max: 0xffff }).map((number) => number.toString(16));
/** Of the ranges that are kept for documentation, so that hardly two requests come from one. */
const address = fc.oneof(
	{ weight: 4, arbitrary: fc.tuple(hextet, hextet, hextet).map(([a, b, c]) => `2001:db8:${a}:${b}::${c}`) },
	{
		weight: 4,
		arbitrary: fc
			.tuple(fc.constantFrom("192.0.2", "198.51.100", "203.0.113"), fc.integer({ min: 0, max: 255 }))
			.map(([net, host]) => `${net}.${host}`),
	},
	{ weight: 1, arbitrary: oddInLine },
);

// --- what for

interface Visit {
	method: string;
	path: string;
	query?: string;
	type?: string;
	body?: string;
	headers?: [string, string][];
}

const query = (fields: [string, string][]) =>
	fields.length ? `?${fields.map(([name, value]) => `${name}=${value}`).join("&")}` : "";
const routeIds = [
	"root",
	"routes/home",
	"routes/orders",
	"routes/login",
	"routes/logout",
	"routes/orders.feed",
	"routes/not-found",
];
const routes = some(fc.oneof(fc.constantFrom(...routeIds), oddInTarget), 3).map((ids) => ids.join(","));
const before = often(
	fc.constantFrom("<<order key>>", "<<victim order key>>", "0-pi_0", "9999999999-pi_z"),
	oddInTarget,
);
const parameter = fc.oneof(
	fc.tuple(fc.constant("_routes"), routes),
	fc.tuple(fc.constant("before"), before),
	fc.tuple(fc.constantFrom("index", "total", "customer", "__proto__", "_data"), oddInTarget),
	fc.tuple(oddInTarget, oddInTarget),
);
const pages = [
	"/",
	"/login",
	"/checkout",
	"/payment",
	"/orders",
	"/orders",
	"/product/12321341",
	"/product/90829332",
	"/nowhere",
	"/healthz",
];
const oddPaths = [
	...[
		"/product/0",
		"/product/__proto__",
		"/product/%00",
		"/product/%",
		"/product/..%2f..",
		"/product/",
		"/product/a/b",
	],
	...[
		"//",
		"///",
		"/..;/",
		"/./",
		"/..",
		"//evil.test/login",
		"/\\evil.test",
		"/LOGIN",
		"/%6Cogin",
		"/login/",
		"/login//",
	],
	...[
		"/.env",
		"/.dev.vars",
		"/.git/config",
		"/wrangler.json",
		"/index.js.map",
		"/assets/",
		"/favicon.ico",
		"/robots.txt",
	],
	...["/orders.data.data", "/.data", "/_.data", "/_root.data", "/orders/_.data", "/orders/feed.data", "/logout.data"],
	...["/%ff", "/%e2%80%ae", "/a%0d%0ab", "/a?b#c", "/#", "/?", "/orders%2f", "/orders;a=b", "/orders%00", "/\xff\xe9"],
	...["/cdn-cgi/handler/scheduled", "/stripe/webhook/", "/stripe-emulator", "/__manifest", "/__manifest.data"],
];
const oddPath = fc.oneof(
	fc.constantFrom(...oddPaths),
	oddInTarget.map((piece) => `/${piece}`),
);
const asks = fc.tuple(some(parameter, 2).map(query), fc.constantFrom("", "", ".data"));
const page = fc
	.tuple(often(fc.constantFrom(...pages), oddPath), asks)
	.map(([path, [query, data]]): Visit => ({ method: "GET", path: (path === "/" && data ? "/_" : path) + data, query }));

const history = fc
	.tuple(before, fc.constantFrom("/orders", "/orders.data"))
	.map(([before, path]): Visit => ({ method: "GET", path, query: `?before=${before}` }));

const formType = "application/x-www-form-urlencoded";
const email = fc.oneof(
	{ weight: 1, arbitrary: fc.constantFrom("<<customer email>>", "<<victim email>>", "<<new email>>") },
	{
		weight: 6,
		arbitrary: fc.constantFrom("", "abc", "a@", "@b", "a b@c.d", "a@b@c", "a\u0000@b.c", `${"a".repeat(255)}@b.c`),
	},
	{ weight: 4, arbitrary: odd },
);
// a hash takes a tenth of a second
const password = fc.oneof(fc.constantFrom("", "short", "password", "x".repeat(129), "<<customer password>>"), odd);
const fields = fc
	.tuple(
		email,
		password,
		fc.constantFrom("create-account", "create-account", "sign-in", "", "__proto__"),
		some(fc.tuple(odd, odd), 2),
		often(fc.constant(false), fc.constant(true)),
	)
	.map(([email, password, intent, more, twice]): [string, string][] => [
		["email", email],
		...(twice ? [["email", email] satisfies [string, string]] : []),
		["password", password],
		["intent", intent],
		...more,
	]);
const boundary = "a-boundary";
const part = ([name, value]: [string, string]) =>
	`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const signIn = fc
	.tuple(
		fields,
		fc.constantFrom("form", "form", "form", "raw form", "multipart"),
		fc.constantFrom("/login", "/login", "/login.data"),
	)
	.map(([fields, how, path]): Visit => {
		const login = { method: "POST", path };
		if (how === "multipart") {
			return {
				...login,
				type: `multipart/form-data; boundary=${boundary}`,
				body: `${fields.map(part).join("")}--${boundary}--\r\n`,
			};
		}
		const plain = fields.map(([name, value]) => `${name}=${value}`).join("&");
		const escaped = new URLSearchParams(fields)
			.toString()
			.replaceAll(/%3C%3C(.*?)%3E%3E/g, (_, name: string) => `<<${name.replaceAll("+", " ")}>>`);
		return { ...login, type: formType, body: how === "form" ? escaped : plain };
	});
const referrer = fc.oneof(
	fc.constantFrom("<<origin>>/orders", "<<origin>>//evil.test/x", "<<origin>>/%0d%0a", "<<origin>>/\\evil.test"),
	oddInLine,
);
const signOut = fc
	.tuple(fc.constantFrom("/logout", "/logout.data"), referrer)
	.map(([path, from]): Visit => ({ method: "POST", path, headers: [["Referer", from]] }));

const total = often(fc.constantFrom("1196", "1196", "50", "99999999"), oddInTarget);
const create = fc.tuple(total, fc.option(clientSecret.map((secret) => secret.replaceAll(/[\r\n\0]/g, "")))).map(
	([total, previous]): Visit => ({
		method: "POST",
		path: "/payments/create",
		query: `?total=${total}`,
		headers: previous === null ? [] : [["previous-client-secret", previous]],
	}),
);

const json = (value: unknown) => toBytes(JSON.stringify(value));
const value = fc.oneof(odd, fc.jsonValue(), fc.constantFrom(null, 1, -0, 1e308, [], {}));
const book = ["12321341"];
const productIds = often<unknown>(
	fc.constant(book),
	fc.oneof<fc.Arbitrary<unknown>[]>(
		fc.constantFrom(
			[],
			[...book, ...book],
			["nope"],
			["__proto__"],
			Array.from({ length: 201 }, () => book[0]),
			{ length: 1, 0: book[0] },
		),
		some(fc.oneof(fc.constant(book[0]), value), 4),
		value,
	),
);
const whoAsks = fc.oneof(
	{ weight: 5, arbitrary: fc.constant("<<who asks>>") },
	{ weight: 2, arbitrary: fc.oneof(fc.constantFrom<unknown>(null, "<<victim user>>", "<<customer>>"), value) },
);
const place = fc
	.tuple(often<unknown>(clientSecret, value), productIds, whoAsks, fc.dictionary(odd, value, { maxKeys: 1 }))
	.map(
		([clientSecret, productIds, customer, more]): Visit => ({
			method: "POST",
			path: "/payments/place",
			type: "application/json",
			body: json({ ...more, clientSecret, productIds, customer }),
		}),
	);
const settle = often<unknown>(clientSecret, value).map(
	(clientSecret): Visit => ({
		method: "POST",
		path: "/payments/fulfill",
		type: "application/json",
		body: json({ clientSecret }),
	}),
);

const eventTypes = [
	"payment_intent.succeeded",
	"payment_intent.succeeded",
	"charge.refunded",
	"refund.updated",
	"refund.failed",
	"no.such.type",
	"constructor",
];
const eventObject = fc.oneof<fc.Arbitrary<unknown>[]>(
	fc.record({ id: often(paymentIds, odd), metadata: often<unknown>(fc.constant({ shop: "half-dozen-local" }), value) }),
	fc.record({ id: odd, payment_intent: often<unknown>(paymentIds, value), amount: value }),
	value,
);
const event = fc.record({
	id: often<unknown>(fc.constant("evt_1"), value),
	object: often<unknown>(fc.constant("event"), value),
	created: often<unknown>(fc.constant(1_795_300_000), value),
	type: often<unknown>(fc.constantFrom(...eventTypes), value),
	data: often<unknown>(fc.record({ object: eventObject }), value),
});
const signature = often(
	fc.constant("<<signature>>"),
	fc.oneof(fc.constantFrom("<<old signature>>", "<<other signature>>", "t=1,v1=", "t=,v1=a,v1=b"), oddInLine),
);
const webhook = fc.tuple(often<unknown>(event, value), signature).map(
	([event, signature]): Visit => ({
		method: "POST",
		path: "/stripe/webhook",
		type: "application/json; charset=utf-8",
		headers: [["Stripe-Signature", signature]],
		body: json(event),
	}),
);

const socketHeaders: [string, string][] = [
	["Upgrade", "websocket"],
	["Connection", "Upgrade"],
	["Sec-WebSocket-Version", "13"],
	["Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="],
];
const feed = often(
	fc.constant("/orders/feed"),
	fc.constantFrom("/orders/feed/", "/ORDERS/feed", "/orders/feed.data", "/orders"),
).map((path): Visit => ({ method: "GET", path, headers: socketHeaders }));

const visit = fc.oneof(
	{ weight: 6, arbitrary: page },
	{ weight: 2, arbitrary: history },
	{ weight: 4, arbitrary: signIn },
	{ weight: 1, arbitrary: signOut },
	{ weight: 3, arbitrary: create },
	{ weight: 4, arbitrary: place },
	{ weight: 4, arbitrary: settle },
	{ weight: 4, arbitrary: webhook },
	{ weight: 2, arbitrary: feed },
);

/** As a browser asks, in a page of the shop's own. */
const fromBrowser = fc
	.tuple(visit, jar, address, fc.constantFrom("text/html", "application/json", "*/*"), fc.boolean())
	.map(
		([
			{ method, path, query = "", type, body = "", headers = [] },
			cookies,
			address,
			accept,
			isRecent,
		]): RawRequest => ({
			method,
			target: path + query,
			headers: [
				["Host", "<<host>>"],
				["Accept", accept],
				["CF-Connecting-IP", address],
				["Origin", "<<origin>>"],
				...(isRecent ? [["Sec-Fetch-Site", "same-origin"] satisfies [string, string]] : []),
				...(cookies ? [["Cookie", cookies] satisfies [string, string]] : []),
				...(type ? [["Content-Type", type] satisfies [string, string]] : []),
				...headers,
			],
			body,
			framing: "length",
		}),
	);

// --- how it is spoilt

type Spoil = (request: RawRequest) => RawRequest;

/** Those that workerd knows, TRACE among them, but for CONNECT: there the Worker is not asked. */
const methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "QUERY"];
const headerValues = new Map<string, string[]>([
	["Origin", ["null", "https://evil.test", "", "<<origin>>/", "<<origin>>, <<origin>>", "http://127.0.0.1:1"]],
	["Sec-Fetch-Site", ["cross-site", "same-site", "none", "SAME-ORIGIN", "same-origin, cross-site", ""]],
	[
		"Content-Type",
		[formType, "application/json", "text/plain", "multipart/form-data", "multipart/form-data; boundary=x", ""],
	],
	["Content-Encoding", ["gzip", "br", "x"]],
	["Accept", ["text/html", "application/json", "text/html;q=0", "x".repeat(5000)]],
	["Accept-Language", ["de", "*", "en;q=2", "x".repeat(5000), "../../etc/passwd"]],
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
	["User-Agent", ["Googlebot/2.1", "", "x".repeat(5000)]],
	["Authorization", ["Bearer sk_x", "Basic Og=="]],
	["Expect", ["100-continue"]],
	["Host", ["evil.test", "LOCALHOST", "localhost.", "[::1]", "xn--e1afmkfd.test"]],
	["X-React-Router-Revalidate", ["yes"]],
	["Cookie", ["__Host-session=<<victim hash>>", "", ";;;==;"]],
]);
const headerNames = [...headerValues.keys(), "Stripe-Signature", "previous-client-secret", "Referer"];
const header = fc
	.constantFrom(...headerNames)
	.chain((name) =>
		fc.tuple(fc.constant(name), fc.oneof(fc.constantFrom("", ...(headerValues.get(name) ?? [])), oddInLine)),
	);
const isNamed =
	(name: string) =>
	([given]: [string, string]) =>
		given.toLowerCase() === name.toLowerCase();
/** The one header that a request cannot be without. */
const droppable = headerNames.filter((name) => name !== "Host");

const setHeader = header.map(
	([name, value]): Spoil =>
		(request) => ({
			...request,
			headers: [...request.headers.filter((given) => !isNamed(name)(given)), [name, value]],
		}),
);
const doubleHeader = header
	// of two hosts workerd makes one that is none
	.filter(([name]) => name !== "Host")
	.map(
		([name, value]): Spoil =>
			(request) => ({ ...request, headers: [...request.headers, [name, value]] }),
	);
const dropHeader = fc.constantFrom(...droppable).map(
	(name): Spoil =>
		(request) => ({
			...request,
			headers: request.headers.filter((given) => !isNamed(name)(given)),
		}),
);
const setMethod = fc.constantFrom(...methods).map(
	(method): Spoil =>
		(request) => ({ ...request, method }),
);
const respellPath = fc.constantFrom<(path: string) => string>(
	(path) => path.toUpperCase(),
	(path) => path.replace(/[./](?=\w*$)/, (mark) => (mark === "." ? "%2e" : "%2f")),
	(path) => `${path}/`,
	(path) => `/${path}`,
	(path) => `/.${path}`,
	(path) => `/x/..${path}`,
	(path) => path.replace(/\/(\w)/, (_, letter: string) => `/%${letter.charCodeAt(0).toString(16)}`),
	(path) => `${path}%00`,
	(path) => `${path}.data`,
	(path) => `${path}#x`,
	(path) => `${path};x`,
);
const setPath = respellPath.map(
	(respell): Spoil =>
		(request) => {
			const [path = "", ...rest] = request.target.split(/(?=\?)/);
			return { ...request, target: respell(path) + rest.join("") };
		},
);
const at = fc.double({ min: 0, max: 1, noNaN: true });
const cutBody = at.map(
	(part): Spoil =>
		(request) => ({ ...request, body: request.body.slice(0, Math.floor(request.body.length * part)) }),
);
const intoBody = fc.tuple(at, odd).map(
	([part, piece]): Spoil =>
		(request) => {
			const index = Math.floor(request.body.length * part);
			return { ...request, body: request.body.slice(0, index) + piece + request.body.slice(index) };
		},
);
const setBody = fc
	.oneof(
		odd,
		fc.constantFrom("a".repeat(1025), "a".repeat(16 * 1024 + 1), "a".repeat(300 * 1024), `${"[".repeat(7000)}`),
	)
	.map(
		(body): Spoil =>
			(request) => ({ ...request, body }),
	);
const setFraming = fc
	.constantFrom<RawRequest["framing"]>(
		"chunks",
		"nothing",
		"length, goes on",
		"length, breaks off",
		"chunks, break off",
	)
	.map(
		(framing): Spoil =>
			(request) => ({
				...request,
				framing,
			}),
	);
/** What is no HTTP, or none that workerd passes on. */
const noHttp = fc.constantFrom<Spoil>(
	(request) => ({ ...request, method: "FOO" }),
	(request) => ({ ...request, method: request.method.toLowerCase() }),
	(request) => ({ ...request, method: "CONNECT" }),
	(request) => ({ ...request, target: `http://evil.test${request.target}` }),
	(request) => ({ ...request, target: "*" }),
	(request) => ({ ...request, headers: request.headers.filter((given) => !isNamed("Host")(given)) }),
	(request) => ({ ...request, headers: [...request.headers, ["Host", "evil.test"]] }),
	(request) => ({ ...request, headers: [...request.headers, ["Content-Length", "-1"]] }),
	(request) => ({ ...request, headers: [...request.headers, ["X", "a\0b"]] }),
);

const spoil = fc.oneof(
	{ weight: 8, arbitrary: setHeader },
	{ weight: 3, arbitrary: doubleHeader },
	{ weight: 4, arbitrary: dropHeader },
	{ weight: 3, arbitrary: setMethod },
	{ weight: 3, arbitrary: setPath },
	{ weight: 2, arbitrary: cutBody },
	{ weight: 2, arbitrary: intoBody },
	{ weight: 2, arbitrary: setBody },
	{ weight: 2, arbitrary: setFraming },
	{ weight: 1, arbitrary: noHttp },
);

/** Half of these as they should be, the others spoilt in up to three ways. */
export const spoilt = (good: fc.Arbitrary<RawRequest>) =>
	fc
		.tuple(good, fc.oneof(fc.constant([]), fc.array(spoil, { minLength: 1, maxLength: 3 })))
		.map(([request, spoils]) => spoils.reduce((before, spoil) => spoil(before), request));

export const anyRequest = spoilt(fromBrowser);

/** Whether workerd may answer this itself, before any Worker is asked: in production Cloudflare's own servers do. */
export function isForWorkerd({ method, target, headers }: RawRequest): boolean {
	const hosts = headers.filter(isNamed("Host")).map(([, host]) => host);
	return (
		!methods.includes(method) ||
		// of every request for a WebSocket the Worker hears as a GET
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
