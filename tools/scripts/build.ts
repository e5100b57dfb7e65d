import { readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "./arguments.ts";
import { run, runOrExit } from "./run.ts";

/** The files and folders that a build reads, apart from .dev.vars and the installed packages. */
export const sources = [
	...["app", "drizzle", "migrations", "local", "packages", "public", "tools/vite"],
	...["package.json", "tsconfig.json", "wrangler.toml", "react-router.config.ts", "vite.config.ts"],
];
const built = "build/server/wrangler.json";

/** Builds the shop for this machine, unless nothing has changed since the last build. Resolves to false if the build
 *  fails. */
export async function buildIfStale(): Promise<boolean> {
	if (isCurrent()) return true;
	console.info("Building the shop…");
	// vitest sets NODE_ENV to "test", with which the build would contain React's development version
	return run("react-router", ["build", "--logLevel", "warn"], { NODE_ENV: "production" });
}

/** A vitest or Playwright global setup, so that tests never run on an old build. */
export default async function setup(): Promise<void> {
	// an Error would make the test runner print a page about itself below the build's message
	if (!(await buildIfStale())) process.exit(1);
}

function isCurrent(): boolean {
	const builtAt = changedAt(built);
	if (builtAt === 0) return false;
	// `npm run deploy` builds another environment into the same folder
	const { name, topLevelName } = JSON.parse(readFileSync(built, "utf8"));
	if (name !== topLevelName) return false;
	// .dev.vars is copied into the build
	if (changedAt(".dev.vars") === 0 && changedAt("build/server/.dev.vars") > 0) return false;
	return [...sources, ".dev.vars", "node_modules/.package-lock.json"].every((path) => newestIn(path) < builtAt);
}

/** Returns the latest modification time of a file or folder and of everything in the folder, except tests and installed
 *  packages. A folder's own time changes when a file is added or removed. */
function newestIn(path: string): number {
	const stats = statOf(path);
	if (!stats?.isDirectory()) return stats?.mtimeMs ?? 0;
	const names = readdirSync(path).filter((name) => !/^(node_modules|tests)$|\.test\.tsx?$|\.md$/.test(name));
	return Math.max(stats.mtimeMs, ...names.map((name) => newestIn(join(path, name))));
}

function changedAt(path: string): number {
	return statOf(path)?.mtimeMs ?? 0;
}

function statOf(path: string): Stats | undefined {
	return statSync(path, { throwIfNoEntry: false });
}

if (import.meta.main) {
	readArguments("Usage: npm run build\n\nBuilds the shop for this machine to build/.\n\nExample: npm run build", {});
	await runOrExit("react-router", ["build"]);
}
