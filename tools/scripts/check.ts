// `npm test`, after the set-up: lint, types, build, then every test, and the sum in the last line. With --long the
// tests that take longer than ten minutes run too. Other arguments are not taken; run vitest or playwright for those.
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
	const unit = report("test-results/vitest.json");
	add(Number(unit["numPassedTests"]), Number(unit["numFailedTests"]), vitest);

	const playwright = await run(
		"playwright",
		["test", "--config", "tests/playwright.config.ts", "--reporter=list,json"],
		{
			...long,
			PLAYWRIGHT_JSON_OUTPUT_FILE: "test-results/playwright.json",
		},
	);
	const stats = Object(report("test-results/playwright.json")["stats"]);
	add(Number(stats.expected), Number(stats.unexpected) + Number(stats.flaky), playwright);
}

console.info(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** A runner that failed without a failed test (a file that does not load, say) counts as one. */
function add(testsPassed: number, testsFailed: number, succeeded: boolean): void {
	passed += testsPassed || 0;
	failed += testsFailed || (succeeded ? 0 : 1);
}

function report(path: string): Record<string, unknown> {
	try {
		return Object(JSON.parse(readFileSync(path, "utf8")));
	} catch {
		return {};
	}
}
