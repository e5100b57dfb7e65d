import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { readArguments } from "./arguments.ts";
import { runOrExit } from "./run.ts";

const help = `Usage: npm run db:generate

Writes the migration from the latest one to drizzle/schema.ts.

Example: npm run db:generate && npm run db:migrate`;
readArguments(help, {});

await runOrExit("drizzle-kit", ["generate", "--config", "drizzle/drizzle.config.ts"]);
// drizzle-kit cannot add STRICT, without which SQLite accepts 'abc' in an integer column. A second time changes nothing.
for (const name of readdirSync("migrations").filter((name) => name.endsWith(".sql"))) {
	const path = `migrations/${name}`;
	const sql = readFileSync(path, "utf8");
	const strict = sql.replace(/(CREATE TABLE [^;]*\n\));/g, "$1 STRICT;");
	if (strict !== sql) writeFileSync(path, strict);
}
