import { expect, test } from "vitest";
import { reprice, withoutPaid } from "./basket-changes.ts";

function item(id: string, priceCents = 1196) {
	return { id, title: `Product ${id}`, priceCents, rating: 4, image: `/pictures/${id}-640.webp` };
}

test("reprice updates prices and omits withdrawn items", () => {
	const items = [item("a"), item("b"), item("a"), item("c"), item("b")];
	expect(reprice(items, { a: 9899, c: 1196 })).toEqual([item("a", 9899), item("a", 9899), item("c")]);
});

test("withoutPaid removes one matching item per paid item and keeps items added since", () => {
	const paid = [item("a"), item("b"), item("a")];
	expect(withoutPaid([item("a"), item("c"), item("a"), item("b"), item("a")], paid)).toEqual([item("c"), item("a")]);
	expect(withoutPaid(paid, paid)).toEqual([]);
	expect(withoutPaid([item("c")], paid)).toEqual([item("c")]);
});
