import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { build } from "vite";
import type { Host } from "./host.ts";

const scripts = new Map<string, Promise<string>>();

/** Serves a test page at /test-page on the host's origin, with the Content-Security-Policy of the host's own page. The
 *  page's script is bundled from a module in this folder. */
export async function servePage(page: Page, host: Host, module: string): Promise<void> {
	const script = scripts.get(module) ?? bundle(module);
	scripts.set(module, script);
	const policy = (await host.fetch("/")).headers.get("Content-Security-Policy") ?? "";
	const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>A page of the tests</title>
<body><script src="/test-page.js"></script></body>
</html>`;
	await page.route(/\/test-page(\?|$)/, (route) =>
		route.fulfill({ body: html, contentType: "text/html", headers: { "Content-Security-Policy": policy } }),
	);
	await page.route("**/test-page.js", async (route) =>
		route.fulfill({ body: await script, contentType: "text/javascript" }),
	);
}

async function bundle(module: string): Promise<string> {
	const input = fileURLToPath(new URL(module, import.meta.url));
	const bundled = await build({
		configFile: false,
		logLevel: "error",
		build: { write: false, rollupOptions: { input, output: { format: "iife" } }, modulePreload: false },
	});
	const [result] = [bundled].flat();
	const chunk = result && "output" in result && result.output.find((output) => output.type === "chunk");
	if (!chunk) throw new Error(`${module} has no code to bundle.`);
	return chunk.code;
}
