import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { expect, test } from "vitest";

test("npm start serves the shop without wrangler's SQL explorer", { timeout: 10 * 60_000 }, async () => {
	const folder = await mkdtemp(join(tmpdir(), "half-dozen-start-"));
	// replaces the build command with a no-op, because other tests are using the build
	await writeFile(join(folder, "react-router"), "#!/bin/sh\n", { mode: 0o755 });
	const path = [folder, resolve("node_modules/.bin"), process.env["PATH"]].join(delimiter);
	const args = ["tools/scripts/serve.ts", "--port", "0", "--persist-to", join(folder, "d1")];
	const server = spawn(process.execPath, args, {
		stdio: ["ignore", "pipe", "pipe"],
		env: { ...process.env, PATH: path },
	});
	const ended = once(server, "exit");
	try {
		const address = await new Promise<string>((resolve, reject) => {
			let printed = "";
			for (const stream of [server.stdout, server.stderr]) {
				stream.setEncoding("utf8").on("data", (text: string) => {
					printed += text;
					const [, url] = /Half Dozen is open at (\S+)/.exec(printed) ?? [];
					if (url) resolve(url);
				});
			}
			server.on("exit", () => reject(new Error(printed)));
		});
		expect(await (await fetch(address)).text()).toContain("<main");
		for (const explorer of ["/cdn-cgi/local/explorer", "/cdn-cgi/explorer"]) {
			const databases = `${address}${explorer}/api/d1/database`;
			expect((await fetch(databases)).status).toBe(404);
			const sql = { method: "POST", body: JSON.stringify({ sql: "SELECT name FROM products" }) };
			expect((await fetch(`${databases}/00000000-0000-0000-0000-000000000000/raw`, sql)).ok).toBe(false);
		}
	} finally {
		server.kill();
		await ended;
		await rm(folder, { recursive: true, force: true });
	}
});
