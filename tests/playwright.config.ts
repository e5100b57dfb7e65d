import { defineConfig } from "@playwright/test";
import { findChromium } from "../tools/scripts/chromium.ts";

const executablePath = findChromium();

export default defineConfig({
	outputDir: "../test-results/browser",
	projects: [
		{ name: "shop", testDir: "browser" },
		{ name: "stripe-emulator", testDir: "../packages/stripe-emulator/tests/browser" },
	],
	fullyParallel: true,
	workers: 2,
	forbidOnly: true,
	// generous, because a busy machine takes several times as long
	timeout: 240_000,
	expect: { timeout: 45_000 },
	use: {
		// differs from the edge's time zone (Austin in wrangler), to reveal hydration mismatches
		timezoneId: "America/New_York",
		// screenshots would take a quarter of the run time, and the DOM snapshots show the same content
		trace: { mode: "retain-on-failure", screenshots: false },
		launchOptions: {
			...(executablePath && { executablePath }),
			args: [
				"--no-sandbox",
				"--disable-gpu",
				"--disable-quic",
				"--no-first-run",
				"--disable-background-networking",
				"--disable-component-update",
				"--disable-sync",
			],
		},
	},
});
