import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { minimumAge } from "./upgrade.ts";

interface Package {
	version?: string;
	license?: string;
	integrity?: string;
	/** Whether the entry is a link to a workspace. */
	link?: boolean;
	bin?: Record<string, string>;
	os?: string[];
	cpu?: string[];
	dev?: boolean;
	optional?: boolean;
	devOptional?: boolean;
}

/** The folders in which npm installs packages. */
const folders = [".", "tools/bench", "tools/mutants"];

function readLock(folder: string) {
	const lock: { packages: Record<string, Package> } = JSON.parse(readFileSync(`${folder}/package-lock.json`, "utf8"));
	return Object.entries(lock.packages)
		.filter(([path, { link }]) => path.includes("node_modules/") && !link)
		.map(([path, details]) => ({ path, ...details }));
}

const packages = readLock(".");

test("every deployed package has a license that requires at most attribution", () => {
	const deployed = packages.filter(({ dev, optional, devOptional }) => !dev && !optional && !devOptional);
	expect(deployed.length).toBeGreaterThan(10);
	const permissive = /^(MIT|Apache-2\.0|MIT OR Apache-2\.0|ISC|BSD-[23]-Clause|0BSD|Unlicense)$/;
	expect(deployed.filter(({ license = "" }) => !permissive.test(license))).toEqual([]);
});

test("the lock files have a SHA-512 hash for every package, and one version of Node with a build for each platform", () => {
	expect(folders.flatMap(readLock).filter(({ integrity }) => !integrity?.startsWith("sha512-"))).toEqual([]);
	const builds = packages.filter(({ bin = {} }) => "node" in bin);
	const platforms = builds.map(({ os, cpu }) => `${os} ${cpu}`).toSorted();
	expect(platforms).toEqual(["darwin arm64", "darwin x64", "linux arm64", "linux x64"]);
	expect(new Set(builds.map(({ version }) => version)).size).toBe(1);
});

test("npm runs no install scripts", () => {
	for (const folder of folders) expect(readFileSync(`${folder}/.npmrc`, "utf8")).toMatch(/^ignore-scripts=true$/m);
});

test("Dependabot and npm run upgrade wait the seven days of docs/security.md, and npm ci does not", () => {
	expect(readFileSync("docs/security.md", "utf8")).toMatch(/take a version when it is seven days old/);
	expect(minimumAge).toBe(7);
	const [, ...ecosystems] = readFileSync(".github/dependabot.yml", "utf8").split("package-ecosystem:");
	expect(ecosystems.length).toBeGreaterThan(1);
	for (const settings of ecosystems) expect(settings).toMatch(/^ {4}cooldown:\n {6}default-days: 7$/m);
	for (const folder of folders)
		expect(readFileSync(`${folder}/.npmrc`, "utf8")).not.toMatch(/^(before|min-release-age)/m);
});

test("each version stands in one package.json, exactly: the emulator's takes those of the root with *", () => {
	const root = versionsIn(".");
	for (const folder of [...folders, ...globSync("packages/*")]) {
		const isRight = ([name, version]: [string, string]) =>
			folder !== "." && name in root ? version === "*" : /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version);
		expect(Object.entries(versionsIn(folder)).filter((entry) => !isRight(entry))).toEqual([]);
	}
});

test("npm installs what package.json lists once, so that the shop, the emulator and the tools share it", () => {
	// React Router reads cookies with a version of its own
	const shared = Object.keys(versionsIn(".")).filter((name) => name !== "cookie");
	const copies = packages.filter(({ path }) => path.lastIndexOf("node_modules/") > 0);
	const found = copies.filter(({ path }) => shared.includes(path.replace(/^.*node_modules\//, "")));
	const cure = "npm ls NAME shows what requires a second version. An override in package.json can refuse it";
	expect(found, cure).toEqual([]);
});

/** Returns the versions in a folder's package.json. */
function versionsIn(folder: string): Record<string, string> {
	const file = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
	return { ...file.dependencies, ...file.devDependencies, ...file.optionalDependencies, ...file.peerDependencies };
}
