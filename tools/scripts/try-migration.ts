import { DatabaseSync } from "node:sqlite";

/** Runs the last of all migrations in memory, with a row in each table. Returns the statement that fails and its error, or
 *  null. As in D1, a migration is a transaction, in which `PRAGMA foreign_keys` has no effect. */
export function tryMigration(migrations: string[]): string | null {
	const database = new DatabaseSync(":memory:");
	database.exec(migrations.slice(0, -1).join("\n"));
	addRows(database);
	const statements = migrations.slice(-1).flatMap((sql) => sql.split("--> statement-breakpoint"));
	for (const statement of ["begin", ...statements, "commit"]) {
		try {
			database.exec(statement);
		} catch (error) {
			return `${statement.trim()}\n\n${error}`;
		}
	}
	return null;
}

/** Adds a row to each table, unless a constraint rejects it. Primary keys and their references have the same value. */
function addRows(database: DatabaseSync): void {
	database.exec("pragma foreign_keys = off");
	const tables = database.prepare("select name, sql from sqlite_schema where type = 'table'").all();
	for (const { name: table, sql } of tables) {
		const columns = database.prepare(`pragma table_info(${table})`).all();
		const required = columns.filter(({ notnull, dflt_value }) => notnull === 1 && dflt_value === null);
		const values = required.map(({ name, type }) => {
			const [, allowed] = new RegExp(`"${name}" (?:in \\(|between )('\\w+'|\\d+)`).exec(String(sql)) ?? [];
			return `cast(${allowed ?? 123456789} as ${type})`;
		});
		database.exec(`insert or ignore into ${table} (${required.map(({ name }) => name)}) values (${values})`);
	}
	database.exec("pragma foreign_keys = on");
}
