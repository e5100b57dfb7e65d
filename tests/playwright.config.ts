import { availableParallelism } from "node:os";
import { chromium, defineConfig } from "@playwright/test";
import { findChromium } from "../tools/scripts/chromium.ts";

// Playwright's own headless Chromium starts without a path
const found = findChromium();
const executablePath = found === chromium.executablePath() ? null : found;

export default defineConfig({
	outputDir: "../test-results/browser",
	// each worker starts a shop on a free port (support/browser.ts)
	globalSetup: "../tools/scripts/build.ts",
	projects: [
		{ name: "shop", testDir: "browser" },
		{ name: "stripe-emulator", testDir: "../packages/stripe-emulator/tests/browser" },
	],
	// check.ts reads the totals in the last
	reporter: [["list"], ["json", { outputFile: "../test-results/playwright.json" }]],
	// a missing transcript fails: TRANSCRIBE=1 writes them
	snapshotPathTemplate: "transcripts/{arg}{ext}",
	updateSnapshots: process.env["TRANSCRIBE"] ? "changed" : "none",
	fullyParallel: true,
	// one more than the cores, because each test waits for its browser
	workers: availableParallelism() + 1,
	forbidOnly: true,
	retries: 0,
	// for a test that builds the shop
	timeout: 240_000,
	// measured with ten processes for each core: no assertion, action or navigation took longer than 7 s
	expect: { timeout: 15_000, toPass: { timeout: 15_000 } },
	use: {
		// otherwise a click on what does not exist would take the whole time of its test
		actionTimeout: 15_000,
		navigationTimeout: 15_000,
		// differs from the edge's time zone (Austin in wrangler), to reveal hydration mismatches
		timezoneId: "America/New_York",
		// traces would take a fifth of the run time: record one with --trace on
		trace: "off",
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
