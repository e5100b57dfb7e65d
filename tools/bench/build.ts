import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { environment } from "../scripts/run.ts";

const run = promisify(execFile);

/** All that the shop's build is made from; no .dev.vars, which would bring keys along. */
const sources = [
	...["app", "drizzle", "migrations", "local", "packages", "public", "tools/vite"],
	...["package.json", "tsconfig.json", "wrangler.toml", "react-router.config.ts", "vite.config.ts"],
];

/** A build in a folder of its own, so that the one the tests run on stays as it is. Remove the folder when done. */
export interface BuildApart {
	folder: string;
	/** Runs a tool of the project in the folder, for production. Throws what it printed when it fails. */
	run(tool: string, ...args: string[]): Promise<string>;
}

/** Builds the shop as it is deployed: without the Stripe emulator. */
export const buildProduction = () => build(sources.map((source) => [source, source]));

/** Builds what `copied` says: files and folders of the project, and their places in the folder. */
export async function build(copied: [from: string, to: string][]): Promise<BuildApart> {
	const folder = await mkdtemp(join(tmpdir(), "half-dozen-production-"));
	for (const [from, to] of copied) await cp(from, join(folder, to), { recursive: true });
	await symlink(resolve("node_modules"), join(folder, "node_modules"));
	const env = { ...environment, CLOUDFLARE_ENV: "production", NODE_ENV: "production" };
	const inFolder = async (tool: string, ...args: string[]) => {
		const { stdout, stderr } = await run(resolve("node_modules/.bin", tool), args, { cwd: folder, env });
		return stdout + stderr;
	};
	await inFolder("react-router", "build", "--logLevel", "warn");
	return { folder, run: inFolder };
}

/** Bytes of the built Worker after gzip, all its modules in one: what counts against Cloudflare's limit of 3 MB. */
export async function weighWorker({ folder }: BuildApart): Promise<number> {
	const server = join(folder, "build/server");
	const scripts = (await readdir(server, { recursive: true })).filter((file) => file.endsWith(".js")).toSorted();
	return gzipSync(Buffer.concat(await Promise.all(scripts.map((file) => readFile(join(server, file)))))).length;
}
