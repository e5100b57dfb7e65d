import { globSync, readFileSync } from "node:fs";
import { DrizzleQueryError } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { logError } from "./log.server.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);

test("docs/incidents.md lists exactly the events that are logged", () => {
	const sources = globSync("{app,drizzle}/**/*.{ts,tsx}", { cwd: root, exclude: ["**/*.test.*"] })
		.map(read)
		.join("\n");
	const logged = named(sources, /(?:\blog(?:Error)?\(|\bevent:)\s*"(\w+)"/g);
	const [, table = ""] = read("docs/incidents.md").split("## Events in the log");
	const explained = named(table.split("\n#")[0] ?? "", /^- `(\w+)`: /gm);
	expect(explained.toSorted()).toEqual([...new Set(logged)].toSorted());
});

test("a failed query is logged with D1's message and the stack, but without the query's parameters", () => {
	const log = vi.spyOn(console, "error").mockReturnValue();
	const query = "insert into users (email, password_hash) values (?, ?)";
	const params = ["ada@example.com", "scrypt$hash"];
	logError("error", new DrizzleQueryError(query, params, new Error("D1_ERROR: disk full")), { where: "POST /login" });
	const [[line = ""] = []] = log.mock.calls;
	log.mockRestore();
	expect(JSON.parse(line)).toEqual({
		event: "error",
		where: "POST /login",
		message: "Error: D1_ERROR: disk full",
		stack: expect.stringMatching(/^at .*log\.server\.test\.ts/),
	});
	for (const param of params) expect(line).not.toContain(param);
});
