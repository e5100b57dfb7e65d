import { expect, test } from "vitest";
import { shortName } from "./product.ts";

test.each([
	["The Steady Business: small habits that build companies that last, by Mara Ellington", "The Steady Business"],
	["Stand mixer with a 5 L steel bowl, enamel red", "Stand mixer"],
	["12.9-inch tablet, 128\u00a0GB, silver", "12.9-inch tablet"],
	["Kettle", "Kettle"],
])("shortName(%j) returns %j", (title, name) => {
	expect(shortName(title)).toBe(name);
});
