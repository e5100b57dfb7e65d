import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The file that takes longest, which must not begin when the others have ended. */
const longest = "schedules.test.ts";

class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const sorted = await super.sort(files);
		return sorted.toSorted((a, b) => Number(b.moduleId.endsWith(longest)) - Number(a.moduleId.endsWith(longest)));
	}
}

export default defineConfig({
	test: {
		// a scrypt hash takes a tenth of a second, and these machines are busy
		testTimeout: 120_000,
		hookTimeout: 120_000,
		maxWorkers: 2,
		maxConcurrency: 3,
		sequence: { sequencer: LongestFirst },
		projects: [
			{ extends: true, test: { name: "unit", include: ["{app,drizzle,scripts,stripe-emulator}/**/*.test.{ts,tsx}"] } },
			{ extends: true, test: { name: "worker", include: ["tests/worker/**/*.test.ts"] } },
		],
	},
});
