import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../", import.meta.url);
const sources = globSync("{app,drizzle}/**/*.{ts,tsx}", { cwd: root, exclude: ["**/*.test.*"] }).map((path) => ({
	path,
	text: readFileSync(new URL(path, root), "utf8"),
}));

test.each<[string, RegExp, string[]?]>([
	["reaches the system around it: its files and commands", /["'](node:(?!crypto")|fs|child_process|vm)/],
	["takes text for code", /\beval\(|\bFunction\(|set(Timeout|Interval)\(\s*["'`]/],
	["takes text for SQL", /sql\.raw|\.prepare\(\s*[`"']/],
	// a constant, which runs before anything is painted
	["takes text for HTML", /innerHTML|insertAdjacentHTML|document\.write|srcdoc/i, ["app/root.tsx"]],
	["reads XML", /DOMParser|text\/xml|application\/xml/],
	["encrypts by itself, or hashes what must last with MD5 or SHA-1", /\bencrypt\(|createCipher|\bmd5|\bsha-?1\b/i],
	// when a page connects again may be guessed
	["makes what nobody may guess by Math.random", /Math\.random/, ["app/orders/use-order-feed.ts"]],
])("nothing in the shop %s", (_, pattern, harmless = []) => {
	expect(sources.length).toBeGreaterThan(60);
	expect(sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)).toEqual(harmless);
});
