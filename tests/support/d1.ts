/** A value of a bound parameter. */
type Value = string | number | boolean | null;

/** One call to D1. */
export interface D1Call {
	statements: { sql: string; values: Value[] }[];
	/** Whether the response is the rows of the only statement, as arrays, and not one D1Result per statement. */
	raw: boolean;
	/** Whether a replica may respond. */
	nearest: boolean;
}

type Make = (call: D1Call) => Promise<string>;

/** Returns a D1Database that makes each call with `make`, which resolves to the response as JSON. */
export function d1On(make: Make): D1Database {
	const primary = sessionOn(make, false);
	const refuse = (): never => {
		throw new Error("The D1Database of tests does not implement this method.");
	};
	const withSession = (from?: string) => (from === "first-primary" ? primary : sessionOn(make, true));
	return { prepare: primary.prepare, batch: primary.batch, withSession, exec: refuse, dump: refuse };
}

/** Returns a session. A replica may respond to its SELECT statements if `nearest` is true. */
const sessionOn = (make: Make, nearest: boolean): D1DatabaseSession => ({
	prepare: (sql) => new Statement(make, sql, [], nearest && /^\s*select/i.test(sql)),
	async batch(statements) {
		const own = statements.filter((statement) => statement instanceof Statement);
		if (own.length < statements.length) throw new Error("batch() accepts only statements prepared by this database.");
		return JSON.parse(await make({ statements: own, raw: false, nearest: false }));
	},
	getBookmark: () => null,
});

class Statement implements D1PreparedStatement {
	readonly sql: string;
	readonly values: Value[];
	readonly #make: Make;
	readonly #nearest: boolean;

	constructor(make: Make, sql: string, values: Value[], nearest: boolean) {
		this.#make = make;
		this.sql = sql;
		this.values = values;
		this.#nearest = nearest;
	}

	bind(...values: unknown[]): Statement {
		return new Statement(this.#make, this.sql, values.map(bindable), this.#nearest);
	}

	async #call(raw: boolean) {
		return JSON.parse(await this.#make({ statements: [this], raw, nearest: this.#nearest }));
	}

	async all<Row>(): Promise<D1Result<Row>> {
		const [result] = await this.#call(false);
		return result;
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
		if (options?.columnNames) throw new Error("The D1Database of tests does not implement columnNames.");
		return this.#call(true);
	}
}

function bindable(value: unknown): Value {
	if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
		return value;
	throw new TypeError(`D1_TYPE_ERROR: Type '${typeof value}' not supported for value '${value}'`);
}
