import { execFile } from "node:child_process";
import { cp, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { sources } from "../scripts/build.ts";
import { environment } from "../scripts/run.ts";

const exec = promisify(execFile);

/** A build in a temporary folder, separate from the one that tests use. Remove the folder when done. */
export interface BuildApart {
	folder: string;
	/** Runs a command of wrangler with the build. Resolves to its output, and rejects if it fails. */
	wrangler(...args: string[]): Promise<string>;
}

/** Builds the shop as deployed to production. Writes `files` next to the sources. */
export const buildProduction = (files?: Record<string, string>) =>
	build(Object.fromEntries(sources.map((source) => [source, source])), files);

/** Copies files and folders, whose new paths are the keys, to a temporary folder and builds there. */
export async function build(copied: Record<string, string>, files: Record<string, string> = {}): Promise<BuildApart> {
	const folder = await mkdtemp(join(tmpdir(), "half-dozen-production-"));
	for (const [to, from] of Object.entries(copied)) await cp(from, join(folder, to), { recursive: true });
	for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
	await symlink(resolve("node_modules"), join(folder, "node_modules"));
	const run = async (tool: string, args: string[], env?: Record<string, string>) => {
		const options = { cwd: folder, env: { ...environment, ...env } };
		const { stdout, stderr } = await exec(resolve("node_modules/.bin", tool), args, options);
		return stdout + stderr;
	};
	await run("react-router", ["build", "--logLevel", "warn"], { CLOUDFLARE_ENV: "production", NODE_ENV: "production" });
	return { folder, wrangler: (...args) => run("wrangler", [...args, "--config", "build/server/wrangler.json"]) };
}
