import { readdirSync, readFileSync, writeFileSync } from "node:fs";

// Adds STRICT to the tables in migrations, for `npm run db:generate`, because drizzle-kit cannot do this. Without
// STRICT, SQLite accepts 'abc' in an integer column. Running this script twice changes nothing.
for (const name of readdirSync("migrations").filter((name) => name.endsWith(".sql"))) {
	const path = `migrations/${name}`;
	const sql = readFileSync(path, "utf8");
	const strict = sql.replace(/(CREATE TABLE [^;]*\n\));/g, "$1 STRICT;");
	if (strict !== sql) writeFileSync(path, strict);
}
