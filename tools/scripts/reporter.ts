import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import { styleText } from "node:util";
import type {
	FullConfig,
	FullResult,
	Reporter as PlaywrightReporter,
	TestCase as PlaywrightTest,
	Suite,
	TestError,
	TestResult,
} from "@playwright/test/reporter";
import type { TestCase, TestModule, Reporter as VitestReporter } from "vitest/node";

/** The totals of one runner, in the file that REPORT names. */
export interface Totals {
	passed: number;
	failed: number;
	skipped: number;
}

interface BrowserFile {
	tests: number;
	/** Number of tests that have not ended. */
	left: number;
	failed: number;
	milliseconds: number;
}

/** A reporter for vitest and for Playwright. Prints a failed test at once, with the command that runs it alone, and
 *  each test file when its last test ends. */
export default class Reporter implements VitestReporter, PlaywrightReporter {
	readonly #totals: Totals = { passed: 0, failed: 0, skipped: 0 };
	/** The files of browser tests by path. */
	readonly #files = new Map<string, BrowserFile>();

	onTestCaseResult(test: TestCase): void {
		const { state, errors = [] } = test.result();
		if (state !== "pending") this.#totals[state]++;
		if (state === "failed") printFailure(test.module.moduleId, test.name, test.fullName, errors);
	}

	onTestModuleEnd(module: TestModule): void {
		const suites = [module, ...module.children.allSuites()];
		const errors = suites.flatMap((suite) => suite.errors());
		this.#addErrors(errors, module.moduleId);
		const tests = [...module.children.allTests()];
		const failed = tests.filter((test) => test.result().state === "failed").length + errors.length;
		printFile(module.moduleId, tests.length, failed, module.diagnostic().duration);
	}

	onTestRunEnd(_: readonly TestModule[], unhandled: readonly { message: string; stack?: string }[]): void {
		this.#addErrors(unhandled);
		this.#write();
	}

	onUserConsoleLog({ content }: { content: string }): void {
		process.stdout.write(content);
	}

	onBegin(_: FullConfig, suite: Suite): void {
		for (const { location } of suite.allTests()) {
			const file = this.#fileOf(location.file);
			file.tests++;
			file.left++;
		}
	}

	onTestEnd(test: PlaywrightTest, { status, errors, duration }: TestResult): void {
		const state = status === "skipped" ? "skipped" : test.ok() ? "passed" : "failed";
		this.#totals[state]++;
		const path = test.location.file;
		const file = this.#fileOf(path);
		file.left--;
		file.milliseconds += duration;
		if (state === "failed") {
			file.failed++;
			// the first titles are those of the root, the project and the file
			printFailure(path, test.title, test.titlePath().slice(3).join(" › "), errors);
		}
		if (file.left === 0) printFile(path, file.tests, file.failed, file.milliseconds);
	}

	onError(error: TestError): void {
		this.#addErrors([error]);
	}

	onEnd(_: FullResult): void {
		this.#write();
	}

	onStdOut(chunk: string | Buffer): void {
		process.stdout.write(chunk);
	}

	onStdErr(chunk: string | Buffer): void {
		process.stderr.write(chunk);
	}

	printsToStdio(): boolean {
		return true;
	}

	#fileOf(path: string): BrowserFile {
		const file = this.#files.get(path) ?? { tests: 0, left: 0, failed: 0, milliseconds: 0 };
		this.#files.set(path, file);
		return file;
	}

	/** Counts and prints errors outside of tests, such as syntax errors. */
	#addErrors(errors: readonly { message?: string; stack?: string }[], path = ""): void {
		this.#totals.failed += errors.length;
		if (errors.length > 0) printFailure(path, "", "", errors);
	}

	#write(): void {
		const path = process.env["REPORT"];
		if (path) writeFileSync(path, JSON.stringify(this.#totals));
	}
}

function printFailure(
	path: string,
	title: string,
	fullTitle: string,
	errors: readonly { message?: string; stack?: string; diff?: string | undefined }[],
): void {
	const file = path && relative(process.cwd(), path);
	const lines = errors.flatMap(({ message = "", stack, diff }) => [stack?.includes(message) ? stack : message, diff]);
	// the shell would expand $ and ` in double quotes
	const option = title && ` -t '${title.replaceAll("'", String.raw`'\''`)}'`;
	console.info(styleText("red", `✗ ${[file, fullTitle].filter(Boolean).join(" › ")}`));
	for (const text of lines) if (text) console.info(text.replaceAll(/^/gm, "    "));
	if (file) console.info(`  Run only this test: npm test -- ${file}${option}\n`);
}

function printFile(path: string, tests: number, failed: number, milliseconds: number): void {
	const mark = failed > 0 ? styleText("red", "✗") : styleText("green", "✓");
	const count = failed > 0 ? `${failed} of ${tests} tests failed` : `${tests} tests`;
	console.info(`${mark} ${relative(process.cwd(), path)} (${count}, ${(milliseconds / 1000).toFixed(1)} s)`);
}
