import { existsSync, readFileSync, rmSync } from "node:fs";
import { z } from "zod";
import { readArguments } from "./arguments.ts";
import { run, runOrExit } from "./run.ts";

const help = `Usage: npm test -- [--watch] [-t PATTERN] [FILE…]

Runs lint, the type checks and all tests. With files, folders or -t, runs only these tests, or those whose titles match.
The last line adds up what both runners report. --watch (npm run test:watch) repeats the unit tests and a short
simulation when a file is saved. LONG=1 (npm run test:long) runs more schedules and random requests, for hours.

Example: npm test -- tests/worker -t "sign out"`;
const { values, positionals: files } = readArguments(
	help,
	{ title: { type: "string", short: "t" }, watch: { type: "boolean" } },
	() => true,
);
const titled = (option: string) => (values.title === undefined ? [] : [option, values.title]);

if (values.watch) {
	const projects = ["--project", "unit*", "--project", "simulation"];
	const args = ["watch", "--config", "tests/vitest.config.ts", ...projects, ...titled("--testNamePattern"), ...files];
	await runOrExit("vitest", args, { SIMULATION: "quick" });
	process.exit();
}

const total = { passed: 0, failed: 0 };
const parts: string[] = [];

const vitestReport = z.object({ numPassedTests: z.number(), numFailedTests: z.number() });
const playwrightReport = z.object({ stats: z.object({ expected: z.number(), unexpected: z.number() }) });

const isBrowserTest = (path: string) => /tests\/browser|\.spec\.ts$/.test(path);
const chosen = { vitest: files.filter((path) => !isBrowserTest(path)), playwright: files.filter(isBrowserTest) };

rmSync("test-results", { recursive: true, force: true });
if (files.length === 0 && values.title === undefined) {
	const checks = ["lint", "typecheck"].map((script) =>
		runPart(script, "npm", ["run", "--silent", script], (succeeded) => [Number(succeeded), Number(!succeeded)]),
	);
	await Promise.all(checks);
}
// Playwright loads slowly, and the help does not need it
const { installChromium } = await import("./chromium.ts");
await installChromium();
if (files.length === 0 || chosen.vitest.length > 0) {
	await runTests("vitest", ["run", "--passWithNoTests"], "--testNamePattern", (report) => {
		const { numPassedTests, numFailedTests } = vitestReport.parse(report);
		return [numPassedTests, numFailedTests];
	});
}
if (files.length === 0 || chosen.playwright.length > 0) {
	await runTests("playwright", ["test", "--pass-with-no-tests"], "--grep", (report) => {
		const { expected, unexpected } = playwrightReport.parse(report).stats;
		return [expected, unexpected];
	});
}
console.info(parts.join("\n"));
if (total.passed + total.failed === 0) console.error("No test has this path and title.");
console.info(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.passed > 0 && total.failed === 0 ? 0 : 1;

/** Runs a test runner with the chosen files and titles. `count` returns the numbers of passed and failed tests in the
 *  report that the runner's configuration writes. */
function runTests(
	runner: keyof typeof chosen,
	args: string[],
	titleOption: string,
	count: (report: unknown) => [number, number],
) {
	const config = ["--config", `tests/${runner}.config.ts`];
	const report = `test-results/${runner}.json`;
	return runPart(runner, runner, [...args, ...config, ...titled(titleOption), ...chosen[runner]], () =>
		// there is no report if the build fails
		existsSync(report) ? count(JSON.parse(readFileSync(report, "utf8"))) : [0, 0],
	);
}

/** Runs a program, and adds the numbers of passed and failed tests to the total. A program that fails without a failed
 *  test counts as one. */
async function runPart(name: string, program: string, args: string[], count: (succeeded: boolean) => [number, number]) {
	const start = performance.now();
	const succeeded = await run(program, args);
	const seconds = ((performance.now() - start) / 1000).toFixed(1);
	const [passed, failed] = count(succeeded);
	total.passed += passed;
	total.failed += failed || Number(!succeeded);
	parts.push(`${name.padEnd(12)}${seconds.padStart(8)} s`);
}
