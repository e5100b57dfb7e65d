import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { parseEnv, promisify } from "node:util";
import { environment } from "../../tools/scripts/run.ts";
import { openShop, type Shop } from "./shop.ts";

const run = promisify(execFile);

/** All that a build is made from. */
const sources = [
	...["app", "drizzle", "migrations", "public", "local", "packages", "tools/vite"],
	...["package.json", "tsconfig.json", "wrangler.toml", "react-router.config.ts", "vite.config.ts"],
];

/** Part of every value in the .dev.vars of whoever deploys. */
export const sentinel = "kept-on-this-machine";

/** What `npm run deploy` would leave on Cloudflare, and the same running here. */
export interface Deployment {
	shop: Shop;
	/** Every file that is uploaded, by its path: the Worker's modules and the assets. */
	uploaded: Map<string, string>;
	/** What wrangler says it would do. */
	rehearsal: string;
	close(): Promise<void>;
}

/** Builds the shop for an environment of wrangler.toml and starts it; in a folder of its own, so that the build the
 *  other tests run on stays as it is, and beside a .dev.vars that names every variable. Close it when done. */
export async function openDeployment(target: "production" | "demo"): Promise<Deployment> {
	const folder = await mkdtemp(join(tmpdir(), `half-dozen-${target}-`));
	for (const source of sources) await cp(source, join(folder, source), { recursive: true });
	await symlink(resolve("node_modules"), join(folder, "node_modules"));
	const names = Object.keys(parseEnv(await readFile(".dev.vars.example", "utf8")));
	await writeFile(join(folder, ".dev.vars"), names.map((name) => `${name}=${sentinel}-${name}\n`).join(""));

	/** Runs a tool of the project in the folder; throws what it printed when it fails. */
	async function inFolder(tool: string, ...args: string[]): Promise<string> {
		const env = { ...environment, CLOUDFLARE_ENV: target, NODE_ENV: "production" };
		const { stdout, stderr } = await run(resolve("node_modules/.bin", tool), args, { cwd: folder, env });
		return stdout + stderr;
	}

	await inFolder("react-router", "build", "--logLevel", "warn");
	const rehearsal = await inFolder("wrangler", "deploy", "--dry-run", "--outdir", "rehearsed");
	const uploaded = new Map<string, string>();
	for (const part of ["rehearsed", "build/client"]) {
		const entries = await readdir(join(folder, part), { recursive: true, withFileTypes: true });
		for (const entry of entries.filter((entry) => entry.isFile())) {
			const file = join(entry.parentPath, entry.name);
			// pictures are bytes; latin1 reads any of them without loss
			uploaded.set(relative(folder, file), await readFile(file, "latin1"));
		}
	}
	const shop = await openShop({ build: join(folder, "build/server") });
	return {
		shop,
		uploaded,
		rehearsal,
		async close() {
			await shop.close();
			await rm(folder, { recursive: true, force: true });
		},
	};
}
