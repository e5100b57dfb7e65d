import fc from "fast-check";
import { PUBLISHABLE_KEY, SECRET_KEY } from "stripe-emulator/keys.ts";
import { malformed, malformedHeader, malformedTarget, often, some } from "../../support/arbitraries.ts";
import { mutated } from "../../support/mutated-request.ts";
import { type RawRequest, toBytes } from "../../support/raw-request.ts";

// Generates valid requests to the Stripe emulator and mutations of them. For each request, emulator-fuzz.test.ts
// creates new objects and replaces the <<placeholders>>.

/** The states of an intent. */
export const states = ["new", "ready", "asking", "declined", "paid", "refunded", "canceled"];
const intents = often(fc.constantFrom(...states.map((name) => `<<${name}>>`)), malformedTarget);

type Fields = [string, string][];
/** Generates a subset of these fields. */
const subset = (...fields: Fields) => fc.subarray(fields);
const restOfCard: Fields = [
	["payment_method_data[card][exp_month]", "12"],
	["payment_method_data[card][exp_year]", "2040"],
	["payment_method_data[card][cvc]", "123"],
];
const card = fc
	.tuple(
		fc.constantFrom("4242424242424242", "4000000000000002", "4000002760003184", "4242424242424241", "1", ""),
		often(fc.constant(restOfCard), subset(...restOfCard)),
	)
	.map(
		([number, rest]): Fields => [
			["payment_method_data[type]", "card"],
			["payment_method_data[card][number]", number],
			...rest,
		],
	);
const method = fc.oneof(
	fc
		.constantFrom("pm_card_visa", "pm_card_visa_chargeDeclined", "pm_card_authenticationRequired", "pm_1")
		.map((id): Fields => [["payment_method", id]]),
	card,
);
const details = subset(
	["description", "a book"],
	["receipt_email", "ada@example.com"],
	["metadata[order]", "1"],
	["metadata", ""],
	["amount", "1499"],
	["currency", "usd"],
);

/** Parameter names that are combined at random. */
const names = [
	...["amount", "confirm", "created", "currency", "description", "ending_before", "limit", "off_session", "outcome"],
	...["payment_intent", "payment_method", "reason", "receipt_email", "starting_after", "type", "metadata", "types"],
	...["shipping", "payment_method_data", "automatic_payment_methods", "allowed_payment_method_types"],
	...["key", "client_secret", "__proto__", "error_on_requires_action", "return_url", "delivery_success", "expand"],
];
const groups = "[] [0] [type] [card] [number] [enabled] [name] [address] [gte] [cvc]".split(" ");
const values = [
	...["", "0", "-1", "50", "1499", "99999999", "1e3", "usd", "true", "false", "card", "complete", "pm_card_visa"],
	...["pm_card_authenticationRequired", "4242424242424242", "constructor", PUBLISHABLE_KEY],
];
const soup = some(
	fc
		.tuple(
			fc.constantFrom(...names),
			some(fc.constantFrom(...groups), 3),
			fc.oneof(fc.constantFrom(...values), malformed),
		)
		.map(([name, inside, value]): [string, string] => [name + inside.join(""), value]),
	4,
);
const fields = (usual: fc.Arbitrary<Fields>) =>
	fc.tuple(usual, often(fc.constant<Fields>([]), soup)).map(([usual, more]) => [...usual, ...more]);
const none = fc.constant<Fields>([]);

interface Call {
	method: string;
	path: string;
	fields: Fields;
	/** The caller that the API accepts. */
	caller: "server" | "browser";
}
const call =
	(caller: Call["caller"]) => (method: string, path: string | fc.Arbitrary<string>, usual: fc.Arbitrary<Fields>) =>
		fc
			.tuple(typeof path === "string" ? fc.constant(path) : path, fields(usual))
			.map(([path, fields]): Call => ({ method, path: `/v1/${path}`, fields, caller }));
const server = call("server");
const browser = call("browser");

const create = fc
	.tuple(often(fc.constant("1499"), malformed), details, method, fc.boolean())
	.map(
		([amount, details, method, confirm]): Fields => [
			...details.filter(([name]) => name !== "amount" && name !== "currency"),
			["amount", amount],
			["currency", "usd"],
			["allowed_payment_method_types[]", "card"],
			...(confirm ? [...method, ["confirm", "true"] satisfies [string, string]] : []),
		],
	);
const confirm = fc
	.tuple(often(method, none), subset(["use_stripe_sdk", "true"]))
	.map(([method, alone]) => [...method, ...alone]);
const refund = fc
	.tuple(
		fc.constantFrom<[string, string]>(
			["payment_intent", "<<paid>>"],
			["payment_intent", "<<refunded>>"],
			["payment_intent", "<<new>>"],
			["charge", "<<charge>>"],
			["charge", "ch_1"],
		),
		subset(["amount", "100"], ["amount", "99999999"], ["reason", "duplicate"], ["metadata[a]", "b"]),
	)
	.map(([of, rest]) => [of, ...rest]);
const page = subset(
	["limit", "3"],
	["created[gte]", "1"],
	["starting_after", "<<paid>>"],
	["ending_before", "<<event>>"],
	["payment_intent", "<<paid>>"],
	["types[]", "payment_intent.succeeded"],
);

const intent = (action = "") => intents.map((id) => `payment_intents/${id}${action}`);
const asked = fc.oneof(
	server("POST", "payment_intents", create),
	server("GET", intent(), subset(["expand[]", "latest_charge"])),
	server(
		"POST",
		intent(),
		fc.tuple(details, often(none, method)).map(([details, method]) => [...details, ...method]),
	),
	server("POST", intent("/confirm"), confirm),
	server("POST", intent("/cancel"), subset(["cancellation_reason", "abandoned"])),
	server("POST", "refunds", refund),
	server("GET", fc.constantFrom("payment_intents", "charges", "refunds", "events"), page),
	server("GET", fc.constantFrom("charges/<<charge>>", "refunds/<<refund>>", "events/<<event>>", "events/evt_1"), none),
	server("GET", malformedTarget, soup),
	server("POST", fc.constantFrom("products", "events", "payment_intents/<<paid>>/unknown"), soup),
	browser("GET", intent(), subset(["expand[]", "latest_charge"])),
	browser("POST", intent("/confirm"), confirm),
	browser("GET", fc.constantFrom("three_d_secure/<<challenge>>", "three_d_secure/src_1"), none),
	browser(
		"POST",
		"three_d_secure/<<challenge>>/answer",
		fc.constantFrom("complete", "fail", "abandon", "x").map((outcome) => [["outcome", outcome]]),
	),
);

/** Sometimes replaces the caller. An attacker has the publishable key, but not the intent's client secret. */
const callers = often(fc.constant(null), fc.constantFrom("server", "browser", "nobody", "thief"));
const idempotency = fc.oneof(
	{ weight: 9, arbitrary: fc.constant("") },
	{ weight: 1, arbitrary: fc.constantFrom("one", "two", "three") },
	{ weight: 1, arbitrary: malformedHeader },
);
const escaped = (fields: Fields) =>
	new URLSearchParams(fields)
		.toString()
		.replaceAll(/%3C%3C(.*?)%3E%3E/g, (_, name: string) => `<<${name.replaceAll("+", " ")}>>`);

/** Returns the state that an intent must have for a call to `path` with its client secret. */
const about = (path: string) =>
	states.find((state) => path.includes(`<<${state}>>`)) ?? (path.includes("challenge") ? "asking" : "new");

const api = fc
	.tuple(asked, callers, idempotency)
	.map(([{ method, path, fields, caller }, other, idempotency]): RawRequest => {
		const key = other ?? caller;
		const isBrowser = key === "browser" || key === "thief";
		const secret = key === "thief" ? "pi_1_secret_1" : `<<${about(path)} secret>>`;
		const sent = escaped(isBrowser ? [...fields, ["key", PUBLISHABLE_KEY], ["client_secret", secret]] : fields);
		return {
			method,
			target: `/stripe-emulator${path}${method === "GET" && sent ? `?${sent}` : ""}`,
			headers: [
				["Host", "<<host>>"],
				["Origin", "null"],
				...(key === "server" ? [["Authorization", `Bearer ${SECRET_KEY}`] satisfies [string, string]] : []),
				...(method === "POST"
					? [["Content-Type", "application/x-www-form-urlencoded"] satisfies [string, string]]
					: []),
				...(idempotency && method === "POST" ? [["Idempotency-Key", idempotency] satisfies [string, string]] : []),
			],
			body: method === "POST" ? sent : "",
			framing: "length",
		};
	});

// --- controls and pages

const number = often(
	fc.constantFrom<unknown>(0, 1, 2, "3"),
	fc.oneof<fc.Arbitrary<unknown>[]>(malformed, fc.constantFrom(-1, 0.5, 1e308, null)),
);
const copies = often(fc.constantFrom<unknown>(1, 2), fc.constantFrom<unknown>(0, 101, "x", null));
const text = (...usual: string[]) => often(fc.constantFrom(...usual), malformed);
const tampering = text("none", "body", "signature", "timestamp");
const is = <const Name extends string>(control: Name) => ({ control: fc.constant(control) });
const endpoint = fc.option(text("payment_intents.confirm", "payment_intents.retrieve"), { nil: undefined });
const control = fc.oneof<fc.Arbitrary<unknown>[]>(
	fc.record({
		...is("webhooks"),
		mode: text("deliver", "before_response", "hold", "drop"),
		copies,
		twins: fc.boolean(),
		tampering,
	}),
	fc.record({ ...is("release"), order: text("oldest_first", "newest_first") }),
	fc.record({ ...is("send"), event: text("<<event>>", "evt_1"), copies, tampering }),
	fc.record({ ...is("discard"), event: text("<<event>>", "evt_1") }),
	fc.record(is("deliver_due")),
	fc.record({ ...is("fail"), fault: text("500", "429"), when: text("before", "after"), times: number }),
	fc.record({ ...is("latency"), milliseconds: number, endpoint, when: text("before", "after") }),
	fc.record({ ...is("stale_retrieve"), stale: text("true", "false") }),
	fc.record({ ...is("processing"), seconds: number }),
	// far enough for the cron's cursor to pass earlier events
	fc.record({ ...is("clock"), advance: fc.oneof(fc.constantFrom<unknown>(900, "3600"), number) }),
	fc.record({
		...is("shop_fault"),
		service: text("d1", "stripe", "feed", "any"),
		call: number,
		fault: text("before", "after", "never", "crash"),
		path: malformed,
	}),
	fc.record({
		...is("timeouts"),
		timeouts: fc.record({
			request: number,
			response: number,
			cron: number,
			stripeCall: number,
			feed: number,
			rateLimit: number,
			hashQueue: number,
		}),
	}),
	fc.record(is("reconcile")),
	fc.record({ ...is("refund"), payment_intent: text("<<paid>>", "<<refunded>>", "<<new>>", "pi_1"), amount: number }),
	fc.record(is("calm")),
	fc.record(is("reset")),
	fc.jsonValue(),
);
const controls = fc
	.tuple(control, fc.constantFrom("json", "form"), fc.option(fc.constantFrom("same-origin", "cross-site")))
	.map(
		([control, how, site]): RawRequest => ({
			method: "POST",
			target: "/stripe-emulator/controls",
			headers: [
				["Host", "<<host>>"],
				["Origin", "<<origin>>"],
				...(site === null ? [] : [["Sec-Fetch-Site", site] satisfies [string, string]]),
				["Content-Type", how === "json" ? "application/json" : "application/x-www-form-urlencoded"],
			],
			body:
				how === "json"
					? toBytes(JSON.stringify(control))
					: escaped(
							Object.entries(Object(control)).map(([name, value]) => [
								name,
								typeof value === "string" ? value : JSON.stringify(value),
							]),
						),
			framing: "length",
		}),
	);
const shown = fc
	.tuple(
		often(
			fc.constantFrom("", "state", "stripe.js", "card-frame", "three-d-secure", "controls", "v1/"),
			malformedTarget,
		),
		some(
			fc.tuple(
				fc.constantFrom("element", "source", "client_secret", "key"),
				fc.oneof(fc.constant("card"), malformedTarget),
			),
			2,
		),
	)
	.map(
		([path, query]): RawRequest => ({
			method: "GET",
			target: `/stripe-emulator/${path}${query.length > 0 ? `?${query.map((pair) => pair.join("=")).join("&")}` : ""}`,
			headers: [["Host", "<<host>>"]],
			body: "",
			framing: "length",
		}),
	);

export const anyStripeRequest = mutated(
	fc.oneof({ weight: 10, arbitrary: api }, { weight: 2, arbitrary: controls }, { weight: 1, arbitrary: shown }),
);
