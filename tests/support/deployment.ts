import { readdir, readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { parseEnv } from "node:util";
import { buildShop } from "../../tools/bench/build.ts";
import { openShop, type Shop } from "./shop.ts";

/** Prefix of every value in the .dev.vars of the deploying machine. */
export const sentinel = "kept-on-this-machine";

/** The build that `npm run deploy` would upload, running on this machine. */
export interface Deployment {
	shop: Shop;
	/** Every uploaded file by its path: the Worker's modules and the assets. */
	uploaded: Map<string, string>;
	/** The output of `wrangler deploy --dry-run`. */
	rehearsal: string;
	close(): Promise<void>;
}

/** Builds and starts the shop for an environment in wrangler.toml, next to a .dev.vars that sets every variable. Close
 *  the deployment when done. */
export async function openDeployment(target: "production"): Promise<Deployment> {
	const names = Object.keys(parseEnv(await readFile(".dev.vars.example", "utf8")));
	const devVars = names.map((name) => `${name}=${sentinel}-${name}\n`).join("");
	// what is built depends on the environment, not on the name, which a shop of one's own changes
	const toml = (await readFile("wrangler.toml", "utf8")).replace("half-dozen-production", "renamed");
	const { folder, wrangler } = await buildShop(target, { ".dev.vars": devVars, "wrangler.toml": toml });
	const rehearsal = await wrangler("deploy", "--dry-run", "--outdir", "rehearsed");
	const uploaded = new Map<string, string>();
	for (const part of ["rehearsed", "build/client"]) {
		const entries = await readdir(join(folder, part), { recursive: true, withFileTypes: true });
		for (const entry of entries.filter((entry) => entry.isFile())) {
			const file = join(entry.parentPath, entry.name);
			// latin1 preserves the bytes of pictures
			uploaded.set(relative(folder, file), await readFile(file, "latin1"));
		}
	}
	const shop = await openShop({ build: join(folder, "build/server") });
	return {
		...{ shop, uploaded, rehearsal },
		async close() {
			await shop.close();
			await rm(folder, { recursive: true, force: true });
		},
	};
}
