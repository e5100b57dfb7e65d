// `npm run licences` writes docs/licences.md from the lock file; a test holds that it was run.
import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";

/** What npm matches against process.platform or process.arch; absent: any. */
const platformShape = z.union([z.string(), z.array(z.string())]).default([]);

const lockShape = z.object({
	packages: z.record(
		z.string(),
		z.object({
			version: z.string(),
			license: z.string().optional(),
			integrity: z.string().optional(),
			bin: z.record(z.string(), z.string()).default({}),
			os: platformShape,
			cpu: platformShape,
			/** Only for development, only an optional part of something else, or only both. */
			dev: z.boolean().default(false),
			optional: z.boolean().default(false),
			devOptional: z.boolean().default(false),
		}),
	),
});

export interface LockedPackage {
	name: string;
	version: string;
	licence: string;
	integrity: string | undefined;
	/** Names of the commands it adds to node_modules/.bin. */
	commands: string[];
	/** Such as "linux x64"; "" if it is for any. */
	platform: string;
	/** Whether the deployed shop is made with it; the others are tools. */
	shipped: boolean;
}

/** Every package of the lock file; one that is there in several versions, several times. */
export function lockedPackages(): LockedPackage[] {
	const { packages } = lockShape.parse(JSON.parse(readFileSync("package-lock.json", "utf8")));
	return Object.entries(packages)
		.filter(([path]) => path !== "")
		.map(([path, { version, license, integrity, bin, os, cpu, dev, optional, devOptional }]) => ({
			name: path.replace(/.*node_modules\//, ""),
			version,
			licence: license ?? "unknown",
			integrity,
			commands: Object.keys(bin),
			platform: [os, cpu].flat().join(" "),
			shipped: !dev && !optional && !devOptional,
		}));
}

/** docs/licences.md as it should be. */
export function licences(): string {
	const packages = lockedPackages();
	return `# Licences

Of everything that package-lock.json installs, written by \`npm run licences\`. The shop itself is under MIT. The list of
common passwords and its licence are named in the README.

## What the shop is made with

${table(packages.filter(({ shipped }) => shipped))}

## Tools, which are not deployed

${table(packages.filter(({ shipped }) => !shipped))}
`;
}

function table(packages: LockedPackage[]): string {
	const names = Map.groupBy(packages, ({ licence }) => licence);
	const rows = [...names]
		.toSorted(([a], [b]) => a.localeCompare(b))
		.map(([licence, all]) => {
			const unique = [...new Set(all.map(({ name }) => name))].toSorted();
			return `| ${licence} | ${unique.join(", ")} |`;
		});
	return ["| licence | packages |", "|---|---|", ...rows].join("\n");
}

if (import.meta.main) writeFileSync("docs/licences.md", licences());
