import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { findWholeChromium } from "../../tools/scripts/chromium.ts";
import type { Engine } from "./engine.ts";
import { launchWith } from "./puppeteer.ts";

export const chromium: Engine = {
	name: "chromium",
	packages: ["chromium"],
	missing: () => (findWholeChromium() ? [] : ["chromium"]),
	...launchWith(async (refusesCookies) => ({
		executablePath: findWholeChromium() ?? "",
		args: ["--no-sandbox", "--disable-gpu"],
		...(refusesCookies && { userDataDir: await profileWithoutCookies() }),
	})),
};

async function profileWithoutCookies(): Promise<string> {
	await mkdir("test-results", { recursive: true });
	const folder = await mkdtemp(join("test-results", "chromium-"));
	const preferences = { profile: { default_content_setting_values: { cookies: 2 } } };
	await mkdir(join(folder, "Default"));
	await writeFile(join(folder, "Default", "Preferences"), JSON.stringify(preferences));
	return resolve(folder);
}
