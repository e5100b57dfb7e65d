// `npm test` after the setup. Without arguments, runs lint, type checks, the build and all tests. With files, folders
// or -t TITLE, runs only these tests. --long includes the tests that take longer than ten minutes.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { buildIfStale } from "./build.ts";
import { installChromium } from "./chromium.ts";
import type { Totals } from "./reporter.ts";
import { run } from "./run.ts";
import { selectTests } from "./select-tests.ts";

interface Part extends Totals {
	name: string;
	seconds: number;
}

const { values, positionals } = parse();
const env: Record<string, string> = values.long ? { LONG: "1" } : {};
const vitest = ["run", "--config", "tests/vitest.config.ts"];
const playwright = ["test", "--config", "tests/playwright.config.ts"];

rmSync("test-results", { recursive: true, force: true });
mkdirSync("test-results");
if (positionals.length > 0 || values.title !== undefined) await runSelected();
else await runEverything();

function parse() {
	try {
		const options = { title: { type: "string", short: "t" }, long: { type: "boolean", default: false } } as const;
		return parseArgs({ options, allowPositionals: true });
	} catch (error) {
		console.error(String(error));
		console.error('Usage: npm test -- [FILE or FOLDER …] [-t "part of a title"] [--long]');
		process.exit(1);
	}
}

/** Runs the chosen tests with the runners' own reporters, which print each title. */
async function runSelected(): Promise<void> {
	const { title } = values;
	const chosen = selectTests(positionals);
	if ("unknown" in chosen) {
		console.error(`No test file has "${chosen.unknown}" in its path.`);
		process.exit(1);
	}
	const succeeded = [];
	if (chosen.vitest) {
		const named = title === undefined ? [] : ["--testNamePattern", patternOf(title)];
		succeeded.push(await run("vitest", [...vitest, ...chosen.vitest, ...named], env));
	}
	if (chosen.playwright) {
		await installChromium();
		const named = title === undefined ? [] : ["--grep", patternOf(title), "--pass-with-no-tests"];
		succeeded.push(await run("playwright", [...playwright, ...chosen.playwright, "--reporter=list", ...named], env));
	}
	process.exitCode = succeeded.every(Boolean) ? 0 : 1;
}

/** Returns a pattern that matches a part of a title, in upper or lower case. */
function patternOf(title: string): string {
	return `(?i:${title.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)})`;
}

/** Runs the parts from fast to slow, and continues after a failure. */
async function runEverything(): Promise<void> {
	await installChromium();
	// the type checker uses one core; lint and the build run beside it
	const types = time("types", "npm run typecheck", () => run("npm", ["run", "--silent", "typecheck"]));
	const parts = [await time("lint", "npm run lint", () => run("biome", ["check", "--error-on-warnings"]))];
	const build = await time("build", "npm run build", buildIfStale);
	parts.push(build, await types);
	if (build.failed === 0) {
		const reporter = "tools/scripts/reporter.ts";
		parts.push(await timeTests("vitest", [...vitest, `--reporter=${reporter}`]));
		parts.push(await timeTests("playwright", [...playwright, `--reporter=${process.cwd()}/${reporter}`]));
	}
	printTable(parts);
	const passed = parts.reduce((sum, part) => sum + part.passed, 0);
	const failed = parts.reduce((sum, part) => sum + part.failed, 0);
	console.info(`${passed} passed, ${failed} failed`);
	process.exitCode = failed === 0 ? 0 : 1;
}

/** Runs a part that counts as one test. */
async function time(name: string, command: string, work: () => Promise<boolean>): Promise<Part> {
	const start = performance.now();
	const succeeded = await work();
	const seconds = (performance.now() - start) / 1000;
	console.info(succeeded ? `✓ ${name} (${seconds.toFixed(1)} s)` : `✗ ${name}\n  Run only this part: ${command}\n`);
	return { name, seconds, passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1, skipped: 0 };
}

/** Runs a test runner. Counts a runner that fails without a failed test as one failure. */
async function timeTests(runner: string, args: string[]): Promise<Part> {
	const report = `test-results/${runner}.json`;
	const start = performance.now();
	const succeeded = await run(runner, args, { ...env, REPORT: report });
	const seconds = (performance.now() - start) / 1000;
	const totals = readTotals(report);
	return { name: runner, seconds, ...totals, failed: totals.failed || (succeeded ? 0 : 1) };
}

function readTotals(path: string): Totals {
	try {
		return JSON.parse(readFileSync(path, "utf8"));
	} catch {
		return { passed: 0, failed: 0, skipped: 0 };
	}
}

function printTable(parts: Part[]): void {
	const rows = parts.map(({ name, seconds, passed, failed, skipped }) => [
		name,
		seconds.toFixed(1),
		passed,
		failed,
		skipped,
	]);
	const header = ["part", "seconds", "passed", "failed", "skipped"];
	const line = ([name, ...rest]: (string | number)[]) =>
		String(name).padEnd(12) + rest.map((cell) => String(cell).padStart(9)).join("");
	console.info(["", header, ...rows].map((row) => (typeof row === "string" ? row : line(row))).join("\n"));
}
