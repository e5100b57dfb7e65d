import fc from "fast-check";
import { sessionCookieName } from "#app/auth/sessions.server.ts";
import { bookmarkCookieName } from "#app/http/databases.server.ts";
import { book } from "../../support/catalogue.ts";
import { type RawRequest, toBytes } from "../../support/raw-request.ts";
import { shopId } from "../../support/shop.ts";
import { malformed, malformedHeader, malformedTarget, often, some, weighted } from "./arbitraries.ts";
import { mutated } from "./mutated-request.ts";

// Generates valid requests to the shop and mutates half of them, so that many requests pass the first checks.
// fixtures.ts replaces the <<placeholders>>.

type Pair = [name: string, value: string];
const { constant, constantFrom, oneof, tuple } = fc;

const get = (target: string, headers: Pair[] = []) => ({ method: "GET", target, headers, body: "" });
const post = (target: string, type: string, body: string, more: Pair[] = []) => {
	const headers: Pair[] = [["Content-Type", type], ...more];
	return { method: "POST", target, headers, body };
};
const value = oneof(malformed, fc.jsonValue(), constantFrom(null, 1, -0, 1e308, [], {}));
const oftenValid = <T>(valid: fc.Arbitrary<T>) => often<unknown>(valid, value);
const json = (path: string, body: unknown, headers: Pair[] = []) =>
	post(path, "application/json", toBytes(JSON.stringify(body)), headers);

const names = ["payable", "placed", "placed by customer", "paid", "orphan", "foreign"];
/** Includes the victim's payment id: unlike a client secret, it is on the receipt and so not secret. */
const paymentIds = constantFrom(...[...names, "victim", "victim guest"].map((name) => `<<${name} id>>`));
const clientSecret = weighted(
	[5, constantFrom(...names.map((name) => `<<${name}>>`))],
	[3, paymentIds.map((id) => `${id}_secret_<<payable tail>>`)],
	[1, oneof(constantFrom("<<payable>>x", "<<payable>>?expand[]=customer", "pi_../x_secret_y"), malformed)],
);

const paths = `/ /login /checkout /payment /orders /nowhere /healthz /product/${book.id}`.split(" ");
const unusualPaths = [
	..."/product/__proto__ /product/% // /..;/ //evil.test/login /\\evil.test /LOGIN /.dev.vars /.data /%ff".split(" "),
	..."/a%0d%0ab /orders%00 /\xff /cdn-cgi/handler/scheduled /stripe/webhook/ /stripe-emulators /__manifest".split(" "),
];
const orderKey = constantFrom("<<order key>>", "<<victim order key>>");
const parameter = oneof(
	orderKey.map((key) => `before=${key}`),
	tuple(constantFrom("_routes", "before", "index", "__proto__"), malformedTarget).map((pair) => pair.join("=")),
);
const path = often(constantFrom(...paths), constantFrom(...unusualPaths));
const page = tuple(path, constantFrom("", "", ".data"), some(parameter, 2)).map(([path, data, query]) =>
	get(`${path === "/" && data ? "/_" : path}${data}?${query.join("&")}`),
);
const handshake = { "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZQ==" };
const upgradeHeaders = Object.entries({ Upgrade: "websocket", Connection: "Upgrade", ...handshake });
const feed = constantFrom("/orders/feed", "/orders/feed/", "/orders").map((path) => get(path, upgradeHeaders));

const email = oneof(
	constantFrom("<<customer email>>", "<<victim email>>", "<<new email>>"),
	constantFrom("", "a@", "a b@c.d", "a\u0000@b.c", `${"a".repeat(255)}@b.c`),
	malformed,
);
const password = oneof(constantFrom("", "short", "x".repeat(129), "<<customer password>>"), malformed);
const intent = constantFrom("create-account", "sign-in", "__proto__");
const referrer = oneof(constantFrom("<<origin>>//evil.test/x", "<<origin>>/\\evil.test"), malformedHeader);
const formPath = constantFrom("/login", "/login", "/login.data", "/logout");
const signIn = tuple(formPath, email, password, intent, referrer).map(([path, email, password, intent, referrer]) => {
	const body = `email=${email}&password=${password}&intent=${intent}`;
	return post(path, "application/x-www-form-urlencoded", body, [["Referer", referrer]]);
});

const previous = clientSecret.map((secret): Pair => ["previous-client-secret", secret.replaceAll(/[\r\n\0]/g, "")]);
const total = often(constantFrom(String(book.priceCents), "50", "99999999"), malformedTarget);
const create = tuple(total, fc.option(previous)).map(([total, previous]) =>
	post(`/payments/create?total=${total}`, "text/plain", "", previous ? [previous] : []),
);
const productIds = often<unknown>(constant([book.id]), oneof(constantFrom([], ["nope"], [book.id, book.id]), value));
const customer = oftenValid(constantFrom("<<session customer>>", "<<session customer>>", "<<victim user>>", null));
const order = fc.record({ clientSecret: oftenValid(clientSecret), productIds, customer });
const place = order.map((order) => json("/payments/place", order));
const payment = fc.record({
	clientSecret: oftenValid(clientSecret),
	cancel: oftenValid(constantFrom(true, undefined)),
});
const polled = constantFrom("/payments/fulfill", "/payments/outcome");
const fulfill = tuple(polled, payment).map(([path, payment]) => json(path, payment));

const type = constantFrom("payment_intent.succeeded", "charge.refunded", "refund.updated", "constructor");
const metadata = oftenValid(constant({ shop: shopId }));
const object = fc.record({ id: often(paymentIds, malformed), payment_intent: oftenValid(paymentIds), metadata });
const event = fc.record({ type: oftenValid(type), data: oftenValid(fc.record({ object: oftenValid(object) })) });
const badSignature = oneof(constantFrom("t=1,v1=", "t=,v1=a"), malformedHeader);
const webhook = tuple(event, often(constant("<<signature>>"), badSignature)).map(([event, signature]) =>
	json("/stripe/webhook", { id: "evt_1", object: "event", ...event }, [["Stripe-Signature", signature]]),
);

const request = weighted([6, page], [5, signIn], [3, create], [4, place], [4, fulfill], [4, webhook], [2, feed]);
const session = constantFrom("session", "session", "unknown session", "victim hash", "expired session");
const guest = constantFrom("guest", "guest", "unknown guest", "victim guest hash");
const cookies = oneof(
	tuple(session, guest).map(([session, guest]) => `${sessionCookieName}=<<${session}>>; <<${guest}>>`),
	fc.array(guest, { minLength: 1, maxLength: 3 }).map((guests) => guests.map((guest) => `<<${guest}>>`).join("; ")),
	malformedHeader.map((text) => `${bookmarkCookieName}=${text}; ${text}=${text}`),
);
const hextet = fc.nat(0xffff).map((number) => number.toString(16));
/** Mostly IP addresses from a range reserved for documentation. Two requests rarely share an address. */
const network = tuple(hextet, hextet).map(([a, b]) => `2001:db8:${a}:${b}::1`);
const address = often(network, malformedHeader);
const accept = constantFrom("text/html", "application/json");
/** A request as a browser sends it from one of the shop's pages. */
const browserRequest = tuple(request, cookies, address, accept).map(
	([request, cookies, address, accept]): RawRequest => {
		const client = {
			...{ Host: "<<host>>", Accept: accept, "CF-Connecting-IP": address },
			...{ Origin: "<<origin>>", "Sec-Fetch-Site": "same-origin", Cookie: cookies },
		};
		return { ...request, headers: [...Object.entries(client), ...request.headers], framing: "length" };
	},
);

export const anyRequest = mutated(browserRequest);
