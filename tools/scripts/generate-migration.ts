import { globSync, readFileSync, writeFileSync } from "node:fs";
import { exit, readArguments } from "./arguments.ts";
import { runOrExit } from "./run.ts";
import { tryMigration } from "./try-migration.ts";

const help = `Usage: npm run db:generate

Writes the migration from the latest one to drizzle/schema.ts, and tries the latest one on a database with rows.

Example: npm run db:generate && npm run db:migrate`;
readArguments(help, {});

await runOrExit("drizzle-kit", ["generate", "--config", "drizzle/drizzle.config.ts"]);
const paths = globSync("migrations/*.sql").toSorted();
const migrations = paths.map((path) => {
	const sql = readFileSync(path, "utf8");
	// drizzle-kit cannot add STRICT, without which SQLite accepts 'abc' in an integer column. A second time changes nothing.
	const strict = sql.replace(/(CREATE TABLE [^;]*\n\));/g, "$1 STRICT;");
	if (strict !== sql) writeFileSync(path, strict);
	return strict;
});
const failure = tryMigration(migrations);
if (failure === null) console.info(`${paths.at(-1)} works on a database with rows.`);
else
	exit(`${paths.at(-1)} fails on a database with rows:

${failure}

Edit the file and run npm run db:generate again, which tries it again.
- A column without a default must be nullable.
- A column with a CHECK makes drizzle-kit rebuild the table, which reads the column from the old one. If another change
  requires the rebuild, take the column out of the INSERT and its SELECT. If not, replace the whole file with a line such as
  ALTER TABLE \`products\` ADD \`stock\` integer DEFAULT 0 NOT NULL CONSTRAINT "products_stock" CHECK("products"."stock" >= 0);
- In a migration, foreign keys cannot be turned off. To rebuild a table that others reference, copy the rows that
  reference it to another table, delete them, and insert them again after the rebuild.`);
