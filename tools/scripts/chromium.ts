import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { run } from "./run.ts";

const usual = [
	"/usr/bin/chromium",
	"/usr/bin/chromium-browser",
	"/usr/bin/google-chrome",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Where a Chromium is on this machine: CHROMIUM if that is set, a usual place, or Playwright's own; null if nowhere. */
export function findChromium(): string | null {
	const places = [process.env["CHROMIUM"] ?? "", ...usual, chromium.executablePath()];
	return places.find((place) => place !== "" && existsSync(place)) ?? null;
}

/** Installs one where there is none: Playwright's download, or Debian's package where that cannot be had. */
export async function installChromium(): Promise<void> {
	if (findChromium()) return;
	console.info("Installing Chromium for the browser tests (once)…");
	if (await run("playwright", ["install", "--with-deps", "chromium"])) return;
	const asRoot = process.getuid?.() === 0 ? [] : ["sudo"];
	const apt = async (...args: string[]) => {
		const [program = "", ...rest] = [...asRoot, "apt-get", ...args];
		return run(program, rest).catch(() => false);
	};
	if ((await apt("update")) && (await apt("install", "-y", "--no-install-recommends", "chromium")) && findChromium())
		return;
	console.error("No Chromium could be installed. Install one and say where it is: CHROMIUM=/path/to/chromium npm test");
	process.exit(1);
}
