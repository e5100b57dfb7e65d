import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";

/** Prints why a test was skipped, which Playwright's list reporter leaves out. */
export default class SkipReporter implements Reporter {
	onTestEnd({ title }: TestCase, { annotations }: TestResult): void {
		for (const { type, description } of annotations) {
			if (type === "skip") console.info(`Skipped "${title}": ${description}.`);
		}
	}
}
