import { expect, test, vi } from "vitest";
import { FakeStorage } from "../../tests/support/payment-page.ts";
import { idle } from "./purchase.ts";
import { openTab, type Tab } from "./tab.ts";
import { emptyTab } from "./tab-state.ts";

const book = { id: "1", title: "Book", priceCents: 500, rating: 4, image: "/1.webp" };
const speaker = { id: "2", title: "Speaker", priceCents: 9899, rating: 5, image: "/2.webp" };
const confirm = async () => ({});
const buy = { type: "buy", confirm } as const;
const addBook = { type: "ADD_TO_BASKET", item: book } as const;
const addSpeaker = { type: "ADD_TO_BASKET", item: speaker } as const;

/** Opens a document of a tab, and prepares an intent for its basket, which `id` distinguishes. */
function open(storage = new FakeStorage(), isReload = false) {
	const loadLatest = vi.fn();
	const tab: Tab = openTab(storage, loadLatest, isReload);
	return {
		...{ tab, storage, loadLatest },
		prepare(id: number) {
			tab.dispatch({ type: "form_shown" });
			tab.dispatch({ type: "prepared", clientSecret: `pi_${id}_secret_${id}`, signature: "s" });
			return tab.getState().purchase.intent;
		},
		basket: () => tab.getState().basket.map(({ title }) => title),
		/** Shows the document again, after another one. */
		showAgain: () => tab.dispatch({ type: "online" }),
	};
}

/** Opens a document with a book in the basket and the card form shown, and a later one of the same tab. */
function openTwo() {
	const first = open();
	first.tab.dispatch(addBook);
	const intent = first.prepare(1);
	return { first, intent, second: open(first.storage) };
}

test("a document that is loaded takes the intent, and the basket only if it was handed over", () => {
	const { first, intent, second } = openTwo();
	expect(second.tab.getState()).toEqual({ ...emptyTab, purchase: { ...idle, intent } });
	first.tab.handOver();
	expect(open(first.storage).basket()).toEqual(["Book"]);
	expect(open(first.storage).basket()).toEqual([]);
});

test("a document that changes nothing leaves nothing, unless it is a reload, which empties the basket", () => {
	const { first, second } = openTwo();
	second.tab.dispatch({ type: "SET_USER", user: { id: "u1", email: "ada@example.com" } });
	first.showAgain();
	expect(first.basket()).toEqual(["Book"]);
	open(first.storage, true);
	first.showAgain();
	expect(first.basket()).toEqual([]);
	expect(open().storage.entries.size).toBe(0);
});

test("a document that hands its basket over leaves also a basket that it has not changed", () => {
	const { first, second } = openTwo();
	second.tab.handOver();
	expect(open(first.storage).basket()).toEqual([]);
});

test("a document that is shown again takes over what a later one has left, and keeps its customer and its form", () => {
	const { first, second } = openTwo();
	const user = { id: "u1", email: "ada@example.com" };
	first.tab.dispatch({ type: "SET_USER", user });
	first.tab.dispatch({ type: "buyer_changed", buyer: "u1" });
	second.tab.dispatch(addSpeaker);
	second.tab.dispatch(addSpeaker);
	const intent = second.prepare(2);
	first.showAgain();
	expect(first.tab.getState()).toMatchObject({ basket: [speaker, speaker], user, isFormShown: true, buyer: "u1" });
	expect(first.tab.getState().purchase).toMatchObject({ phase: "idle", intent, request: null });
	second.showAgain();
	expect(second.tab.getState().purchase.intent).toEqual(intent);
});

test("an event of a document that another one has followed is discarded, and leaves nothing", () => {
	const { first, second } = openTwo();
	second.tab.dispatch(addSpeaker);
	const left = first.storage.getItem("tab");
	first.tab.dispatch(addBook);
	expect(first.basket()).toEqual(["Speaker"]);
	expect(first.tab.getState().purchase.phase).toBe("idle");
	expect(first.storage.getItem("tab")).toBe(left);
});

test("a payment that a later document has begun is being checked in the document that is shown again", () => {
	const { first, second } = openTwo();
	second.tab.dispatch(addBook);
	second.prepare(1);
	second.tab.dispatch(buy);
	second.tab.dispatch({ type: "placed" });
	first.showAgain();
	expect(first.tab.getState()).toMatchObject({ basket: [book], outcome: { type: "resumed" } });
	expect(first.tab.getState().purchase).toMatchObject({ phase: "checking", confirmation: "unknown" });
	first.tab.dispatch({ type: "paid", created: 1 });
	first.tab.dispatch({ type: "outcome_shown" });
	second.showAgain();
	expect(second.tab.getState()).toMatchObject({ basket: [], receipt: { id: "pi_1" }, purchase: idle });
});

test("a confirmation goes on in the document that has begun it, unless another one has shown its outcome", () => {
	for (const isOver of [false, true]) {
		const { first } = openTwo();
		first.tab.dispatch(buy);
		first.tab.dispatch({ type: "placed" });
		const second = open(first.storage);
		second.tab.dispatch({ type: "not_final", atBank: true, at: 1 });
		if (isOver) second.tab.dispatch({ type: "not_bought", message: { text: "Not charged." } });
		second.tab.dispatch({ type: "outcome_shown" });
		first.showAgain();
		expect(first.tab.getState().purchase.phase).toBe(isOver ? "idle" : "confirming");
		// the bank's dialog may cover this document
		expect(first.loadLatest).toHaveBeenCalledTimes(isOver ? 1 : 0);
	}
});

test("the payment of a later document replaces another confirmation", () => {
	const { first } = openTwo();
	first.tab.dispatch(buy);
	first.tab.dispatch({ type: "placed" });
	const second = open(first.storage);
	second.tab.dispatch({ type: "not_bought", message: { text: "Not charged." } });
	second.tab.dispatch({ type: "outcome_shown" });
	second.tab.dispatch(addSpeaker);
	const intent = second.prepare(2);
	second.tab.dispatch(buy);
	second.tab.dispatch({ type: "placed" });
	first.showAgain();
	const { clientSecret } = intent ?? {};
	expect(first.tab.getState().purchase).toMatchObject({ phase: "checking", intent: { clientSecret } });
});

test("a document that cannot read what a later build has left loads the page, and writes nothing", () => {
	for (const left of ["{", JSON.stringify({ basket: [{ id: 1 }] }), JSON.stringify({ gift: true })]) {
		const { first } = openTwo();
		first.storage.setItem("tab", left);
		first.showAgain();
		expect(first.loadLatest).toHaveBeenCalledOnce();
		first.tab.handOver();
		expect(first.storage.getItem("tab")).toBe(left);
	}
});

test("a document keeps its state if the storage is cleared or denied", () => {
	const { first } = openTwo();
	first.storage.removeItem("tab");
	first.tab.dispatch(addSpeaker);
	expect(first.basket()).toEqual(["Book", "Speaker"]);
	const denied = new FakeStorage();
	const fail = () => {
		throw new DOMException("Denied", "SecurityError");
	};
	Object.assign(denied, { getItem: fail, setItem: fail, removeItem: fail });
	const alone = open(denied);
	alone.tab.dispatch(addBook);
	expect(alone.basket()).toEqual(["Book"]);
});
