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
	// nothing is measured here: on a busy machine all of it takes several times as long, and is still right
	timeout: 240_000,
	expect: { timeout: 45_000 },
	use: {
		// not the zone of the edge (which wrangler has in Austin): what is rendered there and hydrated here shows
		timezoneId: "America/New_York",
		// the pictures between would cost a quarter of the time, and its snapshots of the document show the same
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
