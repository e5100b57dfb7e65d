import { expect, test } from "vitest";
import { currency } from "#app/brand.ts";
import { idle, type Purchase } from "./purchase.ts";
import { tab } from "./tab.ts";
import { emptyTab, justPaid, reduce, type TabEvent, type TabState } from "./tab-state.ts";

const speaker = { id: "1", title: "Speaker", priceCents: 9899, rating: 5, image: "/1.webp" };
const book = { id: "2", title: "Book", priceCents: 500, rating: 4, image: "/2.webp" };
const user = { id: "u1", email: "ada@example.com" };
const bought = { items: [speaker], buyer: emptyTab.buyer };
const intent = {
	clientSecret: "pi_1_secret_1",
	signature: "s",
	total: 9899,
	currency,
	...bought,
	round: 0,
};
const paid = { type: "paid", created: 1_764_000_000 } as const;
const order = { id: "pi_1", amount: 9899, currency, created: paid.created, items: [speaker], buyer: emptyTab.buyer };
const confirm = async () => ({});
const placing: Purchase = { phase: "placing", intent, confirm };
const confirming: Purchase = { phase: "confirming", intent, confirm };
const paying = { ...emptyTab, basket: [speaker], isFormShown: true, purchase: confirming, payment: intent };

const after = (state: TabState, ...events: TabEvent[]) => events.reduce(reduce, state);

test("while a payment is in progress, the basket cannot be changed", () => {
	for (const [purchase, payment] of [[placing, null] as const, [confirming, intent] as const]) {
		const state = { ...paying, purchase, payment };
		expect(after(state, { type: "ADD_TO_BASKET", item: book })).toBe(state);
		expect(after(state, { type: "REMOVE_FROM_BASKET", id: speaker.id })).toBe(state);
		expect(after(state, { type: "EMPTY_BASKET" })).toBe(state);
		expect(after(state, { type: "SET_USER", user })).toEqual({ ...state, user });
	}
});

test("a paid purchase removes its items from the basket in the same step", () => {
	const outcome = { type: "paid", order };
	expect(after({ ...paying, basket: [book, speaker, speaker], isFormShown: false }, paid)).toEqual({
		...emptyTab,
		basket: [book, speaker],
		outcome,
		receipt: order,
		payment: intent,
	});
	expect(after({ ...paying, basket: [speaker, book] }, paid)).toEqual({
		...paying,
		basket: [book],
		purchase: { ...idle, request: { total: book.priceCents, hasFailed: false } },
		outcome,
		receipt: order,
	});
	expect(after({ ...paying, basket: [book] }, paid).basket).toEqual([book]);
});

test("the form that has paid shows the order until its outcome is shown, unless the basket has other items", () => {
	const state = after(paying, paid);
	expect(justPaid(paying)).toBeNull();
	expect(justPaid(state)).toEqual(order);
	expect(justPaid(after(state, { type: "form_left" }))).toBeNull();
	expect(justPaid(after(state, { type: "outcome_shown" }))).toBeNull();
	expect(justPaid(after({ ...paying, basket: [speaker, book] }, paid))).toBeNull();
	const declined: TabEvent = { type: "declined", message: { text: "Declined." } };
	expect(justPaid(after({ ...paying, basket: [] }, declined))).toBeNull();
});

test("a paid order is the receipt of the buyer for whom it was placed, until another buyer begins", () => {
	const { receipt } = after(paying, paid);
	expect(receipt).toEqual(order);
	expect(after({ ...paying, receipt }, { type: "buyer_changed", buyer: emptyTab.buyer })).toEqual({
		...paying,
		receipt,
	});
	expect(after({ ...paying, receipt }, { type: "buyer_changed", buyer: "u1" })).toEqual({ ...paying, buyer: "u1" });
	const ofCustomer = { ...order, buyer: "u1" };
	expect(after({ ...paying, receipt: ofCustomer }, { type: "buyer_changed", buyer: "u1" }).receipt).toBe(ofCustomer);
	const signedOut = after(paying, { type: "buyer_changed", buyer: "guest-2" }, paid);
	expect(signedOut).toMatchObject({ receipt: null, outcome: { type: "paid", order } });
});

test("an attempt records the buyer for whom it is made", () => {
	const ready = { ...paying, purchase: { ...idle, intent: { ...intent, items: [], buyer: "" } }, buyer: "u1" };
	expect(after(ready, { type: "buy", confirm }).purchase).toMatchObject({ phase: "placing", intent: { buyer: "u1" } });
});

test("a changed price changes the basket and ends the attempt in the same step", () => {
	const state = { ...paying, basket: [speaker, book], purchase: placing, payment: null };
	const text = "Speaker has another price.";
	expect(after(state, { type: "price_changed", prices: { "1": 9900 }, message: { text } })).toEqual({
		...state,
		basket: [{ ...speaker, priceCents: 9900 }],
		purchase: { ...idle, intent, message: { text }, request: { total: 9900, hasFailed: false } },
		outcome: { type: "not_bought", text, identityChanged: false },
	});
	expect(after(paying, { type: "price_changed", prices: {}, message: { text } })).toBe(paying);
});

test("while the card form is shown, an intent for the basket's total is prepared", () => {
	const prepared = { type: "prepared", clientSecret: "pi_1_secret_1", signature: "s" } as const;
	const preparing = after(emptyTab, { type: "ADD_TO_BASKET", item: book }, { type: "form_shown" });
	expect(preparing.purchase).toEqual({ ...idle, request: { total: 500, hasFailed: false } });
	expect(after(emptyTab, { type: "ADD_TO_BASKET", item: book }).purchase).toBe(idle);
	expect(after(emptyTab, { type: "form_shown" }).purchase).toBe(idle);

	const ready = after(preparing, prepared);
	expect(ready.purchase).toMatchObject({ request: null, intent: { total: 500 } });
	const changed = after(ready, { type: "ADD_TO_BASKET", item: speaker });
	expect(changed.purchase).toMatchObject({ request: { total: 10_399 } });
	expect(after(ready, { type: "form_left" }, { type: "ADD_TO_BASKET", item: speaker }).purchase).toEqual(
		ready.purchase,
	);

	// the response that is in flight while the basket is emptied
	const emptied = after(preparing, { type: "form_left" }, { type: "EMPTY_BASKET" }, { type: "form_shown" });
	expect(after(emptied, { type: "prepare_failed", message: { text: "No." } }).purchase).toEqual(idle);

	const failed = after(preparing, { type: "prepare_failed", message: { text: "No." } });
	expect(after(failed, { type: "SET_USER", user }).purchase).toBe(failed.purchase);
	expect(after(failed, { type: "try_again" }).purchase).toEqual(preparing.purchase);
	expect(after(failed, { type: "form_left" }, { type: "form_shown" }).purchase).toEqual(preparing.purchase);
});

test("buys only a basket whose intent is ready", () => {
	const ready = { ...paying, purchase: { ...idle, intent } };
	const next = { phase: "placing", intent, confirm };
	expect(after(ready, { type: "buy", confirm }).purchase).toEqual(next);
	for (const state of [{ ...ready, basket: [] }, { ...ready, basket: [book] }, paying]) {
		expect(after(state, { type: "buy", confirm })).toBe(state);
	}
});

test("a purchase has an outcome until the page has shown it or another attempt begins", () => {
	const text = "Declined.";
	const declined = after(paying, { type: "declined", message: { text } });
	expect(declined.outcome).toEqual({ type: "not_bought", text, identityChanged: false });
	expect(after(declined, { type: "outcome_shown" }).outcome).toBeNull();
	expect(after(declined, { type: "form_left" }).outcome).toBe(declined.outcome);
	expect(after(declined, { type: "buy", confirm }).outcome).toBeNull();
	const refused = { type: "refused", message: { text }, reason: "identity_changed" } as const;
	expect(after({ ...paying, purchase: placing }, refused).outcome).toMatchObject({ identityChanged: true });
	expect(after(emptyTab, { type: "resume", intent, at: 0 }).outcome).toEqual({ type: "resumed" });
	// the poll of a declined payment that turns out to be canceled
	expect(after({ ...declined, outcome: null }, { type: "not_bought", message: { text } }).outcome).toBeNull();
});

test("a payment is kept from its confirmation until the page has shown its outcome or another attempt begins", () => {
	const attempt = after({ ...paying, purchase: placing, payment: null }, { type: "placed" });
	expect(attempt.payment).toEqual(intent);
	const declined = after(attempt, { type: "declined", message: { text: "Declined." } });
	expect(declined.payment).toEqual(intent);
	expect(after(declined, { type: "outcome_shown" }).payment).toBeNull();
	expect(after(declined, { type: "buy", confirm }).payment).toBeNull();
	const refused = { type: "refused", message: { text: "Not placed." } } as const;
	expect(after({ ...paying, purchase: placing, payment: null }, refused).payment).toBeNull();
});

test("on the server, the tab refuses every event, because a Worker renders for many visitors", () => {
	expect(() => tab.dispatch({ type: "ADD_TO_BASKET", item: book })).toThrow("The server has no tab");
	expect(tab.getState()).toEqual(emptyTab);
});
