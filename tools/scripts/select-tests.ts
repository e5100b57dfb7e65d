import { existsSync, globSync } from "node:fs";
import { relative, resolve } from "node:path";

/** The paths to pass to each runner; undefined if the runner has none of the tests. */
type Selection = { vitest?: string[]; playwright?: string[] };

/** Returns the test files whose paths contain one of `filters`, by runner. Without filters, selects all files of both
 *  runners. Returns the first filter that matches no file as `unknown`. */
export function selectTests(filters: string[]): Selection | { unknown: string } {
	if (filters.length === 0) return { vitest: [], playwright: [] };
	const exclude = (name: string) => name === "node_modules";
	const files = globSync("{app,drizzle,local,packages,tests,tools}/**/*.{test,spec}.{ts,tsx}", { exclude });
	const selected = { vitest: new Set<string>(), playwright: new Set<string>() };
	for (const filter of filters) {
		const part = existsSync(filter) ? relative("", resolve(filter)) : filter;
		const matches = files.filter((file) => file.includes(part));
		if (matches.length === 0) return { unknown: filter };
		for (const file of matches) selected[/\.spec\.tsx?$/.test(file) ? "playwright" : "vitest"].add(file);
	}
	const { vitest, playwright } = selected;
	return {
		...(vitest.size > 0 && { vitest: [...vitest] }),
		...(playwright.size > 0 && { playwright: [...playwright] }),
	};
}
