import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import sharp from "sharp";
import { readArguments } from "../../tools/scripts/arguments.ts";
import { changed, readRecipes } from "./recipes.ts";

const help = `Usage: npm run test:recipes -- [WORD…] [FILE…]

Performs the recipes of docs/recipes.md in copies of the repository, and runs \`npm test\` in each. With words, performs
only the recipes whose titles contain one of them; with files, runs only these tests.

Example: npm run test:recipes -- price`;
const { positionals: chosen } = readArguments(help, {}, () => true);
const files = chosen.filter((word) => word.includes("/"));
const words = chosen.filter((word) => !word.includes("/")).map((word) => word.toLowerCase());
const recipes = readRecipes().filter(
	({ title }) => words.length === 0 || words.some((word) => title.toLowerCase().includes(word)),
);

let failed = 0;
for (const { title, steps } of recipes) {
	const start = performance.now();
	const folder = copyRepository();
	try {
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
		for (const step of steps) {
			if ("path" in step) writeFileSync(join(folder, step.path), changed(join(folder, step.path), step));
			else execute(folder, step.command);
		}
		execute(folder, "npm run --silent format");
		execute(folder, ["npm test --", ...files].join(" "));
		console.info(`${title}: 0 failed, ${((performance.now() - start) / 60_000).toFixed(1)} minutes`);
	} catch (error) {
		failed++;
		console.error(`${title}: ${error instanceof Error ? error.message : error}`);
	}
	rmSync(folder, { recursive: true, force: true });
}
console.info(`${recipes.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 || recipes.length === 0 ? 1 : 0;

/** Copies the files of the repository, committed or not, to a folder with the same installed packages. */
function copyRepository(): string {
	const folder = mkdtempSync(join(tmpdir(), "recipe-"));
	const listed = spawnSync("git", ["ls-files", "-co", "--exclude-standard", "--deduplicate"], { encoding: "utf8" });
	for (const path of listed.stdout.trim().split("\n")) {
		cpSync(path, join(folder, path), { preserveTimestamps: true, force: true });
	}
	mkdirSync(join(folder, "node_modules"));
	for (const entry of readdirSync("node_modules", { withFileTypes: true })) {
		const [from, to] = [resolve("node_modules", entry.name), join(folder, "node_modules", entry.name)];
		if (entry.isFile()) cpSync(from, to, { preserveTimestamps: true });
		// npm links the repository's own packages, of which the copy has its own
		else symlinkSync(entry.isSymbolicLink() ? readlinkSync(from) : from, to);
	}
	return folder;
}

/** Runs a shell command. Throws with the end of its output if it fails. */
function execute(folder: string, command: string): void {
	// a long run performs the recipes, too
	const env = { ...process.env, LONG: "" };
	const { status, stdout, stderr } = spawnSync("bash", ["-ec", command], { cwd: folder, encoding: "utf8", env });
	if (status !== 0) throw new Error(`${command}\n${`${stdout}${stderr}`.split("\n").slice(-60).join("\n")}`);
}
