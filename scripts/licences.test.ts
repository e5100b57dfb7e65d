import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { licences, lockedPackages } from "./licences.ts";

const packages = lockedPackages();
const manifest = z
	.object({
		dependencies: z.record(z.string(), z.string()),
		devDependencies: z.record(z.string(), z.string()),
		optionalDependencies: z.record(z.string(), z.string()),
	})
	.parse(JSON.parse(readFileSync("package.json", "utf8")));

test("docs/licences.md lists every package; `npm run licences` writes it", () => {
	expect(readFileSync("docs/licences.md", "utf8")).toBe(licences());
});

test("what is deployed is under licences that ask for a mention and no more", () => {
	const licencesShipped = new Set(packages.filter(({ shipped }) => shipped).map(({ licence }) => licence));
	const permissive = [
		"MIT",
		"Apache-2.0",
		"MIT OR Apache-2.0",
		"ISC",
		"BSD-2-Clause",
		"BSD-3-Clause",
		"0BSD",
		"Unlicense",
	];
	expect([...licencesShipped].filter((licence) => !permissive.includes(licence))).toEqual([]);
});

test("every package is known by the hash of its content", () => {
	const unknown = packages.filter(({ integrity }) => !integrity?.startsWith("sha512-"));
	expect(unknown.map(({ name }) => name)).toEqual([]);
});

test("package-lock.json has one version of Node, with a build for each platform", () => {
	const builds = packages.filter(({ commands }) => commands.includes("node"));
	const platforms = builds.map(({ platform }) => platform).toSorted();
	expect(platforms).toEqual(["darwin arm64", "darwin x64", "linux arm64", "linux x64"]);
	expect(new Set(builds.map(({ version }) => version)).size).toBe(1);
});

test("npm runs no package's install script", () => {
	expect(readFileSync(".npmrc", "utf8")).toMatch(/^ignore-scripts=true$/m);
});

test("every dependency is pinned", () => {
	const { dependencies, devDependencies, optionalDependencies } = manifest;
	const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
	const loose = versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
	expect(loose.map(([name]) => name)).toEqual([]);
});
