import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tryMigration } from "./try-migration.ts";

const existing = globSync("migrations/*.sql").toSorted();
const migrations = existing.map((path) => readFileSync(path, "utf8"));
const tables = ["products", "users", "sessions", "orders", "order_items", "refunds"];

test.each(tables)("a migration is tried with a row in %s", (table) => {
	const sql = `ALTER TABLE ${table} ADD no_such_column integer NOT NULL;`;
	const error = "Error: Cannot add a NOT NULL column with default value NULL";
	expect(tryMigration([...migrations, sql])).toBe(`${sql}\n\n${error}`);
});

const create = (table: string, columns: string) => `CREATE TABLE \`${table}\` (${columns}) STRICT;`;
const parents = "id text PRIMARY KEY NOT NULL, state text NOT NULL";
const states = `CHECK("parents"."state" in ('new', 'old'))`;
const family = [
	create("parents", `${parents}, ${states}`),
	create("children", "parent_id text NOT NULL REFERENCES parents(id), size integer NOT NULL"),
];
/** Rebuilds a table as drizzle-kit does. */
function rebuild(table: string, columns: string, selected: string): string[] {
	return [
		create(`__new_${table}`, columns),
		`INSERT INTO \`__new_${table}\` SELECT ${selected} FROM \`${table}\`;`,
		`DROP TABLE \`${table}\`;`,
		`ALTER TABLE \`__new_${table}\` RENAME TO \`${table}\`;`,
	];
}
const children = "parent_id text NOT NULL, size integer NOT NULL";
const withNote = rebuild("children", `${children}, note text`, `"parent_id", "size", "note"`);
const addAge = "ALTER TABLE children ADD age integer DEFAULT";
const ofParents = rebuild("parents", parents, "*");

test.each([
	["that adds a column with a CHECK", [`${addAge} 1 NOT NULL CHECK(age between 1 and 9);`]],
	["that rebuilds a table without references to it", rebuild("children", children, "*")],
	[
		"that rebuilds a table while no row references it",
		[
			...["CREATE TABLE kept AS SELECT * FROM children;", "DELETE FROM children;"],
			...[...ofParents, "INSERT INTO children SELECT * FROM kept;", "DROP TABLE kept;"],
		],
	],
])("a migration %s runs", (_, statements) => {
	expect(tryMigration([family.join("\n"), statements.join("--> statement-breakpoint\n")])).toBeNull();
});

test.each([
	["the statement that reads a new column from the old table", withNote, withNote[1], /no such column: "note"/],
	["the drop of a referenced table", ["PRAGMA foreign_keys=OFF;", ...ofParents], ofParents[2], /FOREIGN KEY/],
	["commit, if foreign keys are deferred", ["PRAGMA defer_foreign_keys=ON;", ...ofParents], "commit", /FOREIGN KEY/],
	["a violated CHECK", [`${addAge} 0 CHECK(age > 0);`], `${addAge} 0 CHECK(age > 0);`, /CHECK constraint failed/],
])("the failure of a migration names %s", (_, statements, statement, error) => {
	const failure = tryMigration([family.join("\n"), statements.join("--> statement-breakpoint\n")]);
	expect(failure?.split("\n\n")).toEqual([statement, expect.stringMatching(error)]);
});
