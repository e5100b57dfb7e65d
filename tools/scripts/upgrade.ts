// Moves every dependency to its newest version of the same major version: `npm run upgrade`.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "./arguments.ts";
import { runOrExit } from "./run.ts";

type Versions = Record<string, string>;

interface PackageFile {
	dependencies?: Versions;
	devDependencies?: Versions;
	optionalDependencies?: Versions;
}

export interface Lock {
	packages: Record<string, { version?: string; dependencies?: Versions }>;
}

const help = `Usage: npm run upgrade -- [--keep PACKAGE]…

Moves every dependency of the root, tools/bench and tools/mutants to its newest version of the same major version, in
package.json and package-lock.json, then runs npm test. Keeps the version of each PACKAGE, such as one whose newest
version cannot be installed. docs/CONTRIBUTING.md#upgrades says what to look at.

Example: npm run upgrade -- --keep vite`;

/** Returns package.json with another version of each dependency. */
function mapVersions(file: PackageFile, change: (name: string, version: string) => string): PackageFile {
	const mapped = (versions: Versions = {}) =>
		Object.fromEntries(Object.entries(versions).map(([name, version]) => [name, change(name, version)]));
	const sections = (["dependencies", "devDependencies", "optionalDependencies"] as const).filter((key) => file[key]);
	return { ...file, ...Object.fromEntries(sections.map((section) => [section, mapped(file[section])])) };
}

/** Returns package.json with the versions that `npm update` has written to the lock file. Three have to be equal to
 *  others: wrangler and miniflare to those of Cloudflare's plugin, because each version brings a workerd of its own, and
 *  the builds of Node to the oldest of them, because some platforms get a version later. */
export function upgraded(file: PackageFile, { packages }: Lock): PackageFile {
	const found = (name: string) => packages[`node_modules/${name}`];
	const { wrangler, miniflare } = found("@cloudflare/vite-plugin")?.dependencies ?? {};
	const required: Record<string, string | undefined> = { wrangler, miniflare };
	const builds = Object.keys(file.optionalDependencies ?? {});
	const [oldest] = builds
		.flatMap((name) => found(name)?.version ?? [])
		.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
	return mapVersions(file, (name, version) => {
		const newest = builds.includes(name) ? oldest : (required[name] ?? found(name)?.version);
		return newest ?? version;
	});
}

/** Updates the package.json and the lock file of a folder, except for the packages in `kept`. If npm fails, restores both
 *  files. */
async function upgrade(folder: string, kept: string[]): Promise<void> {
	const paths = ["package.json", "package-lock.json"].map((name) => join(folder, name));
	const [path = "", lockPath = ""] = paths;
	const before = paths.map((path) => [path, readFileSync(path, "utf8")] as const);
	const restore = () => {
		for (const [path, text] of before) writeFileSync(path, text);
	};
	process.once("exit", restore);
	const write = (file: PackageFile) => writeFileSync(path, `${JSON.stringify(file, null, "\t")}\n`);
	const npm = (command: string) => runOrExit("npm", ["--prefix", folder, command, "--package-lock-only", "--no-audit"]);
	const pinned: PackageFile = JSON.parse(readFileSync(path, "utf8"));
	// npm moves a version within its range
	write(mapVersions(pinned, (name, version) => (kept.includes(name) ? version : `^${version}`)));
	await npm("update");
	const moved = upgraded(pinned, JSON.parse(readFileSync(lockPath, "utf8")));
	write(moved);
	await npm("install");
	process.off("exit", restore);
	// npm writes this file even with --package-lock-only, and setup.mjs takes it as proof that the packages are installed
	rmSync(join(folder, "node_modules/.package-lock.json"), { force: true });
	const [node] = Object.values(moved.optionalDependencies ?? {});
	if (node) writeFileSync(join(folder, ".nvmrc"), `${node}\n`);
}

if (import.meta.main) {
	const { values } = readArguments(help, { keep: { type: "string", multiple: true, default: [] } });
	for (const folder of [".", "tools/bench", "tools/mutants"]) await upgrade(folder, values.keep);
	await runOrExit("npm", ["test"]);
}
