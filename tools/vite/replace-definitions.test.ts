import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { replaceDefinitions } from "./replace-definitions.ts";

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "half-dozen-replace-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Bundles one file with the plugin and returns the code. */
async function bundle(file: string, code: string): Promise<string> {
	const input = join(folder, file);
	await writeFile(input, code);
	const bundled = await build({
		configFile: false,
		root: folder,
		logLevel: "silent",
		plugins: [replaceDefinitions("without-hooks", /chunk-\w+\.mjs$/, { runHooks: "{ return 1; }", hooks: "null" })],
		build: { write: false, minify: false, rolldownOptions: { input, preserveEntrySignatures: "strict" } },
	});
	const chunks = [bundled].flat().flatMap((output) => ("output" in output ? output.output : []));
	return chunks.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
}

const code = `
export function runHooks(init) { return init.first(); }
export const nested = (init) => { let hooks = init.second, other = 2; return [hooks, other, runHooks]; };
`;

test("replaceDefinitions replaces the body of a function and the value of a nested variable", async () => {
	const bundled = await bundle("chunk-A1.mjs", code);
	expect(bundled).toMatch(/function runHooks\(init\) \{\s+return 1;\s+\}/);
	expect(bundled).toContain("null");
	expect(bundled).not.toMatch(/first|second/);
});

test("the build fails with an error that names the plugin and the names if no file of the package defines them", async () => {
	await expect(bundle("chunk-A1.mjs", "export const other = (init) => init.hooks;")).rejects.toThrow(
		/without-hooks: no file in .* defines runHooks, hooks/,
	);
});

test("replaceDefinitions leaves a build without the package unchanged", async () => {
	expect(await bundle("index.mjs", code)).toContain("init.second");
});

test.each([
	["does not define", code.replace("let hooks", "let renamed"), 0],
	["defines twice", `${code} export const more = () => { let hooks = 1; return hooks; };`, 2],
])("a name that the file %s fails the build with an error that names it and the file", async (_, code, count) => {
	await expect(bundle("chunk-A1.mjs", code)).rejects.toThrow(
		new RegExp(`without-hooks: hooks is defined ${count} times in .*chunk-A1\\.mjs`),
	);
});
