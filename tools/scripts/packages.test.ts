import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";

const versions = z.record(z.string(), z.string()).default({});
const dependencies = z.object({ dependencies: versions, devDependencies: versions, optionalDependencies: versions });

/** One or more values that npm matches against process.platform or process.arch. */
const platform = z.union([z.string(), z.array(z.string())]).default([]);

const lock = z.object({
	packages: z.record(
		z.string(),
		z.object({
			version: z.string().optional(),
			license: z.string().optional(),
			integrity: z.string().optional(),
			/** Whether the entry is a link to a workspace. */
			link: z.boolean().default(false),
			bin: z.record(z.string(), z.string()).default({}),
			os: platform,
			cpu: platform,
			dev: z.boolean().default(false),
			optional: z.boolean().default(false),
			devOptional: z.boolean().default(false),
		}),
	),
});

const packages = Object.entries(lock.parse(readJson("package-lock.json")).packages)
	.filter(([path, { link }]) => path.includes("node_modules/") && !link)
	.map(([path, details]) => ({ path, ...details }));

function readJson(path: string): unknown {
	return JSON.parse(readFileSync(path, "utf8"));
}

test("every deployed package has a license that requires at most attribution", () => {
	const deployed = packages.filter(({ dev, optional, devOptional }) => !dev && !optional && !devOptional);
	expect(deployed.length).toBeGreaterThan(10);
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
	expect(deployed.filter(({ license = "" }) => !permissive.includes(license))).toEqual([]);
});

test("the lock file contains a SHA-512 hash for every package", () => {
	expect(packages.filter(({ integrity }) => !integrity?.startsWith("sha512-"))).toEqual([]);
});

test("the lock file contains one version of Node, with a build for each platform", () => {
	const builds = packages.filter(({ bin }) => "node" in bin);
	const platforms = builds.map(({ os, cpu }) => [os, cpu].flat().join(" "));
	expect(platforms.toSorted()).toEqual(["darwin arm64", "darwin x64", "linux arm64", "linux x64"]);
	expect(new Set(builds.map(({ version }) => version)).size).toBe(1);
});

test("npm runs no install scripts", () => {
	expect(readFileSync(".npmrc", "utf8")).toMatch(/^ignore-scripts=true$/m);
});

test.each(["package.json", "packages/stripe-emulator/package.json"])("every dependency in %s is pinned", (file) => {
	const pinned = Object.entries(Object.assign({}, ...Object.values(dependencies.parse(readJson(file)))));
	expect(pinned.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)))).toEqual([]);
});
