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

test("replaceDefinitions replaces the definitions of one package, and no other code", async () => {
	const bundled = await bundle("chunk-A1.mjs", code);
	expect(bundled).toMatch(/function runHooks\(init\) \{\s+return 1;\s+\}/);
	expect(bundled).toContain("null");
	expect(bundled).not.toMatch(/first|second/);
	expect(await bundle("index.mjs", code)).toContain("init.second");
});

test.each([
	["in no file", "export const other = (init) => init.hooks;", /no file in .* defines runHooks, hooks/],
	["never in the file", code.replace("let hooks", "let renamed"), /hooks is defined 0 times in .*chunk-A1\.mjs/],
	["twice", `${code} export const more = () => { let hooks = 1; return hooks; };`, /hooks is defined 2 times in/],
])("a name that is defined %s fails the build with an error", async (_, code, error) => {
	await expect(bundle("chunk-A1.mjs", code)).rejects.toThrow(error);
});
