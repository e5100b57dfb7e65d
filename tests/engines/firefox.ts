import { existsSync } from "node:fs";
import type { Engine } from "./engine.ts";
import { launchWith } from "./puppeteer.ts";

const paths = ["/usr/bin/firefox-esr", "/usr/bin/firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"];
const find = () => [process.env["FIREFOX"] ?? "", ...paths].find((path) => existsSync(path));

export const firefox: Engine = {
	name: "firefox",
	packages: ["firefox-esr"],
	missing: () => (find() ? [] : ["firefox"]),
	...launchWith(async (refusesCookies) => ({
		browser: "firefox",
		executablePath: find() ?? "",
		extraPrefsFirefox: {
			// scroll bars that take up width, as on most desktops
			"widget.gtk.overlay-scrollbars.enabled": false,
			...(refusesCookies && { "network.cookie.cookieBehavior": 2 }),
		},
	})),
};
