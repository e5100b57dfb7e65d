import { type ExecFileException, execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { readArguments } from "../../tools/scripts/arguments.ts";
import { endWith } from "../../tools/scripts/run.ts";
import { copyRepository } from "../support/copy-repository.ts";
import { changed, type Recipe, readRecipes } from "./recipes.ts";

const help = `Usage: npm run test:recipes -- [WORD…] [FILE…]

Performs the recipes of docs/recipes.md in copies of the repository, and runs \`npm test\` in each. Recipes that go
together share a copy. With words, performs only the recipes whose titles contain one of them, each in its own copy; with
files, runs only these tests.

Example: npm run test:recipes -- price`;
const { positionals: chosen } = readArguments(help, {}, () => true);
const files = chosen.filter((word) => word.includes("/"));
const words = chosen.filter((word) => !word.includes("/")).map((word) => word.toLowerCase());

const recipes = readRecipes();
const euros = readRecipes((text) => text.replace('"jpy"', '"eur"').replace('"ja-JP"', '"de-DE"'))
	.filter(({ title }) => title.includes("currency"))
	.map(({ title, steps }) => ({ title: `${title}, in euros`, steps }));
// these change lines that other recipes change or use as context
const second = recipes.filter(({ title }) => /currency|Remove/.test(title));
const shops =
	words.length === 0
		? [recipes.filter((recipe) => !second.includes(recipe)), second, euros]
		: [...recipes, ...euros]
				.filter(({ title }) => words.some((word) => title.toLowerCase().includes(word)))
				.map((recipe) => [recipe]);

let failed = 0;
for (const shop of shops) {
	const start = performance.now();
	const failure = await perform(shop);
	const minutes = ((performance.now() - start) / 60_000).toFixed(1);
	const titles = shop.map(({ title }) => title).join(" + ");
	console.info(`${failure ?? ""}${titles}: ${failure === null ? "passed" : "failed"}, ${minutes} minutes`);
	if (failure !== null) failed++;
}
console.info(`${shops.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 || shops.length === 0 ? 1 : 0;

/** Performs recipes in one copy of the repository and tests it. Resolves to null, or to what failed. */
async function perform(shop: Recipe[]): Promise<string | null> {
	const folder = mkdtempSync(join(tmpdir(), "recipe-"));
	const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
	process.on("exit", remove);
	try {
		copyRepository(folder);
		// as docs/recipes.md says
		rmSync(join(folder, "tests/recipes/recipes.test.ts"));
		// what the seventh product's recipe takes from its reader
		for (const [name, background] of [
			["front", "#a7c957"],
			["top", "#6a994e"],
		] as const) {
			const size = { width: 1280, height: 1280, channels: 3 as const, background };
			await sharp({ create: size })
				.jpeg()
				.toFile(join(folder, `${name}.jpg`));
		}
		for (const step of shop.flatMap(({ steps }) => steps)) {
			if ("path" in step) writeFileSync(join(folder, step.path), changed(join(folder, step.path), step));
			else await execute(folder, step.command);
		}
		await execute(folder, "npm run --silent format");
		await execute(folder, ["npm test --", ...files].join(" "));
		return null;
	} catch (error) {
		return `${error instanceof Error ? error.message : error}\n`;
	} finally {
		remove();
		process.off("exit", remove);
	}
}

/** Runs shell commands. Rejects with the end of their output if one fails. */
async function execute(folder: string, command: string): Promise<void> {
	const running = promisify(execFile)("bash", ["-ec", `exec 2>&1\n${command}`], { cwd: folder, maxBuffer: Infinity });
	endWith(running.child);
	await running.catch(({ stdout = "" }: ExecFileException) => {
		const lines = stdout.split("\n").filter((line) => !line.includes("✓"));
		throw new Error(`${command}\n${lines.slice(-300).join("\n")}`);
	});
}
