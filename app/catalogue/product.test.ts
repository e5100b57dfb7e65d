import { expect, test } from "vitest";
import { shortName } from "./product.ts";

test.each([
	["A Long Winter: notes from an island, by Ada Ember", "A Long Winter"],
	["Toaster with two slots, enamel red", "Toaster"],
	["7.9-inch reader, 64\u00a0GB, silver", "7.9-inch reader"],
	["Lamp", "Lamp"],
])("shortName(%j) returns %j", (title, name) => {
	expect(shortName(title)).toBe(name);
});
