import { globSync, readdirSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { exit, readArguments } from "./arguments.ts";
import { runOrExit } from "./run.ts";

/** The folder of the local database. */
export const localState = ".wrangler/state";

/** Migrates the local database. Exits if that fails, or if the database was created by migrations that no longer exist,
 *  of which wrangler would report only that a table already exists. */
export async function migrateOrExit(folder = localState): Promise<void> {
	const state = `${folder}/v3`;
	if (globSync(`${state}/d1/*/*.sqlite`).some(hasDiverged)) {
		exit(
			`The local database was created by migrations that no longer exist: delete it with rm -r "${state}" and start again.`,
		);
	}
	console.info("Migrating the local database…");
	const quiet = { CI: "true", WRANGLER_LOG: "warn" };
	await runOrExit("wrangler", ["d1", "migrations", "apply", "DB", "--local", "--persist-to", folder], quiet);
}

/** Returns whether a database has a migration that no longer exists, and lacks one that exists. */
function hasDiverged(file: string): boolean {
	const database = new DatabaseSync(file, { readOnly: true });
	const isMigrated = database.prepare("select 1 from sqlite_schema where name = 'd1_migrations'").get();
	const rows = isMigrated ? database.prepare("select name from d1_migrations").all() : [];
	database.close();
	const applied = rows.map(({ name }) => String(name));
	const existing = readdirSync("migrations").filter((name) => name.endsWith(".sql"));
	return applied.some((name) => !existing.includes(name)) && existing.some((name) => !applied.includes(name));
}

if (import.meta.main) {
	const help = `Usage: npm run db:migrate -- [--persist-to DIR]

Migrates the local database in ${localState}/, or in DIR.

Example: npm run db:migrate -- --persist-to /tmp/shop`;
	await migrateOrExit(readArguments(help, { "persist-to": { type: "string" } }).values["persist-to"]);
}
