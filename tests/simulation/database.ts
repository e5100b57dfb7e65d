import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

/** An in-memory SQLite database that can be reset to a marked state. */
export class Sqlite {
	readonly #database = new DatabaseSync(":memory:");
	readonly #statements = new Map<string, StatementSync>();
	readonly #arrays = new Map<string, StatementSync>();
	#names: string[] | undefined;
	readonly #tables = new Map<string, { reads: string[]; writes: string[] }>();
	readonly #written = new Map<string, string[]>();
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
	}

	/** Returns an independent copy. */
	copy(): Sqlite {
		const copy = new Sqlite();
		copy.exec("pragma foreign_keys = off");
		const schema = this.all("select sql from sqlite_schema where sql is not null and name not like 'sqlite%'");
		for (const { sql } of schema) copy.#database.exec(String(sql));
		for (const table of this.tables) {
			for (const row of this.all(`select * from ${table}`)) {
				const values = Object.values(row);
				copy.all(`insert into ${table} values (${values.map(() => "?")})`, values);
			}
		}
		return copy;
	}

	all(sql: string, values: readonly SQLInputValue[] = []) {
		this.#noteChanges(sql);
		return this.#prepared(sql, this.#statements).all(...values);
	}

	/** Returns rows as arrays. */
	raw(sql: string, values: readonly SQLInputValue[] = []): unknown[] {
		const known = this.#arrays.get(sql);
		const statement = known ?? this.#prepared(sql, this.#arrays);
		if (!known) statement.setReturnArrays(true);
		this.#noteChanges(sql);
		return statement.all(...values);
	}

	/** The names of the tables. No schedule changes them. */
	get tables(): readonly string[] {
		const query = "select name from sqlite_schema where type = 'table' and name not like 'sqlite%'";
		this.#names ??= this.all(query).map(({ name }) => String(name));
		return this.#names;
	}

	/** Returns the tables that a statement mentions (`reads`) and those that it modifies (`writes`). */
	tablesOf(sql: string): { reads: string[]; writes: string[] } {
		const known = this.#tables.get(sql);
		if (known) return known;
		const reads = this.tables.filter((name) => new RegExp(`\\b${name}\\b`).test(sql));
		const found = { reads, writes: this.#writtenBy(sql) };
		this.#tables.set(sql, found);
		return found;
	}

	/** Runs `work` in a transaction, which is rolled back if `work` throws. */
	atomically<Result>(work: () => Result): Result {
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

	#noteChanges(sql: string): void {
		for (const table of this.#writtenBy(sql)) this.changed.add(table);
	}

	#writtenBy(sql: string): string[] {
		const known = this.#written.get(sql);
		if (known) return known;
		const statements = sql.matchAll(/\b(?:insert(?: or \w+)? into|update(?! set\b)|delete from)\s+"?(\w+)/gi);
		const found = Array.from(statements, ([, table = ""]) => table);
		this.#written.set(sql, found);
		return found;
	}

	#prepared(sql: string, statements: Map<string, StatementSync>): StatementSync {
		const known = statements.get(sql);
		if (known) return known;
		const statement = this.#database.prepare(sql);
		statements.set(sql, statement);
		return statement;
	}
}

/** One call to D1. `make` runs the statements and returns their results as JSON. */
export interface D1Call {
	statements: Statement[];
	make: () => string;
}

/** Implements D1Database on SQLite. Every statement and batch goes through `call`, and results are serialized as JSON,
 *  as in D1. Sessions that may use a replica read from `replica`. */
export function d1On(sqlite: Sqlite, replica: Sqlite, call: (call: D1Call) => Promise<string>): D1Database {
	const session = sessionOn(sqlite, call);
	const nearest: D1DatabaseSession = {
		batch: (statements) => session.batch(statements),
		getBookmark: () => null,
		prepare: (sql) => (/^\s*select/i.test(sql) ? sessionOn(replica, call) : session).prepare(sql),
	};
	const refuse = (): never => {
		throw new Error("The simulation does not implement this method of D1.");
	};
	const { prepare, batch } = session;
	const withSession = (from?: string) => (from === "first-primary" ? session : nearest);
	return { prepare, batch, withSession, exec: refuse, dump: refuse };
}

function sessionOn(sqlite: Sqlite, call: (call: D1Call) => Promise<string>): D1DatabaseSession {
	return {
		prepare: (sql) => new Statement(sqlite, call, sql, []),
		async batch(statements) {
			const own = statements.filter((statement) => statement instanceof Statement);
			if (own.length < statements.length) throw new Error("batch() accepts only statements prepared by this database.");
			const make = () => attempt(() => sqlite.atomically(() => own.map((statement) => statement.execute())));
			return JSON.parse(await call({ statements: own, make }));
		},
		getBookmark: () => null,
	};
}

export class Statement implements D1PreparedStatement {
	readonly sql: string;
	readonly values: readonly SQLInputValue[];
	readonly #sqlite: Sqlite;
	readonly #call: (call: D1Call) => Promise<string>;

	constructor(sqlite: Sqlite, call: (call: D1Call) => Promise<string>, sql: string, values: readonly SQLInputValue[]) {
		this.#sqlite = sqlite;
		this.#call = call;
		this.sql = sql;
		this.values = values;
	}

	/** The tables that the statement reads and writes. */
	get tables() {
		return this.#sqlite.tablesOf(this.sql);
	}

	bind(...values: unknown[]): Statement {
		return new Statement(this.#sqlite, this.#call, this.sql, values.map(bindable));
	}

	execute() {
		const results = this.#sqlite.all(this.sql, this.values);
		const [row] = this.tables.writes.length > 0 ? this.#sqlite.all("select changes() as changes") : [];
		return { success: true, results, meta: { changes: row?.["changes"] ?? 0 } };
	}

	async all<Row>(): Promise<D1Result<Row>> {
		return JSON.parse(await this.#call({ statements: [this], make: () => attempt(() => this.execute()) }));
	}

	run<Row>(): Promise<D1Result<Row>> {
		return this.all<Row>();
	}

	async first<Value>(column?: string): Promise<Value | null> {
		const { results } = await this.all<Record<string, Value> & Value>();
		const [row] = results;
		return (column === undefined ? row : row?.[column]) ?? null;
	}

	raw<Row>(options: { columnNames: true }): Promise<[string[], ...Row[]]>;
	raw<Row>(options?: { columnNames?: false }): Promise<Row[]>;
	async raw<Row>(options?: { columnNames?: boolean }): Promise<Row[] | [string[], ...Row[]]> {
		if (options?.columnNames) throw new Error("The simulation does not implement columnNames.");
		const make = () => attempt(() => this.#sqlite.raw(this.sql, this.values));
		return JSON.parse(await this.#call({ statements: [this], make }));
	}
}

/** Returns the results as JSON. Throws an error with D1's prefix. */
function attempt(work: () => unknown): string {
	try {
		return JSON.stringify(work());
	} catch (error) {
		throw new Error(`D1_ERROR: ${error instanceof Error ? error.message : error}`);
	}
}

function bindable(value: unknown): SQLInputValue {
	if (value === null || typeof value === "string" || typeof value === "number") return value;
	if (typeof value === "boolean") return Number(value);
	throw new TypeError(`D1_TYPE_ERROR: Type '${typeof value}' not supported for value '${value}'`);
}
