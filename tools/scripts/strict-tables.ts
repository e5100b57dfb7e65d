import { readdirSync, readFileSync, writeFileSync } from "node:fs";

// drizzle-kit cannot write STRICT, without which SQLite stores 'abc' in an integer column. `npm run db:generate`
// runs this after it; migrations that are strict already stay as they are.
for (const name of readdirSync("migrations").filter((name) => name.endsWith(".sql"))) {
	const path = `migrations/${name}`;
	const sql = readFileSync(path, "utf8");
	const strict = sql.replace(/(CREATE TABLE [^;]*\n\));/g, "$1 STRICT;");
	if (strict !== sql) writeFileSync(path, strict);
}
