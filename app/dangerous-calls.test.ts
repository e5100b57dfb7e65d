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

test("the shop does not import modules for files, commands or virtual machines", () => {
	expect(filesWith(/["'](node:(?!crypto")|fs|child_process|vm)/)).toEqual([]);
});

test("the shop never evaluates strings as code", () => {
	expect(filesWith(/\beval\(|\bFunction\(|set(Timeout|Interval)\(\s*["'`]/)).toEqual([]);
});

test("the shop never builds SQL from strings", () => {
	expect(filesWith(/sql\.raw|\.prepare\(\s*[`"']/)).toEqual([]);
});

test("the shop inserts no HTML strings except one constant inline script", () => {
	expect(filesWith(/innerHTML|insertAdjacentHTML|document\.write|srcdoc/i)).toEqual(["app/root.tsx"]);
	const root = sources.find(({ path }) => path === "app/root.tsx");
	expect(root?.text.match(/innerHTML=.*?\}/gi)).toEqual(["InnerHTML={{ __html: beforeReact }"]);
});

test("the shop parses no XML", () => {
	expect(filesWith(/DOMParser|text\/xml|application\/xml/)).toEqual([]);
});

test("the shop does not encrypt, or hash with MD5 or SHA-1", () => {
	expect(filesWith(/\bencrypt\(|createCipher|\bmd5|\bsha-?1\b/i)).toEqual([]);
});

test("the shop uses Math.random only for retry delays", () => {
	expect(filesWith(/Math\.random/).toSorted()).toEqual(["app/orders/use-order-feed.ts", "app/shell/retry-requests.ts"]);
});

test("every regular expression in the shop and the emulator is safe from excessive backtracking", () => {
	const files = globSync("{app,drizzle,local,packages/stripe-emulator}/**/*.{ts,tsx}", {
		cwd: root,
		exclude: ["**/*.test.*", "**/*.spec.*", "**/*.vite.ts"],
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
