import { readdir, readFile, rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { parseEnv } from "node:util";
import { buildProduction } from "../../tools/bench/build.ts";
import { openShop } from "./shop.ts";

/** Prefix of every value in the .dev.vars of the deploying machine. */
export const sentinel = "kept-on-this-machine";

/** Builds and starts the shop as `npm run deploy` would upload it, next to a .dev.vars that sets every variable. Returns
 *  it with its folder, every uploaded file by its path (the Worker's modules and the assets) and the output of
 *  `wrangler deploy --dry-run`. Close the deployment when done. */
export async function openDeployment() {
	const names = Object.keys(parseEnv(await readFile(".dev.vars.example", "utf8")));
	const devVars = names.map((name) => `${name}=${sentinel}-${name}\n`).join("");
	// what is built depends on the environment, not on the name, which a shop of one's own changes
	const toml = (await readFile("wrangler.toml", "utf8")).replace(/(?<=\[env\.production\]\nname = ")[^"]+/, "renamed");
	const { folder, wrangler } = await buildProduction({ ".dev.vars": devVars, "wrangler.toml": toml });
	const dryRun = await wrangler("deploy", "--dry-run", "--outdir", "uploaded");
	const uploaded = new Map<string, string>();
	for (const part of ["uploaded", "build/client"]) {
		const entries = await readdir(join(folder, part), { recursive: true, withFileTypes: true });
		for (const entry of entries.filter((entry) => entry.isFile())) {
			const file = join(entry.parentPath, entry.name);
			// latin1 preserves the bytes of pictures
			uploaded.set(relative(folder, file), await readFile(file, "latin1"));
		}
	}
	const shop = await openShop({ build: join(folder, "build/server") });
	return {
		...{ shop, uploaded, dryRun, folder },
		async close() {
			await shop.close();
			await rm(folder, { recursive: true, force: true });
		},
	};
}
