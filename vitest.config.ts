import { defineConfig } from "vitest/config";

export default defineConfig({
	test: {
		// a scrypt hash takes a tenth of a second, and these machines are busy
		testTimeout: 30_000,
		hookTimeout: 60_000,
		maxWorkers: 2,
		projects: [
			{ extends: true, test: { name: "unit", include: ["{app,drizzle,scripts,stripe-emulator}/**/*.test.{ts,tsx}"] } },
			{ extends: true, test: { name: "worker", include: ["tests/worker/**/*.test.ts"] } },
		],
	},
});
