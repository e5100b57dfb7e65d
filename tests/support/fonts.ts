import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

// Families of different metrics that every machine has, because they are packages: a layout may not depend on the font
// that a system puts in place of the shop's.

const require = createRequire(import.meta.url);

/** Each family's name and its package: the widest that systems fall back to, Arial's metrics, and a narrow one. */
const packages = {
	"DejaVu Sans": "dejavu-sans",
	Arimo: "arimo",
	"Roboto Condensed": "roboto-condensed",
};
export type Family = keyof typeof packages;
export const families = Object.keys(packages).filter((name): name is Family => name in packages);

/** Adds all families to a page, whose context bypasses the Content-Security-Policy. The page uses one of them once its
 *  root has the family's name in data-font. */
export async function addFonts(page: Page): Promise<void> {
	const faces = families.flatMap((family) =>
		[400, 700].map((weight) => {
			const file = require.resolve(
				`@fontsource/${packages[family]}/files/${packages[family]}-latin-${weight}-normal.woff2`,
			);
			const source = `url(data:font/woff2;base64,${readFileSync(file, "base64")})`;
			return `@font-face { font-family: "${family}"; font-weight: ${weight}; src: ${source}; }`;
		}),
	);
	const rules = families.map((family) => `[data-font="${family}"] * { font-family: "${family}" !important; }`);
	await page.addStyleTag({ content: [...faces, ...rules].join("\n") });
	await page.evaluate(async () => void (await Promise.all([...document.fonts].map((face) => face.load()))));
}

/** Shows a page in a family, as if it were the system's own. */
export async function setFont(page: Page, family: Family): Promise<void> {
	await page.evaluate((family) => document.documentElement.setAttribute("data-font", family), family);
}
