// Finds dangerous calls that no Biome rule covers. biome.json forbids the others, such as eval and Node's modules.
import { globSync, readFileSync } from "node:fs";
import { isSafe } from "redos-detector";
import { Visitor } from "vite";
import { expect, test } from "vitest";
import { parseSource, readSources } from "../tests/support/sources.ts";

test.each<[string, RegExp, string[]]>([
	["no SQL statement bypasses Drizzle", /sql\.raw|\.prepare\(\s*[`"']/, []],
	[
		"only the constant scripts of the head and escaped JSON are inserted as HTML",
		/([iI]nner|outer|Adjacent)HTML|document\.write|src[dD]oc/,
		["app/frame/page-tags.tsx", "app/root.tsx"],
	],
	["no code encrypts data or hashes it with MD5 or SHA-1", /\bencrypt\(|createCipher|\bmd5|\bsha-?1\b/i, []],
	["Math.random is used only for retry delays", /Math\.random/, ["app/orders/use-order-feed.ts"]],
	["only sign-in starts a session", /\bstartSession\(/, ["app/auth/sessions.server.ts", "app/auth/sign-in.server.ts"]],
	[
		"four cookies exist",
		/__Host-\w/,
		[
			"app/auth/sessions.server.ts",
			"app/http/cookies.server.ts",
			"app/http/databases.server.ts",
			"app/orders/owner.server.ts",
		],
	],
	["no text becomes a regular expression", /new RegExp\(/, []],
	[
		"no control has the attribute disabled, which would take it and its reason out of the tab order: use aria-disabled",
		/(?<!-)\bdisabled(=|>|$)/m,
		[],
	],
	["no page listens to messages from other windows", /addEventListener\("message"|window\.onmessage/, []],
])("%s", (_, pattern, allowed) => {
	const sources = readSources("{app,drizzle}");
	expect(sources.length).toBeGreaterThan(60);
	expect(sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)).toEqual(allowed);
});

test("the shop uses nothing private of a package, and CONTRIBUTING.md lists what tools and tests use", () => {
	const pattern = /\b__react\w+|\bunstable_\w+|\bUNSAFE_\w+|node_modules\/(?!\.)[@\w-]+\/[\w./-]+\.m?js\b/g;
	const usesOf = (text: string) => text.match(pattern) ?? [];
	expect(readSources("{app,drizzle,local,packages}").flatMap(({ text }) => usesOf(text))).toEqual([]);
	const files = globSync(["{tools,tests}/**/*.ts", "*.ts"], {
		exclude: ["**/node_modules/**", "worker-configuration.d.ts"],
	});
	const used = new Set(files.flatMap((file) => usesOf(readFileSync(file, "utf8"))));
	const [, list = ""] =
		/\*\*Private parts of packages\*\*(.*?)\n## /s.exec(readFileSync("docs/CONTRIBUTING.md", "utf8")) ?? [];
	const listed = [...list.matchAll(/^- [^`\n]*`([^`]+)`/gm)].map(([, name]) => name);
	expect([...used].toSorted()).toEqual(listed.toSorted());
});

test("every regular expression in the shop and the emulator runs in linear time", () => {
	const found = readSources("{app,drizzle,local,packages/stripe-emulator}").flatMap(listRegularExpressions);
	expect(found.length).toBeGreaterThan(50);
	expect(found.filter(({ expression }) => !isSafe(expression).safe)).toEqual([]);
});

function listRegularExpressions(source: { path: string; text: string }) {
	const found: { path: string; expression: RegExp }[] = [];
	const visitor = new Visitor({
		Literal(literal) {
			if (!("regex" in literal)) return;
			const { pattern, flags } = literal.regex;
			found.push({ path: source.path, expression: new RegExp(pattern, flags) });
		},
	});
	visitor.visit(parseSource(source));
	return found;
}
