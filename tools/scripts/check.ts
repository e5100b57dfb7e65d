// `npm test` after the setup: runs lint, type checks, the build and all tests, and prints the totals. --long includes
// tests that take longer than ten minutes. To pass other options, run vitest or playwright directly.
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { installChromium } from "./chromium.ts";
import { run } from "./run.ts";

const long: Record<string, string> = process.argv.includes("--long") ? { LONG: "1" } : {};
let passed = 0;
let failed = 0;

function count(succeeded: boolean): boolean {
	if (succeeded) passed++;
	else failed++;
	return succeeded;
}

rmSync("test-results", { recursive: true, force: true });
mkdirSync("test-results");
await installChromium();
count(await run("biome", ["check", "--error-on-warnings"]));
count(await run("npm", ["run", "--silent", "typecheck"]));

if (count(await run("npm", ["run", "--silent", "build", "--", "--logLevel", "warn"]))) {
	const vitest = await run(
		"vitest",
		[
			"run",
			"--config",
			"tests/vitest.config.ts",
			"--reporter=default",
			"--reporter=json",
			"--outputFile.json=test-results/vitest.json",
		],
		long,
	);
	const vitestReport = readReport("test-results/vitest.json");
	add(Number(vitestReport["numPassedTests"]), Number(vitestReport["numFailedTests"]), vitest);

	const playwright = await run(
		"playwright",
		["test", "--config", "tests/playwright.config.ts", "--reporter=list,json"],
		{
			...long,
			PLAYWRIGHT_JSON_OUTPUT_FILE: "test-results/playwright.json",
		},
	);
	const stats = Object(readReport("test-results/playwright.json")["stats"]);
	add(Number(stats.expected), Number(stats.unexpected) + Number(stats.flaky), playwright);
}

console.info(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Adds a runner's totals. Counts a runner that fails without a failed test, for example because of a syntax error, as
 *  one failure. */
function add(testsPassed: number, testsFailed: number, succeeded: boolean): void {
	passed += testsPassed || 0;
	failed += testsFailed || (succeeded ? 0 : 1);
}

function readReport(path: string): Record<string, unknown> {
	try {
		return Object(JSON.parse(readFileSync(path, "utf8")));
	} catch {
		return {};
	}
}
