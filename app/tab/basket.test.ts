import { expect, test, vi } from "vitest";
import { type AppState, type BasketItem, basketTotal, reducer } from "./basket.ts";

function item(id: string, priceCents = 1196): BasketItem {
	return { id, title: `Product ${id}`, priceCents, rating: 4, image: `/pictures/${id}-640.webp` };
}

const user = { id: "u1", email: "ada@example.com" };

test("ADD_TO_BASKET appends the item without changing the user or the old state", () => {
	const state: AppState = { basket: [item("a"), item("b")], user };
	const next = reducer(state, { type: "ADD_TO_BASKET", item: item("a") });
	expect(next).toEqual({ basket: [item("a"), item("b"), item("a")], user });
	expect(state.basket).toEqual([item("a"), item("b")]);
});

test("ADD_TO_BASKET with an index puts the item back in its place", () => {
	const state: AppState = { basket: [item("a"), item("b")], user };
	const next = reducer(state, { type: "ADD_TO_BASKET", item: item("c"), index: 1 });
	expect(next.basket).toEqual([item("a"), item("c"), item("b")]);
});

test("REMOVE_FROM_BASKET removes only the first item with the id", () => {
	// different prices distinguish the two items of one product
	const state: AppState = { basket: [item("a"), item("b", 1), item("c"), item("b", 2)], user };
	const next = reducer(state, { type: "REMOVE_FROM_BASKET", id: "b" });
	expect(next).toEqual({ basket: [item("a"), item("c"), item("b", 2)], user });
	expect(state.basket).toHaveLength(4);
});

test("ADD_TO_BASKET returns a basket of 200 items unchanged", () => {
	const state: AppState = { basket: Array.from({ length: 200 }, () => item("a")), user };
	expect(reducer(state, { type: "ADD_TO_BASKET", item: item("b") })).toBe(state);
});

test("REMOVE_FROM_BASKET of a missing product warns and changes nothing", () => {
	const state: AppState = { basket: [item("a"), item("b")], user };
	const warn = vi.spyOn(console, "warn").mockReturnValue();
	expect(reducer(state, { type: "REMOVE_FROM_BASKET", id: "c" })).toBe(state);
	expect(warn.mock.calls).toEqual([[expect.stringContaining("c")]]);
});

test("EMPTY_BASKET clears the basket and keeps the user", () => {
	expect(reducer({ basket: [item("a"), item("b")], user }, { type: "EMPTY_BASKET" })).toEqual({ basket: [], user });
});

test("SET_USER sets the user, clears it again and keeps the basket", () => {
	const signedIn = reducer({ basket: [item("a")], user: null }, { type: "SET_USER", user });
	expect(signedIn).toEqual({ basket: [item("a")], user });
	expect(reducer(signedIn, { type: "SET_USER", user: null })).toEqual({ basket: [item("a")], user: null });
});

test("the total is the sum of the prices in whole cents, including duplicates", () => {
	expect(basketTotal([])).toBe(0);
	expect(basketTotal([item("book", 1196), item("ultrawide", 109498), item("book", 1196)])).toBe(111890);
	expect(basketTotal(Array.from({ length: 200 }, () => item("ultrawide", 109498)))).toBe(21899600);
});
