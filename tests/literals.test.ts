import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sessionCookieName } from "#app/auth/sessions.server.ts";
import { products } from "./support/catalogue.ts";

test("no test or benchmark names a product or the session's cookie, except through what it imports", () => {
	const files = globSync(["{app,tools/*}/**/*.test.ts", "{tests,tools/bench}/**/*.{ts,tsx}"], {
		exclude: ["**/node_modules/**", "tests/support/**"],
	});
	expect(files.length).toBeGreaterThan(100);
	// a short id and a title of one word also occur with another meaning
	const names = products.flatMap(({ id, title }) => [id, title]).filter((name) => /\d{5}|\s/.test(name));
	const found = files.flatMap((file) => {
		const text = readFileSync(file, "utf8");
		return [sessionCookieName, ...names].filter((name) => text.includes(name)).map((name) => `${file}: ${name}`);
	});
	expect(found).toEqual([]);
});
