import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);

test("docs/operations.md explains every event of the log, and no other", () => {
	const sources = globSync("{app,drizzle}/**/*.{ts,tsx}", { cwd: root, exclude: ["**/*.test.*"] })
		.map(read)
		.join("\n");
	const logged = named(sources, /(?:\blog(?:Error)?\(|\bevent:)\s*"(\w+)"/g);
	const [, table = ""] = read("docs/operations.md").split("## Events in the log");
	const explained = named(table.split("\n#")[0] ?? "", /^\| `(\w+)` \|/gm);
	expect(explained.toSorted()).toEqual([...new Set(logged)].toSorted());
});
