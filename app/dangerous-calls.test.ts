import { globSync, readFileSync } from "node:fs";
import { isSafe } from "redos-detector";
import ts from "typescript";
import { expect, test } from "vitest";

const root = new URL("../", import.meta.url);
const sources = globSync("{app,drizzle}/**/*.{ts,tsx}", { cwd: root, exclude: ["**/*.test.*"] }).map((path) => ({
	path,
	text: readFileSync(new URL(path, root), "utf8"),
}));

function filesWith(pattern: RegExp): string[] {
	expect(sources.length).toBeGreaterThan(60);
	return sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
}

test("nothing in the shop reaches the system around it: its files and commands", () => {
	expect(filesWith(/["'](node:(?!crypto")|fs|child_process|vm)/)).toEqual([]);
});

test("nothing in the shop takes text for code", () => {
	expect(filesWith(/\beval\(|\bFunction\(|set(Timeout|Interval)\(\s*["'`]/)).toEqual([]);
});

test("nothing in the shop takes text for SQL", () => {
	expect(filesWith(/sql\.raw|\.prepare\(\s*[`"']/)).toEqual([]);
});

test("nothing in the shop takes text for HTML, but for a constant that runs before anything is painted", () => {
	expect(filesWith(/innerHTML|insertAdjacentHTML|document\.write|srcdoc/i)).toEqual(["app/root.tsx"]);
	const root = sources.find(({ path }) => path === "app/root.tsx");
	expect(root?.text.match(/innerHTML=.*?\}/gi)).toEqual(["InnerHTML={{ __html: beforeReact }"]);
});

test("nothing in the shop reads XML", () => {
	expect(filesWith(/DOMParser|text\/xml|application\/xml/)).toEqual([]);
});

test("nothing in the shop encrypts by itself, or hashes with MD5 or SHA-1", () => {
	expect(filesWith(/\bencrypt\(|createCipher|\bmd5|\bsha-?1\b/i)).toEqual([]);
});

test("nothing that nobody may guess is made by Math.random: only the delay before a request is repeated", () => {
	expect(filesWith(/Math\.random/).toSorted()).toEqual(["app/orders/use-order-feed.ts", "app/shell/retry-requests.ts"]);
});

test("every regular expression in the shop and the emulator takes linear time", () => {
	const files = globSync("{app,drizzle,local,packages/stripe-emulator}/**/*.{ts,tsx}", {
		cwd: root,
		exclude: ["**/*.test.*", "**/tests/**", "**/*.vite.ts"],
	});
	const found = files.flatMap((path) => regularExpressionsIn(path, readFileSync(new URL(path, root), "utf8")));
	expect(found.length).toBeGreaterThan(50);
	expect(found.filter(({ expression }) => !isSafe(expression).safe)).toEqual([]);
});

function regularExpressionsIn(path: string, text: string): { path: string; expression: RegExp }[] {
	const found: { path: string; expression: RegExp }[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isRegularExpressionLiteral(node)) {
			const [, pattern = "", flags] = /^\/(.*)\/([a-z]*)$/.exec(node.text) ?? [];
			found.push({ path, expression: new RegExp(pattern, flags) });
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
	return found;
}
