import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withFeatures } from "./feature-tables.ts";

test("the README's tables of features are those that feature-tables.ts writes", () => {
	const readme = readFileSync(new URL("README.md", import.meta.url), "utf8");
	expect(withFeatures(readme)).toBe(readme);
	expect(readme).toContain("| `payment_intents` | create, ");
});
