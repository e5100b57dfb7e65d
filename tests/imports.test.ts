import { posix } from "node:path";
import { expect, test } from "vitest";
import { readSources } from "./support/sources.ts";

/** The folders of the shop and the files in app/ that they use, from top to bottom. Each imports only itself and lower
 *  ones; those of one line may import each other. */
const layers = [
	// the files in app/ connect the folders
	["app", "app/worker"],
	["app/routes"],
	["app/frame", "app/failures", "app/before-hydration", "app/app.css"],
	["app/checkout", "app/payments"],
	["app/basket", "app/orders"],
	["app/tab"],
	["app/catalogue"],
	["app/auth", "app/http", "app/theme", "app/ui"],
	["app/brand.ts"],
];

/** What else a folder must not import, and why. */
const forbidden: [from: RegExp, to: RegExp, reason: string][] = [
	[/^app\/(?!routes\/)/, /^app\/routes\//, "Nothing imports a route. Move shared code to the folder it belongs to."],
	[/^app\//, /^(stripe-emulator|packages|local)\b/, "The production Worker has no emulator. local/ connects the two."],
	[/^drizzle\//, /^app\//, "drizzle/ does not import from app/."],
	[
		/^packages\/stripe-emulator\//,
		/^(app|drizzle|local|tools|tests)\//,
		"The emulator is a package that any Worker can use. local/ connects it to the shop.",
	],
	[/^local\//, /^(packages|tests|tools)\//, "local/ uses the shop, and what stripe-emulator exports."],
	[
		/^tools\/vite\//,
		/^app\//,
		"Vite's configuration imports tools/vite: a change would restart the development server.",
	],
];

const imports = readSources("{app,drizzle,local,packages/stripe-emulator,tools/vite}", "ts,tsx,css").flatMap(
	listImports,
);

test("every import goes down the table of layers, or stays on its line", () => {
	expect(imports.length).toBeGreaterThan(700);
	expect(imports.filter(({ to }) => to.endsWith(".css")).length).toBeGreaterThan(15);
	expect(imports.map(faultOf).filter(Boolean)).toEqual([]);
});

test.each([
	["app/ui/logo.tsx", 'import { tab } from "#app/tab/tab.ts";'],
	["app/tab/tab.ts", 'import type { Order } from "../orders/order-page.server.ts";'],
	["app/basket/basket.css", '@import "../checkout/payment.css";'],
	["app/catalogue/hero.tsx", 'import styles from "#app/basket/basket.css?url";'],
	["app/frame/header.tsx", 'const page = await import("#app/routes/home.tsx");'],
	["app/http/guard.server.ts", 'import { requestRules } from "../worker/request-rules.server.ts";'],
	["app/brand.ts", 'import { formatMoney } from "./ui/money.ts";'],
	["app/entry.worker.ts", 'import { stripeEmulator } from "stripe-emulator";'],
	["drizzle/schema.ts", 'import { log } from "#app/http/log.server.ts";'],
	["packages/stripe-emulator/emulator.ts", 'export { products } from "#drizzle/schema.ts";'],
	["local/console.ts", 'import "../packages/stripe-emulator/keys.ts";'],
	["tools/vite/browsers.ts", 'import { shopName } from "../../app/brand.ts";'],
])("%s must not contain %s", (path, text) => {
	expect(listImports({ path, text }).map(faultOf)).toEqual([expect.stringContaining(path)]);
});

function listImports({ path, text }: { path: string; text: string }): { from: string; to: string }[] {
	const found = text.matchAll(/(?:^@?import |\bfrom |\bimport\()\s*"([^"?]+)/gm);
	return [...found].map(([, name = ""]) => {
		const isRelative = name.startsWith(".");
		return { from: path, to: isRelative ? posix.join(posix.dirname(path), name) : name.replace(/^#/, "") };
	});
}

/** Returns why an import is not allowed, or undefined. */
function faultOf({ from, to }: { from: string; to: string }): string | undefined {
	const reason = forbidden.find(([importer, imported]) => importer.test(from) && imported.test(to))?.[2];
	const [above, below] = [layerOf(to), layerOf(from)];
	const isUpward = above !== -1 && below !== -1 && above < below;
	if (reason || isUpward) return `${from} imports ${to}. ${reason ?? "Imports go down: see the table of layers."}`;
	return undefined;
}

function layerOf(path: string): number {
	const part = layers.flat().includes(path) ? path : posix.dirname(path);
	return layers.findIndex((parts) => parts.includes(part));
}
