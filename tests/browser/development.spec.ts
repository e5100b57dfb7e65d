import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "@playwright/test";
import { copyRepository } from "../support/copy-repository.ts";
import { freePort } from "../support/listen.ts";

test.skip(!process.env["LONG"], "takes a minute");

test("npm run dev shows an edited name without a reload, and settings after a restart", async ({ page }) => {
	const folder = await mkdtemp(join(tmpdir(), "half-dozen-development-"));
	copyRepository(folder);
	const port = String(await freePort());
	const server = spawn(resolve("node_modules/.bin/node"), ["tools/scripts/dev.ts", "--port", port], {
		cwd: folder,
		stdio: ["ignore", "pipe", "inherit"],
		env: { ...process.env, PATH: `${resolve("node_modules/.bin")}:${process.env["PATH"]}` },
	});
	const ended = once(server, "exit");
	try {
		let printed = "";
		server.stdout.setEncoding("utf8").on("data", (text: string) => {
			printed += text;
		});
		await expect.poll(() => printed, { timeout: 120_000 }).toContain("Local");
		expect(printed).toContain(`http://localhost:${port}/stripe-emulator/`);
		await page.goto(`http://localhost:${port}/`, { waitUntil: "networkidle" });
		await page.evaluate(() => document.body.setAttribute("data-kept", ""));
		await edit(join(folder, "app/brand.ts"), /shopName = ".*"/, 'shopName = "Seven Wonders"');
		await expect(page).toHaveTitle(/Seven Wonders/);
		await expect(page.locator("[data-kept]")).toBeAttached();
		// Vite bundles the Worker's dependencies again
		const restarted = expect.configure({ timeout: 60_000 });
		await writeFile(join(folder, ".dev.vars"), "DEMO=created");
		await restarted(page.getByText("created", { exact: true })).toBeVisible();
		await writeFile(join(folder, ".dev.vars"), "DEMO=edited");
		await restarted(page.getByText("edited", { exact: true })).toBeVisible();
		await rm(join(folder, ".dev.vars"));
		await restarted(page.getByText("edited", { exact: true })).toHaveCount(0);
		await edit(join(folder, "wrangler.toml"), "[vars]", '[vars]\nDEMO = "configured"');
		await restarted(page.getByText("configured", { exact: true })).toBeVisible();
	} finally {
		server.kill();
		await ended;
		await rm(folder, { recursive: true, force: true });
	}
});

async function edit(path: string, from: string | RegExp, to: string): Promise<void> {
	await writeFile(path, (await readFile(path, "utf8")).replace(from, to));
}
