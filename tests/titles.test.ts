import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("every title of a browser test is a literal of at most 120 characters", () => {
	const calls = globSync("tests/browser/*.spec.ts").flatMap((file) =>
		readFileSync(file, "utf8")
			.split(/^\t*test\(\s*/m)
			.slice(1),
	);
	expect(calls.length).toBeGreaterThan(50);
	// without a literal, the whole call is listed
	const titles = calls.map((call) => /^(["'`])(.+?)\1,/.exec(call)?.[2] ?? call);
	expect(titles.filter(({ length }) => length > 120)).toEqual([]);
});
