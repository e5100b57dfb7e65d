import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { exit, readArguments } from "./arguments.ts";
import { runOrExit } from "./run.ts";

type Versions = Record<string, string>;

const sections = ["dependencies", "devDependencies", "optionalDependencies"] as const;

type PackageFile = Partial<Record<(typeof sections)[number], Versions>>;

export interface Lock {
	packages: Record<string, PackageFile & { version?: string; peerDependencies?: Versions }>;
}

const folders = [".", "tools/bench", "tools/mutants"];
const files = [
	".nvmrc",
	...folders.flatMap((folder) => ["package.json", "package-lock.json"].map((name) => join(folder, name))),
];

/** The age in days that docs/security.md requires of a new version. */
export const minimumAge = 7;

const help = `Usage: npm run upgrade -- [--days DAYS] [--keep PACKAGE]…

Moves every dependency of the root, tools/bench and tools/mutants to its newest version of the same major version that
is DAYS old (${minimumAge} by default), in package.json and package-lock.json, installs it and runs npm test. Keeps the version of each
PACKAGE, such as one whose newest version cannot be installed. docs/CONTRIBUTING.md#upgrades says what to look at.

Example: npm run upgrade -- --keep vite`;

/** Returns package.json with another version of each dependency. */
function mapVersions(file: PackageFile, change: (name: string, version: string) => string): PackageFile {
	const mapped = (versions: Versions = {}) =>
		Object.fromEntries(Object.entries(versions).map(([name, version]) => [name, change(name, version)]));
	const listed = sections.filter((section) => file[section]);
	return { ...file, ...Object.fromEntries(listed.map((section) => [section, mapped(file[section])])) };
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

/** Returns the versions of the packages that a package.json lists. */
function versionsIn(file: PackageFile = {}): Versions {
	return Object.assign({}, ...sections.map((section) => file[section]));
}

/** Returns the package in package.json that requires another, directly or through others. */
export function findDependent(name: string, { packages }: Lock): string | undefined {
	const dependents = new Set([name]);
	// the loop also visits what it adds
	for (const required of dependents) {
		for (const [path, { dependencies, optionalDependencies, peerDependencies }] of Object.entries(packages)) {
			const requires = required in { ...dependencies, ...optionalDependencies, ...peerDependencies };
			if (requires) dependents.add(path.replace(/^.*node_modules\//, ""));
		}
	}
	const listed = versionsIn(packages[""]);
	return [...dependents].find((dependent) => dependent in listed);
}

/** Updates the package.json and the lock file of a folder, except for the packages in `kept`, to versions that were
 *  published before a date. Exits if npm cannot install them. */
async function upgrade(folder: string, kept: string[], before: string): Promise<void> {
	const path = join(folder, "package.json");
	const readLock = (): Lock => JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
	const write = (file: PackageFile) => writeFileSync(path, `${JSON.stringify(file, null, "\t")}\n`);
	// min-release-age in .npmrc would make `npm ci` refuse a younger version that is in the lock file, such as a fix
	const options = ["--prefix", folder, "--package-lock-only", "--no-audit", "--loglevel=error", `--before=${before}`];
	const pinned: PackageFile = JSON.parse(readFileSync(path, "utf8"));
	// npm moves a version within its range
	write(mapVersions(pinned, (name, version) => (kept.includes(name) ? version : `^${version}`)));
	await runOrExit("npm", ["update", ...options]);
	const moved = upgraded(pinned, readLock());
	write(moved);
	await runOrExit("npm", ["install", ...options]);
	const [node] = Object.values(moved.optionalDependencies ?? {});
	if (node) writeFileSync(join(folder, ".nvmrc"), `${node}\n`);
	// `npm install` skips an optional package that the registry does not have, and then `npm ci` fails
	const { status, stderr } = spawnSync("npm", ["ci", "--dry-run", ...options], { encoding: "utf8" });
	if (status === 0) return;
	const missing = [...stderr.matchAll(/Missing: (\S+)@/g)].map(([, name = ""]) => name);
	const advice = missing.map((name) => `The registry has no ${name}. Add --keep ${findDependent(name, readLock())}`);
	exit(advice.join("\n") || stderr);
}

if (import.meta.main) {
	const { values } = readArguments(help, {
		days: { type: "string", default: `${minimumAge}` },
		keep: { type: "string", multiple: true, default: [] },
	});
	const read = (folder: string) => files.map((file) => [file, readFileSync(join(folder, file), "utf8")] as const);
	const before = read(".");
	const versionsOf = (texts: typeof before): Versions =>
		Object.assign(
			{},
			...texts.filter(([file]) => file.endsWith("package.json")).map(([, text]) => versionsIn(JSON.parse(text))),
		);
	const versions = versionsOf(before);
	const unknown = values.keep.filter((name) => !(name in versions));
	if (unknown.length > 0) exit(`No package.json lists ${unknown.join(", ")}.\n\n${help}`);
	if (!/^\d+$/.test(values.days)) exit(`DAYS is a number.\n\n${help}`);
	if (/^npm\/10\./.test(process.env["npm_config_user_agent"] ?? "")) {
		exit("npm 10 cannot read the overrides in package.json. Use a later one: npx npm@11 run upgrade");
	}
	const copy = mkdtempSync(join(tmpdir(), "half-dozen-upgrade-"));
	process.once("exit", () => rmSync(copy, { recursive: true }));
	const more = globSync(["{.,tools/*}/.npmrc", "packages/*/package.json"]);
	for (const path of [...files, ...more]) cpSync(path, join(copy, path));
	// setup.mjs installs the packages again if the lock file is written
	const write = (changed: typeof before) => {
		for (const [file, text] of changed) if (readFileSync(file, "utf8") !== text) writeFileSync(file, text);
	};
	const restore = () => {
		write(before);
		console.error(`Nothing is upgraded: package.json, package-lock.json and .nvmrc are as before.
--keep NAME keeps the version of a package. A version in package.json that is too young needs a lower --days.`);
	};
	process.once("exit", restore);
	// a signal between two runs of npm would end this process without an exit event
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
	const date = new Date(Date.now() - Number(values.days) * 24 * 60 * 60 * 1000).toISOString();
	for (const folder of folders) await upgrade(join(copy, folder), values.keep, date);
	const after = read(copy);
	if (isDeepStrictEqual(before, after)) {
		process.off("exit", restore);
		console.info(`There are no newer versions that are ${values.days} days old.`);
		process.exit();
	}
	write(after);
	await runOrExit("node", ["tools/scripts/setup.mjs"]);
	process.off("exit", restore);
	for (const [name, version] of Object.entries(versionsOf(after))) {
		if (version !== versions[name]) console.info(`${name} ${versions[name]} → ${version}`);
	}
	const advice = `The new versions stay, so that you can fix what fails. To go back: git checkout ${files.join(" ")}`;
	process.once("exit", (code) => code !== 0 && console.error(advice));
	await runOrExit("npm", ["test"]);
}
