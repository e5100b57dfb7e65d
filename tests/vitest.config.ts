import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest files, which run first so that they do not finish long after the others. */
const longest = /(simulation|fuzz)\.test\.ts$/;

class LongestFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const sorted = await super.sort(files);
		return sorted.toSorted((a, b) => Number(longest.test(b.moduleId)) - Number(longest.test(a.moduleId)));
	}
}

/** The test that replaces a module with vi.mock, which would replace it for other files of the same worker too. */
const mocking = ["app/auth/password.server.test.ts"];

export default defineConfig({
	test: {
		// check.ts reads the totals in the second
		reporters: ["default", ["json", { outputFile: "test-results/vitest.json" }]],
		// the table of the simulation belongs to a long run
		silent: process.env["LONG"] ? false : "passed-only",
		// Workers run in UTC
		env: { TZ: "UTC" },
		// a scrypt hash takes 0.1 s, and longer on a busy machine
		testTimeout: 120_000,
		hookTimeout: 120_000,
		// one more than the cores, because tests of timeouts mostly wait
		maxWorkers: availableParallelism() + 1,
		maxConcurrency: 3,
		sequence: { sequencer: LongestFirst },
		projects: [
			{
				extends: true,
				test: {
					name: "unit",
					// importing the same modules for each file would take longer than most of the files
					isolate: false,
					setupFiles: "tests/support/unit-hooks.ts",
					exclude: [...mocking, "**/node_modules/**"],
					include: [
						"tests/{,recipes/}*.test.ts",
						"{app,drizzle,local,tools}/**/*.test.{ts,tsx}",
						"packages/*/{api,browser,controls,objects,page,webhooks}/**/*.test.ts",
						"packages/*/*.test.ts",
					],
				},
			},
			{ extends: true, test: { name: "unit with mocks", include: mocking } },
			{
				extends: true,
				test: {
					name: "worker",
					include: ["tests/worker/**/*.test.ts"],
					isolate: false,
					globalSetup: "tools/scripts/build.ts",
				},
			},
			{
				extends: true,
				test: {
					name: "stripe-emulator",
					isolate: false,
					include: ["packages/stripe-emulator/tests/worker/**/*.test.ts"],
					globalSetup: "packages/stripe-emulator/tests/support/setup.ts",
					setupFiles: "packages/stripe-emulator/tests/support/hooks.ts",
				},
			},
			{
				extends: true,
				resolve: {
					alias: {
						"cloudflare:workers": new URL("simulation/worker-runtime.ts", import.meta.url).pathname,
						// the SDK's build for Workers, created once
						stripe: new URL("simulation/stripe-sdk.ts", import.meta.url).pathname,
					},
				},
				test: { name: "simulation", include: ["tests/simulation/**/*.test.ts"] },
			},
		],
	},
});
