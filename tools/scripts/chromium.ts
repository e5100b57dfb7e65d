import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { run } from "./run.ts";

/** The headless shell comes first: it needs two thirds of the CPU time of a whole browser. */
const usualPaths = [
	"/usr/bin/chromium-headless-shell",
	"/usr/bin/chromium",
	"/usr/bin/chromium-browser",
	"/usr/bin/google-chrome",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** Returns the path of a Chromium: the one in CHROMIUM, an installed one, or Playwright's. Returns null if there is
 *  none. */
export function findChromium(): string | null {
	const paths = [process.env["CHROMIUM"] ?? "", ...usualPaths, chromium.executablePath()];
	return paths.find((path) => path !== "" && existsSync(path)) ?? null;
}

/** Installs Chromium if there is none: Playwright's build, or Debian's or Ubuntu's package if the download fails. */
export async function installChromium(): Promise<void> {
	if (findChromium()) return;
	console.info("Installing Chromium for the browser tests (once)…");
	if (await run("playwright", ["install", "--with-deps", "chromium"])) return;
	const asRoot = process.getuid?.() === 0 ? [] : ["sudo"];
	const apt = async (...args: string[]) => {
		const [program = "", ...rest] = [...asRoot, "apt-get", ...args];
		return run(program, rest).catch(() => false);
	};
	const install = (name: string) => apt("install", "-y", "--no-install-recommends", name);
	if ((await apt("update")) && ((await install("chromium-headless-shell")) || (await install("chromium")))) return;
	console.error("Could not install Chromium. Install it yourself, then run: CHROMIUM=/path/to/chromium npm test");
	process.exit(1);
}
