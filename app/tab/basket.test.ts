import { expect, test, vi } from "vitest";
import { type AppAction, type AppState, type BasketItem, basketTotal, reducer } from "./basket.ts";

function item(id: string, priceCents = 1196): BasketItem {
	return { id, title: `Product ${id}`, priceCents, rating: 4, image: `/pictures/${id}-640.webp` };
}

const user = { id: "u1", email: "ada@example.com" };
const [a, b, c] = [item("a"), item("b"), item("c")];
// different prices distinguish the two items of one product
const [d1, d2] = [item("d", 1), item("d", 2)];

test.each<[rule: string, before: BasketItem[], action: AppAction, after: BasketItem[]]>([
	["ADD_TO_BASKET appends the item", [a, b], { type: "ADD_TO_BASKET", item: a }, [a, b, a]],
	["ADD_TO_BASKET with an index puts the item back", [a, b], { type: "ADD_TO_BASKET", item: c, index: 1 }, [a, c, b]],
	["REMOVE_FROM_BASKET removes only the first", [a, d1, c, d2], { type: "REMOVE_FROM_BASKET", id: "d" }, [a, c, d2]],
	["EMPTY_BASKET clears the basket", [a, b], { type: "EMPTY_BASKET" }, []],
])("%s without changing the user or the old state", (_, before, action, after) => {
	const state: AppState = { basket: [...before], user };
	expect(reducer(state, action)).toEqual({ basket: after, user });
	expect(state).toEqual({ basket: before, user });
});

test("ADD_TO_BASKET returns a basket of 200 items unchanged", () => {
	const state: AppState = { basket: Array(200).fill(a), user };
	expect(reducer(state, { type: "ADD_TO_BASKET", item: b })).toBe(state);
});

test("REMOVE_FROM_BASKET of a missing product warns and changes nothing", () => {
	const state: AppState = { basket: [a, b], user };
	const warn = vi.spyOn(console, "warn").mockReturnValue();
	expect(reducer(state, { type: "REMOVE_FROM_BASKET", id: "c" })).toBe(state);
	expect(warn.mock.calls).toEqual([[expect.stringContaining("c")]]);
});

test("SET_USER sets the user, clears it again and keeps the basket", () => {
	const signedIn = reducer({ basket: [a], user: null }, { type: "SET_USER", user });
	expect(signedIn).toEqual({ basket: [a], user });
	expect(reducer(signedIn, { type: "SET_USER", user: null })).toEqual({ basket: [a], user: null });
});

test("the total is the sum of the prices in whole cents, including duplicates", () => {
	expect(basketTotal([])).toBe(0);
	expect(basketTotal([item("book", 1196), item("ultrawide", 109498), item("book", 1196)])).toBe(111890);
	expect(basketTotal(Array(200).fill(item("ultrawide", 109498)))).toBe(21899600);
});
