// `npm run db:migrate`: migrates the local database. The argument, if any, is its folder (wrangler's --persist-to).
import { createHash, createHmac } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { runOrExit } from "./run.ts";

/** Applies the migrations that the local database in this folder lacks. */
export async function migrate(folder = ".wrangler/state"): Promise<void> {
	const files = readdirSync("migrations").filter((file) => file.endsWith(".sql"));
	// wrangler takes two seconds to find that there is nothing to apply
	const applied = listApplied(folder);
	if (files.every((file) => applied.includes(file))) return;
	console.info("Migrating the local database…");
	await runOrExit("wrangler", ["d1", "migrations", "apply", "DB", "--local", "--persist-to", folder], {
		// skips wrangler's confirmation prompt
		CI: "true",
		WRANGLER_LOG: "warn",
	});
}

/** Returns the migrations that wrangler has applied to the local database. The list is empty if the database cannot be
 *  read, for example because a version of Miniflare stores it elsewhere. */
function listApplied(folder: string): unknown[] {
	const [, id] = /^database_id = "(.+)"$/m.exec(readFileSync("wrangler.toml", "utf8")) ?? [];
	if (!id) return [];
	const path = join(folder, "v3/d1/miniflare-D1DatabaseObject", `${durableObjectId(id)}.sqlite`);
	if (!existsSync(path)) return [];
	const database = new DatabaseSync(path, { readOnly: true });
	try {
		const rows = database.prepare("SELECT name FROM d1_migrations").all();
		return rows.map(({ name }) => name);
	} catch {
		return [];
	} finally {
		database.close();
	}
}

/** Returns the id of the Durable Object in which Miniflare stores this database. */
function durableObjectId(databaseId: string): string {
	const key = createHash("sha256").update("miniflare-D1DatabaseObject").digest();
	const sign = (data: string | Buffer) => createHmac("sha256", key).update(data).digest().subarray(0, 16);
	const name = sign(databaseId);
	return Buffer.concat([name, sign(name)]).toString("hex");
}

if (import.meta.main) await migrate(process.argv[2]);
