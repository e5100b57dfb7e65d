import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { installPackages } from "./apt.ts";
import { exit } from "./arguments.ts";
import { run } from "./run.ts";

const shell = "/usr/bin/chromium-headless-shell";
const wholeBrowsers = [
	"/usr/bin/chromium",
	"/usr/bin/chromium-browser",
	"/usr/bin/google-chrome",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const find = (paths: string[]) => paths.find((path) => path !== "" && existsSync(path)) ?? null;

/** Returns the path of a Chromium: the one in CHROMIUM, an installed one, or Playwright's. Returns null if there is
 *  none. The headless shell comes first: it needs two thirds of the CPU time of a whole browser. */
export function findChromium(): string | null {
	return find([process.env["CHROMIUM"] ?? "", shell, ...wholeBrowsers, chromium.executablePath()]);
}

/** Returns the path of a Chromium with a back-forward cache, which the headless shell lacks, or null if there is
 *  none. */
export function findWholeChromium(): string | null {
	const chosen = process.env["CHROMIUM"] ?? "";
	return find([...wholeBrowsers, chromium.executablePath(), chosen.includes("headless") ? "" : chosen]);
}

/** Installs Chromium if there is none: Playwright's build, or Debian's or Ubuntu's package if the download fails. */
export async function installChromium(): Promise<void> {
	if (findChromium()) return;
	console.info("Installing Chromium for the browser tests (once)…");
	if (await run("playwright", ["install", "--with-deps", "chromium"])) return;
	(await installPackages("chromium", "chromium-headless-shell")) || (await installPackages("chromium"));
	if (findChromium()) return;
	exit("Could not install Chromium. Install it yourself, then run: CHROMIUM=/path/to/chromium npm test");
}
