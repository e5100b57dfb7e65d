import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { licences, lockedPackages } from "./licences.ts";

const packages = lockedPackages();
const manifest = z
	.object({
		allowScripts: z.record(z.string(), z.boolean()),
		dependencies: z.record(z.string(), z.string()),
		devDependencies: z.record(z.string(), z.string()),
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

test("package.json says of every package with an install script whether it may run, and two may", () => {
	const withScript = packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
	expect(Object.keys(manifest.allowScripts).toSorted()).toEqual([...new Set(withScript)].toSorted());
	const allowed = Object.entries(manifest.allowScripts).filter(([, runs]) => runs);
	// they fetch what cannot be written in JavaScript: Node itself, and the runtime of Workers
	expect(allowed.map(([name]) => name).toSorted()).toEqual(["node", "workerd"]);
	expect(readFileSync(".npmrc", "utf8")).toContain("strict-allow-scripts=true");
});

test("every dependency is pinned", () => {
	const versions = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
	const loose = versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
	expect(loose.map(([name]) => name)).toEqual([]);
});
