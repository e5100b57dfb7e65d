import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { environment } from "../../tools/scripts/run.ts";

let folder: string;
let server: ChildProcess;
let ended: Promise<unknown>;
let address: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "half-dozen-start-"));
	// replaces the build command with a no-op, because other tests are using the build
	await writeFile(join(folder, "react-router"), "#!/bin/sh\n", { mode: 0o755 });
	const path = [folder, resolve("node_modules/.bin"), process.env["PATH"]].join(delimiter);
	const args = ["tools/scripts/serve.ts", "--port", "0", "--persist-to", join(folder, "d1")];
	const started = spawn(process.execPath, args, {
		stdio: ["ignore", "pipe", "pipe"],
		env: { ...process.env, PATH: path },
	});
	server = started;
	ended = new Promise((resolve) => started.on("exit", resolve));
	address = await new Promise((resolve, reject) => {
		let printed = "";
		for (const stream of [started.stdout, started.stderr]) {
			stream.setEncoding("utf8").on("data", (text: string) => {
				printed += text;
				const [, url] = /Half Dozen is open at (\S+)/.exec(printed) ?? [];
				if (url) resolve(url);
			});
		}
		started.on("exit", () => reject(new Error(printed)));
	});
});
afterAll(async () => {
	server.kill();
	await ended;
	await rm(folder, { recursive: true, force: true });
});

test.each(["/cdn-cgi/local/explorer", "/cdn-cgi/explorer"])(
	"npm start does not serve wrangler's SQL explorer at %s",
	async (explorer) => {
		const databases = `${address}${explorer}/api/d1/database`;
		expect((await fetch(databases)).status).toBe(404);
		const answer = await fetch(`${databases}/00000000-0000-0000-0000-000000000000/raw`, {
			method: "POST",
			headers: { "Content-Type": "application/json" },
			body: JSON.stringify({ sql: "SELECT name FROM products" }),
		});
		expect(answer.ok).toBe(false);
	},
);

test("npm run dev disables wrangler's Local Explorer", async () => {
	const { scripts } = JSON.parse(await readFile("package.json", "utf8"));
	expect(scripts.dev).toContain("tools/scripts/run.ts react-router dev");
	expect(environment.X_LOCAL_EXPLORER).toBe("false");
});
