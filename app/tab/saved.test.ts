import { expect, test } from "vitest";
import { FakeStorage } from "../../tests/support/payment-page.ts";
import { bought, readSaved } from "./saved.ts";

const example = { ...bought, id: "", created: 0 };
const item = { id: "1", title: "Book", priceCents: 500, rating: 4, image: "/1.webp" };
const value = { id: "pi_1", created: 1_764_000_000, items: [item, item], owner: "u1" };

const read = (text: string) => readSaved(new FakeStorage([["receipt", text]]), "receipt", example);

test("a value with the example's fields is returned", () => {
	expect(read(JSON.stringify(value))).toEqual(value);
	expect(read(JSON.stringify({ ...value, items: [] }))).toEqual({ ...value, items: [] });
	expect(readSaved(new FakeStorage(), "receipt", example)).toBeNull();
});

test("a value that was cut off is ignored", () => {
	const json = JSON.stringify(value);
	for (let length = 0; length < json.length; length++) expect(read(json.slice(0, length))).toBeNull();
});

const noText = [undefined, null, 1, {}, []];
const noInteger = [undefined, null, "1", {}, -1, 0.5, 1e300];

test.each([
	["id", noText],
	["owner", noText],
	["created", noInteger],
	["items", [undefined, null, "", {}, [null], ["1"], [item, {}]]],
])("a value whose %s is missing or of another type is ignored", (field, others) => {
	for (const other of others) expect(read(JSON.stringify({ ...value, [field]: other })), String(other)).toBeNull();
});

test.each([
	["id", noText],
	["title", noText],
	["image", noText],
	["priceCents", noInteger],
	["rating", noInteger],
])("a value with an item whose %s is missing or of another type is ignored", (field, others) => {
	for (const other of others) {
		const items = [item, { ...item, [field]: other }];
		expect(read(JSON.stringify({ ...value, items })), String(other)).toBeNull();
	}
});
