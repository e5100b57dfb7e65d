import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { replaceInPackages } from "./replace-in-packages.ts";

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "half-dozen-replace-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const plugin = replaceInPackages("without-hooks", [
	{ path: /chunk-\w+\.mjs$/, contains: "createRouter", replacements: [[/\b(init|opts)\.hooks\b/g, "undefined"]] },
]);

/** Bundles one file with the plugin and returns the code. */
async function bundle(file: string, code: string): Promise<string> {
	const input = join(folder, file);
	await writeFile(input, code);
	const bundled = await build({
		configFile: false,
		root: folder,
		logLevel: "silent",
		plugins: [plugin],
		build: { write: false, minify: false, rolldownOptions: { input, preserveEntrySignatures: "strict" } },
	});
	const chunks = [bundled].flat().flatMap((output) => ("output" in output ? output.output : []));
	return chunks.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
}

test("replaceInPackages replaces every match in the chosen file", async () => {
	const code = await bundle("chunk-A1.mjs", "export const createRouter = (init, opts) => [init.hooks, opts.hooks];");
	expect(code.match(/void 0/g)).toHaveLength(2);
	expect(code).not.toContain(".hooks");
});

test.each([
	["index.mjs", "createRouter"],
	["chunk-A1.mjs", "createServer"],
])("replaceInPackages leaves %s with %s unchanged", async (file, name) => {
	expect(await bundle(file, `export const ${name} = (init) => init.hooks;`)).toContain("init.hooks");
});

test("a pattern that matches nothing fails the build with an error that names the pattern and the file", async () => {
	await expect(bundle("chunk-A1.mjs", "export const createRouter = (init) => [init.url];")).rejects.toThrow(
		/without-hooks: .*hooks.* matches nothing in .*chunk-A1\.mjs/,
	);
});
