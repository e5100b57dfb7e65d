import { expect, test } from "vitest";
import { currency } from "#app/brand.ts";
import {
	canBuy,
	type Intent,
	idle,
	isPaying,
	mustStay,
	type Purchase,
	type PurchaseEvent,
	prepare,
	reducePurchase,
} from "./purchase.ts";

const speaker = { id: "1", title: "Speaker", priceCents: 9899, rating: 5, image: "/1.webp" };
const book = { id: "2", title: "Book", priceCents: 500, rating: 4, image: "/2.webp" };
/** Another product at the price of the speaker. */
const radio = { ...speaker, id: "3" };
const unused = { items: [], buyer: "", round: 0 };
const fresh: Intent = { clientSecret: "pi_1_secret_1", signature: "s", total: 9899, currency, ...unused };
const intent: Intent = { ...fresh, items: [speaker], buyer: "u1" };
/** The intent after an event that polls the payment immediately. */
const polled: Intent = { ...intent, round: 1 };
const confirm = async () => ({});
const at = 1_000_000;

const request = (total: number) => ({ total, hasFailed: false });
const failed = { total: 9899, hasFailed: true };
const checking = { phase: "checking", intent: polled, since: at } as const;
const states = {
	idle,
	ready: { ...idle, intent: fresh },
	preparing: { ...idle, request: request(9899) },
	unprepared: { ...idle, request: failed, message: { text: "No.", button: "try_again" } },
	intercepted: { ...idle, request: failed, message: { text: "A check.", button: "load_page" } },
	declined: { ...idle, intent, message: { text: "Declined." } },
	placing: { phase: "placing", intent, confirm },
	confirming: { phase: "confirming", intent, confirm },
	confirmed: { phase: "confirmed", intent: polled },
	silent: { ...checking, confirmation: "open" },
	stuck: { ...checking, confirmation: "stuck" },
	"at the bank": { ...checking, confirmation: "at_bank" },
	ended: { ...checking, confirmation: "ended" },
	resumed: { ...checking, confirmation: "unknown" },
	succeeded: { ...checking, intent: polled, confirmation: "succeeded" },
	covered: { ...checking, confirmation: "covered" },
} satisfies Record<string, Purchase>;
type StateName = keyof typeof states;

const { ended, resumed, succeeded } = states;
const twice = { ...polled, round: 2 };
const nothing = { ...idle, message: { text: "Not charged." } };

type Next = Partial<Record<StateName, Purchase>>;
/** Returns `next` for each state in which the payment is checked while its confirmation has no result. */
const open = (next: Purchase): Next => ({ silent: next, stuck: next, "at the bank": next });
/** Returns `next` for each state in which a payment is in progress. */
const paying = (next: Purchase): Next => ({
	...{ placing: next, confirming: next, confirmed: next },
	...open(next),
	...{ ended: next, resumed: next, succeeded: next, covered: next },
});

/** The expected next states by event and state. An event leaves the states that are not listed for it unchanged. */
const transitions: [PurchaseEvent, Next][] = [
	[
		{ type: "resume", intent, at },
		{ idle: resumed, ready: resumed, preparing: resumed, unprepared: resumed, intercepted: resumed, declined: resumed },
	],
	[{ type: "prepared", clientSecret: "pi_1_secret_1", signature: "s" }, { preparing: states.ready }],
	[{ type: "prepare_failed", message: states.unprepared.message }, { preparing: states.unprepared }],
	[{ type: "prepare_failed", message: states.intercepted.message }, { preparing: states.intercepted }],
	[{ type: "try_again" }, { unprepared: states.preparing, intercepted: states.preparing }],
	[
		{ type: "payment_in_progress", at },
		{ ready: { ...ended, intent: { ...fresh, round: 1 } }, declined: ended, placing: ended },
	],
	[
		{ type: "buy", confirm },
		{ ready: states.placing, declined: states.placing },
	],
	[{ type: "placed" }, { placing: states.confirming }],
	[{ type: "refused", message: { text: "Declined." } }, { placing: states.declined }],
	[{ type: "refused", message: { text: "Declined." }, reason: "identity_changed" }, { placing: states.declined }],
	[{ type: "refused", message: { text: "Not charged." }, reason: "intent_gone" }, { placing: nothing }],
	...(["open", "ended", "covered"] as const).map((confirmation): [PurchaseEvent, Next] => {
		const next = { ...checking, confirmation };
		return [
			{ type: "unconfirmed", confirmation, at },
			{ confirming: next, ...open({ ...next, intent: twice }), covered: { ...next, intent: twice } },
		];
	}),
	[
		{ type: "declined", message: { text: "Declined." } },
		{ confirming: states.declined, ...open({ ...states.declined, intent: polled }) },
	],
	[
		{ type: "confirmed", at },
		{ confirming: states.confirmed, ...open({ ...succeeded, intent: twice }) },
	],
	[{ type: "card_changed" }, { declined: { ...idle, intent } }],
	[{ type: "lock_acquired", at: at + 1 }, { resumed: { ...ended, since: at + 1 } }],
	[
		{ type: "online" },
		// all states that are polled
		Object.fromEntries(
			Object.entries(states).flatMap(([name, state]) =>
				state.phase === "confirmed" || state.phase === "checking"
					? [[name, { ...state, intent: { ...state.intent, round: 2 } }]]
					: [],
			),
		),
	],
	[
		{ type: "not_final", atBank: true, at },
		{ confirmed: succeeded, silent: states["at the bank"], stuck: states["at the bank"] },
	],
	[
		{ type: "not_final", atBank: false, at },
		{ confirmed: succeeded, silent: states.stuck, "at the bank": states.stuck },
	],
	[
		{ type: "not_final", atBank: null, at },
		{ confirmed: succeeded, stuck: states.silent },
	],
	[
		{ type: "paid", created: 1 },
		{ ...paying(idle), ready: idle, declined: idle },
	],
	[
		{ type: "not_bought", message: { text: "Not charged." } },
		{ ...paying(nothing), ready: idle, declined: { ...states.declined, intent: null } },
	],
	// nothing is prepared for a basket that may change
	[
		{ type: "form_left" },
		{ idle, ready: states.ready, preparing: idle, unprepared: idle, intercepted: idle, declined: { ...idle, intent } },
	],
];

/** Expects these next states of all states, and that the other states stay unchanged. */
function expectNext(expected: Next, step: (state: Purchase) => Purchase): void {
	const next = new Map(Object.entries(expected));
	for (const [name, state] of Object.entries(states)) {
		const after = next.get(name);
		if (after) expect(step(state), name).toEqual(after);
		else expect(step(state), name).toBe(state);
	}
}

const order = { basket: [speaker], buyer: "u1" };

test.each(transitions)("%j leads from each state to the expected next state", (event, expected) => {
	expectNext(expected, (state) => reducePurchase(state, event, order));
});

test("an intent is requested for an order, unless it is ready, requested, or could not be prepared", () => {
	expectNext({ idle: states.preparing }, (state) => prepare(state, order));
	const next = { ...idle, request: request(500) };
	expectNext(
		{
			...{ idle: next, preparing: next, unprepared: next, intercepted: next },
			...{ ready: { ...next, intent: fresh }, declined: { ...states.declined, request: request(500) } },
		},
		(state) => prepare(state, { ...order, basket: [book] }),
	);
	// the declined attempt was for other items
	expectNext({ idle: states.preparing, declined: { ...states.declined, request: request(9899) } }, (state) =>
		prepare(state, { ...order, basket: [radio] }),
	);
});

test("an intent that the server reuses for another total keeps its items", () => {
	const preparing = { ...states.declined, request: request(500) };
	const prepared = { type: "prepared", signature: "t" } as const;
	expect(reducePurchase(preparing, { ...prepared, clientSecret: intent.clientSecret }, order)).toEqual({
		...states.declined,
		intent: { ...intent, total: 500, signature: "t" },
	});
	expect(reducePurchase(preparing, { ...prepared, clientSecret: "pi_2_secret_2" }, order)).toEqual({
		...states.declined,
		intent: { ...fresh, clientSecret: "pi_2_secret_2", total: 500, signature: "t" },
	});
});

test("after an attempt, a failed request adds a button to the attempt's message, and the next request removes both", () => {
	const { message } = states.declined;
	const pending = { ...states.declined, request: request(500) };
	const unprepared = reducePurchase(pending, { type: "prepare_failed", message: states.unprepared.message }, order);
	expect(unprepared).toMatchObject({ request: { hasFailed: true }, message: { ...message, button: "try_again" } });
	expect(reducePurchase(unprepared, { type: "card_changed" }, order)).toBe(unprepared);
	expect(reducePurchase(unprepared, { type: "try_again" }, order)).toEqual({ ...pending, message: null });
});

test("isPaying returns true from Buy Now until a definite outcome", () => {
	const locked = Object.entries(states).filter(([, state]) => isPaying(state));
	expect(locked.map(([name]) => name)).toEqual(Object.keys(paying(idle)));
});

test("mustStay returns true until the confirmation ends, and for a checked payment while its bank dialog is open", () => {
	const staying = Object.entries(states).filter(([, state]) => mustStay(state));
	expect(staying.map(([name]) => name)).toEqual(["placing", "confirming", "confirmed", "at the bank"]);
});

test("canBuy requires an intent for the basket's total and no pending or failed request for another", () => {
	const buyable = Object.entries(states).filter(([, state]) => canBuy(state, order));
	expect(buyable.map(([name]) => name)).toEqual(["ready", "declined"]);
	expect(canBuy(states.ready, { ...order, basket: [{ ...speaker, priceCents: 9898 }] })).toBe(false);
	expect(canBuy({ ...states.ready, request: request(500) }, order)).toBe(false);
	expect(canBuy({ ...states.ready, request: { total: 500, hasFailed: true } }, order)).toBe(false);
	expect(canBuy(states.idle, { ...order, basket: [] })).toBe(false);
	expect(canBuy({ ...idle, intent: { ...fresh, currency: "xts" } }, order)).toBe(false);
});

test("after an attempt, an intent can pay only for the items and the buyer of that attempt", () => {
	const total = { ...states.declined, intent: { ...intent, items: [speaker, book], total: 10_399 } };
	expect(canBuy(total, { basket: [book, speaker], buyer: "u1" })).toBe(true);
	expect(canBuy(total, { basket: [book, radio], buyer: "u1" })).toBe(false);
	expect(canBuy(total, { basket: [book, speaker], buyer: "guest-" })).toBe(false);
	const exchanged = [
		{ ...book, priceCents: 501 },
		{ ...speaker, priceCents: 9898 },
	];
	expect(canBuy(total, { basket: exchanged, buyer: "u1" })).toBe(false);
	expect(canBuy(states.ready, { basket: [radio], buyer: "guest-" })).toBe(true);
});
