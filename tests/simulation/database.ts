import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { D1Call } from "../support/d1.ts";

/** An in-memory SQLite database that can be reset to a marked state. */
export class Sqlite {
	readonly #database = new DatabaseSync(":memory:");
	readonly #prepared = cached((sql) => this.#database.prepare(sql));
	readonly #preparedForArrays = cached((sql) => {
		const statement = this.#database.prepare(sql);
		statement.setReturnArrays(true);
		return statement;
	});
	#names: string[] | undefined;
	/** The tables that statements have modified since its owner cleared this set. */
	readonly changed = new Set<string>();

	/** Returns the shop's database after all migrations. */
	static ofShop(): Sqlite {
		const sqlite = new Sqlite();
		const folder = new URL("../../migrations/", import.meta.url);
		for (const file of readdirSync(folder).toSorted()) {
			if (file.endsWith(".sql")) sqlite.#database.exec(readFileSync(new URL(file, folder), "utf8"));
		}
		return sqlite;
	}

	exec(sql: string): void {
		this.#noteChanges(sql);
		this.#database.exec(sql);
	}

	/** Marks the current state as the one that `reset` restores. Call it once. */
	mark(): void {
		this.exec("savepoint marked");
	}

	reset(): void {
		this.exec("rollback to marked");
		this.changed.clear();
	}

	/** Returns an independent copy. */
	copy(): Sqlite {
		const copy = new Sqlite();
		copy.exec("pragma foreign_keys = off");
		const schema = this.all("select sql from sqlite_schema where sql is not null and name not like 'sqlite%'");
		for (const { sql } of schema) copy.#database.exec(String(sql));
		for (const table of this.tables) {
			for (const row of this.all(`select * from ${table}`)) copy.insert(table, row);
		}
		return copy;
	}

	/** Inserts a row, in which an undefined value is null. Returns it with all columns. */
	insert(table: string, row: Record<string, SQLInputValue | undefined>) {
		const columns = Object.keys(row);
		const values = Object.values(row).map((value) => value ?? null);
		const [stored] = this.all(
			`insert into ${table} (${columns}) values (${columns.map(() => "?")}) returning *`,
			values,
		);
		return stored;
	}

	all(sql: string, values: readonly SQLInputValue[] = []) {
		this.#noteChanges(sql);
		return this.#prepared(sql).all(...values);
	}

	/** Returns rows as arrays. */
	raw(sql: string, values: readonly SQLInputValue[] = []): unknown[] {
		this.#noteChanges(sql);
		return this.#preparedForArrays(sql).all(...values);
	}

	/** The names of the tables. No schedule changes them. */
	get tables(): readonly string[] {
		const query = "select name from sqlite_schema where type = 'table' and name not like 'sqlite%'";
		this.#names ??= this.all(query).map(({ name }) => String(name));
		return this.#names;
	}

	/** Returns the tables that a statement mentions (`reads`) and those that it modifies (`writes`). */
	readonly tablesOf = cached((sql) => ({
		reads: this.tables.filter((name) => new RegExp(`\\b${name}\\b`).test(sql)),
		writes: tablesWrittenBy(sql),
	}));

	/** Runs `work` in a transaction, which is rolled back if `work` throws. */
	#atomically<Result>(work: () => Result): Result {
		this.exec("savepoint batch");
		try {
			return work();
		} catch (error) {
			this.exec("rollback to batch");
			throw error;
		} finally {
			this.exec("release batch");
		}
	}

	/** Makes a call to D1, whose batches are transactions. Returns the response as JSON. Throws an error with D1's
	 *  prefix. */
	perform({ statements, raw }: D1Call): string {
		const results = () =>
			statements.map(({ sql, values }) => {
				const bound = values.map((value) => (typeof value === "boolean" ? Number(value) : value));
				return raw ? this.raw(sql, bound) : this.#execute(sql, bound);
			});
		try {
			if (statements.length > 1) return JSON.stringify(this.#atomically(results));
			return JSON.stringify(raw ? results()[0] : results());
		} catch (error) {
			throw new Error(`D1_ERROR: ${error instanceof Error ? error.message : error}`);
		}
	}

	/** Runs a statement. Returns a D1Result. */
	#execute(sql: string, values: readonly SQLInputValue[]) {
		const results = this.all(sql, values);
		const [row] = tablesWrittenBy(sql).length > 0 ? this.all("select changes() as changes") : [];
		return { success: true, results, meta: { changes: row?.["changes"] ?? 0 } };
	}

	#noteChanges(sql: string): void {
		for (const table of tablesWrittenBy(sql)) this.changed.add(table);
	}
}

/** Returns the tables that a statement modifies. */
const tablesWrittenBy = cached((sql) => {
	const statements = sql.matchAll(/\b(?:insert(?: or \w+)? into|update(?! (?:set|of)\b)|delete from)\s+"?(\w+)/gi);
	return Array.from(statements, ([, table = ""]) => table);
});

/** Returns a function that creates the value of each SQL statement once. */
function cached<Value>(create: (sql: string) => Value): (sql: string) => Value {
	const known = new Map<string, Value>();
	return (sql) => {
		const value = known.get(sql) ?? create(sql);
		known.set(sql, value);
		return value;
	};
}
