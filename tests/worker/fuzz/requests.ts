import fc from "fast-check";
import { malformed, malformedHeader, malformedTarget, often, some, weighted } from "../../support/arbitraries.ts";
import { book } from "../../support/catalogue.ts";
import { mutated } from "../../support/mutated-request.ts";
import { type RawRequest, toBytes } from "../../support/raw-request.ts";

// Generates valid requests to the shop and mutates half of them, so that many requests pass the first checks.
// fixtures.ts replaces the <<placeholders>>.

type Pair = [name: string, value: string];
type PageRequest = Omit<RawRequest, "framing">;
const { constant, constantFrom, oneof, tuple } = fc;

const get = (target: string, headers: Pair[] = []): PageRequest => ({ method: "GET", target, headers, body: "" });
const post = (target: string, body = "", headers: Pair[] = []): PageRequest => ({
	...{ method: "POST", target, headers, body },
});

// --- payments

const payments = [
	...["payable", "placed", "placed by customer", "paid", "paid by customer", "settled", "canceled", "asking", "orphan"],
	...["foreign", "bystander"],
];
/** Includes the victim's payment id: unlike a client secret, it is on the receipt and so not secret. */
const paymentIds = constantFrom(...[...payments, "victim"].map((name) => `<<${name} id>>`));
const clientSecret = weighted(
	[5, constantFrom(...payments.map((name) => `<<${name}>>`))],
	[2, constantFrom("<<victim id>>_secret_<<payable tail>>", "<<victim guest id>>_secret_<<payable tail>>")],
	[
		2,
		oneof(
			constantFrom(...payments.map((name) => `<<${name} id>>_secret_<<payable tail>>`)),
			constantFrom("<<payable>>x", "<<payable>>\n", "<<payable id>>", "pi_../x_secret_y", "pi_1_secret_1"),
			constantFrom("<<payable>>?expand[]=customer", `pi_1_secret_${"a".repeat(300)}`),
			malformed,
		),
	],
);

// --- clients

const session = weighted(
	[3, constant("<<session>>")],
	[3, constantFrom("<<unknown session>>", "<<victim hash>>", "<<expired session>>")],
);
const guest = constantFrom("<<guest>>", "<<guest>>", "<<unknown guest>>", "<<victim guest hash>>");
const bookmark = constantFrom("00000000-00000001-00000002-00000000000000000000000000000000", "first-primary", "x");
const sessionName = constantFrom("__Host-session", "__Host-session", "session", "__host-session");
const cookie = oneof(
	tuple(sessionName, often(session, malformedHeader)),
	tuple(constant("__Host-guest"), often(guest, malformedHeader)),
	tuple(constant("__Host-bookmark"), often(bookmark, malformedHeader)),
	tuple(malformedHeader, malformedHeader),
);
const cookieHeader = (cookies: Pair[]) => cookies.map(([name, value]) => `${name}=${value}`).join("; ");
const cookies = weighted(
	[3, constant("")],
	[5, constantFrom("__Host-session=<<session>>", "__Host-session=<<session>>; __Host-guest=<<guest>>")],
	[3, constant("__Host-guest=<<guest>>")],
	[3, some(cookie, 4).map(cookieHeader)],
	[1, cookie.map((one) => cookieHeader(Array.from({ length: 40 }, () => one)))],
	[1, malformedHeader],
);
const hextet = fc.integer({ min: 0, max: 0xffff }).map((number) => number.toString(16));
const network = constantFrom("192.0.2", "198.51.100", "203.0.113");
/** IP addresses from the ranges reserved for documentation. Two requests rarely share an address. */
const address = weighted(
	[4, tuple(hextet, hextet, hextet).map(([a, b, c]) => `2001:db8:${a}:${b}::${c}`)],
	[4, tuple(network, fc.integer({ min: 0, max: 255 })).map((parts) => parts.join("."))],
	[1, malformedHeader],
);

// --- pages

const routeId = constantFrom(
	"root",
	...["home", "orders", "login", "logout", "orders.feed", "not-found"].map((id) => `routes/${id}`),
);
const before = often(
	constantFrom("<<order key>>", "<<victim order key>>", "0-pi_0", "9999999999-pi_z"),
	malformedTarget,
);
const parameter = oneof(
	tuple(constant("_routes"), some(oneof(routeId, malformedTarget), 3).map(String)),
	tuple(constant("before"), before),
	tuple(constantFrom("index", "total", "customer", "__proto__", "_data"), malformedTarget),
	tuple(malformedTarget, malformedTarget),
);
const query = some(parameter, 2).map((fields) =>
	fields.length ? `?${fields.map(([name, value]) => `${name}=${value}`).join("&")}` : "",
);
const paths =
	"/ /login /checkout /payment /orders /orders /product/12321341 /product/90829332 /nowhere /healthz /sitemap.xml".split(
		" ",
	);
const unusualPaths = [
	..."/product/0 /product/__proto__ /product/%00 /product/% /product/..%2f.. /product/ /product/a/b".split(" "),
	..."// /// /..;/ /./ /.. //evil.test/login /\\evil.test /LOGIN /%6Cogin /login/ /login//".split(" "),
	..."/.env /.dev.vars /.git/config /wrangler.json /index.js.map /assets/ /favicon.ico /robots.txt".split(" "),
	..."/orders.data.data /.data /_.data /_root.data /orders/_.data /orders/feed.data /logout.data".split(" "),
	..."/%ff /%e2%80%ae /a%0d%0ab /a?b#c /# /? /orders%2f /orders;a=b /orders%00 /\xff\xe9".split(" "),
	..."/cdn-cgi/handler/scheduled /stripe/webhook/ /stripe-emulator /__manifest /__manifest.data".split(" "),
];
const path = often(
	constantFrom(...paths),
	oneof(
		constantFrom(...unusualPaths),
		malformedTarget.map((piece) => `/${piece}`),
	),
);
const page = tuple(path, query, constantFrom("", "", ".data")).map(([path, query, data]) =>
	get((path === "/" && data ? "/_" : path) + data + query),
);
const history = tuple(constantFrom("/orders", "/orders.data"), before).map(([path, before]) =>
	get(`${path}?before=${before}`),
);

// --- forms

const email = weighted(
	[1, constantFrom("<<customer email>>", "<<victim email>>", "<<new email>>")],
	[6, constantFrom("", "abc", "a@", "@b", "a b@c.d", "a@b@c", "a\u0000@b.c", `${"a".repeat(255)}@b.c`)],
	[4, malformed],
);
// mostly too short or too long, because hashing a valid password takes a tenth of a second
const password = oneof(constantFrom("", "short", "password", "x".repeat(129), "<<customer password>>"), malformed);
const intent = constantFrom("create-account", "create-account", "sign-in", "", "__proto__");
const fields = tuple(
	...([email, password, intent, some(tuple(malformed, malformed), 2), constantFrom(1, 1, 1, 1, 1, 2)] as const),
).map(([email, password, intent, others, copies]): Pair[] => [
	...Array.from({ length: copies }, (): Pair => ["email", email]),
	...([["password", password], ["intent", intent], ...others] satisfies Pair[]),
]);
const encodings: Record<string, (fields: Pair[]) => [type: string, body: string]> = {
	escaped: (fields) => [
		"application/x-www-form-urlencoded",
		`${new URLSearchParams(fields)}`.replaceAll(
			/%3C%3C(.*?)%3E%3E/g,
			(_, name: string) => `<<${name.replaceAll("+", " ")}>>`,
		),
	],
	raw: (fields) => ["application/x-www-form-urlencoded", fields.map((pair) => pair.join("=")).join("&")],
	multipart: (fields) => {
		const part = ([name, value]: Pair) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
		const parts = fields.map((field) => `--a-boundary\r\n${part(field)}`);
		return ["multipart/form-data; boundary=a-boundary", `${parts.join("")}--a-boundary--\r\n`];
	},
};
const encoding = constantFrom("escaped", "escaped", "escaped", "raw", "multipart");
const signIn = tuple(constantFrom("/login", "/login", "/login.data"), fields, encoding).map(
	([path, fields, encoding]) => {
		const [type = "", body] = encodings[encoding]?.(fields) ?? [];
		return post(path, body, [["Content-Type", type]]);
	},
);
const referrer = oneof(
	constantFrom("<<origin>>/orders", "<<origin>>//evil.test/x", "<<origin>>/%0d%0a", "<<origin>>/\\evil.test"),
	malformedHeader,
);
const signOut = tuple(constantFrom("/logout", "/logout.data"), referrer).map(([path, referrer]) =>
	post(path, "", [["Referer", referrer]]),
);

// --- JSON

const value = oneof(malformed, fc.jsonValue(), constantFrom(null, 1, -0, 1e308, [], {}));
const oftenValid = <T>(valid: fc.Arbitrary<T>) => often<unknown>(valid, value);
const postJson = (path: string, body: unknown, headers: Pair[] = [], type = "application/json") =>
	post(path, toBytes(JSON.stringify(body)), [["Content-Type", type], ...headers]);

const total = often(constantFrom(String(book.priceCents), "50", "99999999"), malformedTarget);
const previous = clientSecret.map((secret): Pair => ["previous-client-secret", secret.replaceAll(/[\r\n\0]/g, "")]);
const create = tuple(total, fc.option(previous)).map(([total, previous]) =>
	post(`/payments/create?total=${total}`, "", previous ? [previous] : []),
);
const productIds = often<unknown>(
	constant([book.id]),
	oneof<fc.Arbitrary<unknown>[]>(
		constantFrom<unknown>(
			[],
			[book.id, book.id],
			["nope"],
			["__proto__"],
			Array.from({ length: 201 }, () => book.id),
			{ length: 1, 0: book.id },
		),
		some(oneof(constant(book.id), value), 4),
		value,
	),
);
const customer = weighted<unknown>(
	[5, constant("<<session customer>>")],
	[2, oneof(constantFrom<unknown>(null, "<<victim user>>", "<<customer>>"), value)],
);
const order = fc.record({ clientSecret: oftenValid(clientSecret), productIds, customer });
const place = tuple(fc.dictionary(malformed, value, { maxKeys: 1 }), order).map(([more, order]) =>
	postJson("/payments/place", { ...more, ...order }),
);
const fulfill = oftenValid(clientSecret).map((clientSecret) => postJson("/payments/fulfill", { clientSecret }));

const eventType = constantFrom(
	...["payment_intent.succeeded", "payment_intent.succeeded", "charge.refunded", "refund.updated", "refund.failed"],
	...["no.such.type", "constructor"],
);
const eventObject = oneof<fc.Arbitrary<unknown>[]>(
	fc.record({ id: often(paymentIds, malformed), metadata: oftenValid(constant({ shop: "half-dozen-local" })) }),
	fc.record({ id: malformed, payment_intent: oftenValid(paymentIds), amount: value }),
	value,
);
const event = fc.record({
	id: oftenValid(constant("evt_1")),
	object: oftenValid(constant("event")),
	created: oftenValid(constant(1_795_300_000)),
	type: oftenValid(eventType),
	data: oftenValid(fc.record({ object: eventObject })),
});
const signature = often(
	constant("<<signature>>"),
	oneof(constantFrom("<<old signature>>", "<<other signature>>", "t=1,v1=", "t=,v1=a,v1=b"), malformedHeader),
);
const webhook = tuple(oftenValid(event), signature).map(([event, signature]) =>
	postJson("/stripe/webhook", event, [["Stripe-Signature", signature]], "application/json; charset=utf-8"),
);

// --- all of them

const feedPath = often(
	constant("/orders/feed"),
	constantFrom("/orders/feed/", "/ORDERS/feed", "/orders/feed.data", "/orders"),
);
const feed = feedPath.map((path) =>
	get(path, [
		["Upgrade", "websocket"],
		["Connection", "Upgrade"],
		["Sec-WebSocket-Version", "13"],
		["Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="],
	]),
);
const pageRequest = weighted(
	[6, page],
	[2, history],
	[4, signIn],
	[1, signOut],
	[3, create],
	[4, place],
	[4, fulfill],
	[4, webhook],
	[2, feed],
);

const client = fc.record({
	cookies,
	address,
	accept: constantFrom("text/html", "application/json", "*/*"),
	sendsFetchMetadata: fc.boolean(),
});
/** A request as a browser sends it from one of the shop's pages. */
const browserRequest = tuple(pageRequest, client).map(
	([request, { cookies, address, accept, sendsFetchMetadata }]): RawRequest => {
		const headers: Pair[] = [
			["Host", "<<host>>"],
			["Accept", accept],
			["CF-Connecting-IP", address],
			["Origin", "<<origin>>"],
		];
		if (sendsFetchMetadata) headers.push(["Sec-Fetch-Site", "same-origin"]);
		if (cookies) headers.push(["Cookie", cookies]);
		return { ...request, headers: [...headers, ...request.headers], framing: "length" };
	},
);

export const anyRequest = mutated(browserRequest);
