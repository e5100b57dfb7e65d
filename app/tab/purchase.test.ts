import { describe, expect, test } from "vitest";
import {
	canBuy,
	cancelAt,
	type Intent,
	idle,
	isPaying,
	mustStay,
	checkingNotice as notice,
	type Purchase,
	type PurchaseEvent,
	reduce,
} from "./purchase.ts";

const speaker = { id: "1", title: "Smart speaker", priceCents: 9899, rating: 5, image: "/1.webp" };
const fresh: Intent = { clientSecret: "pi_1_secret_1", signature: "s", total: 9899, attempt: 0, items: [] };
const intent: Intent = { ...fresh, attempt: 1, items: [speaker] };
const at = 1_000_000;

const states = {
	idle,
	ready: { ...idle, intent: fresh },
	preparing: { ...idle, preparing: 9899 },
	unprepared: { ...idle, failure: "No." },
	declined: { ...idle, intent, notice: "Declined." },
	placing: { phase: "placing", intent },
	confirming: { phase: "confirming", intent },
	confirmed: { phase: "confirmed", intent },
	silent: { phase: "checking", intent, confirmation: "open", atBank: null, since: at, notice },
	unpaid: { phase: "checking", intent, confirmation: "open", atBank: false, since: at, notice },
	"at the bank": { phase: "checking", intent, confirmation: "open", atBank: true, since: at, notice },
	ended: { phase: "checking", intent, confirmation: "ended", atBank: null, since: at, notice },
	resumed: { phase: "checking", intent, confirmation: "unknown", atBank: null, since: at, notice },
	succeeded: { phase: "checking", intent, confirmation: "succeeded", atBank: null, since: at, notice },
	paid: { phase: "paid" },
} satisfies Record<string, Purchase>;
type StateName = keyof typeof states;

const of = intent;
const after: Intent = { ...intent, attempt: 2 };
const { ended, resumed } = states;
const nothing = { ...idle, notice: "Not charged." };

/** The expected next states by event and state. An event leaves the states that are not listed for it unchanged. */
const transitions: [PurchaseEvent, Partial<Record<StateName, Purchase>>][] = [
	[
		{ type: "resume", intent, at },
		{ idle: resumed, ready: resumed, preparing: resumed, unprepared: resumed, declined: resumed },
	],
	[
		{ type: "prepare", total: 500 },
		{
			idle: { ...idle, preparing: 500 },
			ready: { ...states.ready, preparing: 500 },
			preparing: { ...idle, preparing: 500 },
			unprepared: { ...idle, preparing: 500 },
			declined: { ...states.declined, preparing: 500 },
			paid: { ...idle, preparing: 500 },
		},
	],
	[
		{ type: "prepare", total: 0 },
		{ idle, ready: states.ready, preparing: idle, unprepared: idle, declined: states.declined },
	],
	[{ type: "prepared", intent: fresh }, { preparing: states.ready }],
	[{ type: "prepared", intent: { ...fresh, total: 500 } }, {}],
	[{ type: "prepare_failed", total: 9899, failure: "No." }, { preparing: states.unprepared }],
	[{ type: "prepare_failed", total: 500, failure: "No." }, {}],
	[
		{ type: "payment_in_progress", at },
		{ ready: { ...ended, intent: fresh }, declined: ended },
	],
	[
		{ type: "buy", items: [speaker] },
		{ ready: states.placing, declined: { phase: "placing", intent: after } },
	],
	[{ type: "placed" }, { placing: states.confirming }],
	[{ type: "refused", notice: "Declined.", intent: "kept" }, { placing: states.declined }],
	[{ type: "refused", notice: "Not charged.", intent: "gone" }, { placing: nothing }],
	[{ type: "already_placed", at }, { placing: ended }],
	[{ type: "silence", of, at }, { confirming: states.silent }],
	[
		{ type: "declined", of, notice: "Declined." },
		{
			confirming: states.declined,
			silent: states.declined,
			unpaid: states.declined,
			"at the bank": states.declined,
			resumed: states.declined,
		},
	],
	[
		{ type: "confirmed", of, at },
		{
			confirming: states.confirmed,
			silent: states.succeeded,
			unpaid: states.succeeded,
			"at the bank": states.succeeded,
			resumed: states.succeeded,
		},
	],
	[
		{ type: "confirmation_ended", of, at },
		{ confirming: ended, silent: ended, unpaid: ended, "at the bank": ended, resumed: ended },
	],
	[{ type: "silence", of: after, at }, {}],
	[{ type: "declined", of: after, notice: "Declined." }, {}],
	[{ type: "confirmed", of: after, at }, {}],
	[{ type: "confirmation_ended", of: after, at }, {}],
	[
		{ type: "not_final", of, atBank: true, at },
		{
			confirmed: states.succeeded,
			silent: states["at the bank"],
			unpaid: states["at the bank"],
			ended: { ...states.ended, atBank: true },
			resumed: { ...resumed, atBank: true },
			succeeded: { ...states.succeeded, atBank: true },
		},
	],
	[
		{ type: "not_final", of, atBank: false, at },
		{
			confirmed: states.succeeded,
			silent: states.unpaid,
			"at the bank": states.unpaid,
			ended: { ...states.ended, atBank: false },
			resumed: { ...resumed, atBank: false },
			succeeded: { ...states.succeeded, atBank: false },
		},
	],
	[
		{ type: "not_final", of, atBank: null, at },
		{ confirmed: states.succeeded, unpaid: states.silent },
	],
	...(["paid", "not_bought"] as const).map((type): [PurchaseEvent, Partial<Record<StateName, Purchase>>] => {
		const next: Purchase = type === "paid" ? states.paid : nothing;
		return [
			type === "paid" ? { type, of } : { type, of, notice: "Not charged." },
			{
				ready: type === "paid" ? next : idle,
				declined: type === "paid" ? next : { ...states.declined, intent: null },
				placing: next,
				confirming: next,
				confirmed: next,
				silent: next,
				unpaid: next,
				"at the bank": next,
				ended: next,
				resumed: next,
				succeeded: next,
			},
		];
	}),
	[{ type: "not_final", of: { ...intent, clientSecret: "pi_2_secret_2" }, atBank: true, at }, {}],
	[{ type: "paid", of: { ...intent, clientSecret: "pi_2_secret_2" } }, {}],
	[{ type: "not_bought", of: { ...intent, clientSecret: "pi_2_secret_2" }, notice: "Not charged." }, {}],
	[{ type: "notice_read" }, { declined: { ...states.declined, notice: null } }],
];

describe.each(transitions)("%j", (event, expected) => {
	test.each(Object.entries(states))("returns the expected next state in state %s", (name, state) => {
		const next = new Map(Object.entries(expected)).get(name);
		if (next) expect(reduce(state, event)).toEqual(next);
		else expect(reduce(state, event)).toBe(state);
	});
});

test("isPaying returns true from Buy Now until a definite outcome", () => {
	const locked = Object.entries(states).filter(([, state]) => isPaying(state));
	expect(locked.map(([name]) => name)).toEqual([
		"placing",
		"confirming",
		"confirmed",
		"silent",
		"unpaid",
		"at the bank",
		"ended",
		"resumed",
		"succeeded",
	]);
});

test("mustStay returns true until the confirmation ends, and for a checked payment while its bank dialog is open", () => {
	const staying = Object.entries(states).filter(([, state]) => mustStay(state));
	expect(staying.map(([name]) => name)).toEqual(["placing", "confirming", "confirmed", "at the bank"]);
	expect(mustStay({ ...ended, atBank: true })).toBe(false);
});

test("canBuy requires an intent for the basket's total and no pending or failed request for another", () => {
	const buyable = Object.entries(states).filter(([, state]) => canBuy(state, 9899));
	expect(buyable.map(([name]) => name)).toEqual(["ready", "declined"]);
	expect(canBuy(states.ready, 9898)).toBe(false);
	expect(canBuy({ ...states.ready, preparing: 500 }, 9899)).toBe(false);
	expect(canBuy({ ...states.ready, failure: "No." }, 9899)).toBe(false);
	expect(canBuy({ ...idle, intent: { ...fresh, total: 0 } }, 0)).toBe(false);
});

test("cancelAt returns 15 seconds, 2 minutes or 15 minutes after checking starts, or Infinity", () => {
	expect(cancelAt(states.ended)).toBe(at + 15_000);
	expect(cancelAt(states.unpaid)).toBe(at + 120_000);
	expect(cancelAt(states["at the bank"])).toBe(at + 900_000);
	expect(cancelAt({ ...states.ended, atBank: true })).toBe(at + 15_000);
	for (const state of [
		...[states.silent, states.succeeded, states.confirmed, states.paid, idle],
		...[resumed, { ...resumed, atBank: true }, { ...resumed, atBank: false }],
	]) {
		expect(cancelAt(state)).toBe(Number.POSITIVE_INFINITY);
	}
});
