import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { sources } from "../scripts/build.ts";
import { environment } from "../scripts/run.ts";

const exec = promisify(execFile);

/** A build in a temporary folder, separate from the one that tests use. Remove the folder when done. */
export interface BuildApart {
	folder: string;
	/** Runs a command of wrangler with the build. Resolves to its output, and rejects if it fails. */
	wrangler(...args: string[]): Promise<string>;
}

/** Builds the shop as deployed to an environment in wrangler.toml. Writes `files` next to the sources. */
export const buildShop = (target: "production" | "demo", files?: Record<string, string>) =>
	build(
		sources.map((source) => [source, source]),
		target,
		files,
	);

export const buildProduction = () => buildShop("production");

/** Copies files and folders to a temporary folder and builds there. */
export async function build(
	copied: [from: string, to: string][],
	target = "production",
	files: Record<string, string> = {},
): Promise<BuildApart> {
	const folder = await mkdtemp(join(tmpdir(), `half-dozen-${target}-`));
	for (const [from, to] of copied) await cp(from, join(folder, to), { recursive: true });
	for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
	await symlink(resolve("node_modules"), join(folder, "node_modules"));
	const run = async (tool: string, args: string[], env?: Record<string, string>) => {
		const options = { cwd: folder, env: { ...environment, ...env } };
		const { stdout, stderr } = await exec(resolve("node_modules/.bin", tool), args, options);
		return stdout + stderr;
	};
	await run("react-router", ["build", "--logLevel", "warn"], { CLOUDFLARE_ENV: target, NODE_ENV: "production" });
	return { folder, wrangler: (...args) => run("wrangler", [...args, "--config", "build/server/wrangler.json"]) };
}

/** Returns the gzipped size of the Worker's modules, in bytes. Cloudflare limits it to 3 MB. */
export async function weighWorker({ folder }: BuildApart): Promise<number> {
	const server = join(folder, "build/server");
	const scripts = (await readdir(server, { recursive: true })).filter((file) => file.endsWith(".js")).toSorted();
	return gzipSync(Buffer.concat(await Promise.all(scripts.map((file) => readFile(join(server, file)))))).length;
}

/** `wrangler check startup` runs `wrangler deploy` without its own --config, so that the latter would run the custom build
 *  of wrangler.toml. */
const deployArgs = "--args=--config build/server/wrangler.json";

/** The fields of V8's CPU profile that are used here. `timeDeltas` are the microseconds before each sample. */
const profileShape = z.object({
	nodes: z.array(z.object({ id: z.number(), callFrame: z.object({ functionName: z.string() }) })),
	samples: z.array(z.number()),
	timeDeltas: z.array(z.number()),
});

/** Starts the Worker once. Returns the CPU time in milliseconds, which Cloudflare limits to 1,000 on its machines. */
export async function startupOf({ folder, wrangler }: BuildApart): Promise<number> {
	const file = "start.cpuprofile";
	await wrangler("check", "startup", "--outfile", file, deployArgs);
	return activeIn(profileShape.parse(JSON.parse(await readFile(join(folder, file), "utf8"))));
}

/** Returns the milliseconds during which V8 was not idle. */
function activeIn({ nodes, samples, timeDeltas }: z.infer<typeof profileShape>): number {
	const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === "(idle)").map(({ id }) => id));
	const active = samples.map((node, index) => (idle.has(node) ? 0 : (timeDeltas[index] ?? 0)));
	return active.reduce((sum, time) => sum + time, 0) / 1000;
}
