/** Makes a call to D1. An implementation can also measure the call or make it fail. */
type CallD1 = <T>(make: () => Promise<T>) => Promise<T>;

/** Wraps a D1 database so that every statement and batch runs through `call`. */
export function d1CalledBy(call: CallD1, d1: D1Database): D1Database {
	return {
		...queriesCalledBy(d1, call),
		exec: (query) => call(() => d1.exec(query)),
		dump: () => call(() => d1.dump()),
		withSession(from) {
			const session = d1.withSession(from);
			return { ...queriesCalledBy(session, call), getBookmark: () => session.getBookmark() };
		},
	};
}

function queriesCalledBy(d1: D1Database | D1DatabaseSession, call: CallD1) {
	return {
		prepare: (query: string) => new CalledStatement(d1.prepare(query), call),
		batch<T>(statements: D1PreparedStatement[]) {
			// D1's batch() accepts only D1's own statements
			const own = statements.map((statement) => (statement instanceof CalledStatement ? statement.own : statement));
			return call(() => d1.batch<T>(own));
		},
	};
}

class CalledStatement implements D1PreparedStatement {
	readonly own: D1PreparedStatement;
	readonly #call: CallD1;

	constructor(own: D1PreparedStatement, call: CallD1) {
		this.own = own;
		this.#call = call;
	}

	bind(...values: unknown[]): CalledStatement {
		return new CalledStatement(this.own.bind(...values), this.#call);
	}

	first<T>(column: string): Promise<T | null>;
	first<T>(): Promise<T | null>;
	first<T>(column?: string): Promise<T | null> {
		// D1 distinguishes a missing argument from undefined
		return this.#call(() => (column === undefined ? this.own.first<T>() : this.own.first<T>(column)));
	}

	run<T>(): Promise<D1Result<T>> {
		return this.#call(() => this.own.run<T>());
	}

	all<T>(): Promise<D1Result<T>> {
		return this.#call(() => this.own.all<T>());
	}

	raw<T>(options: { columnNames: true }): Promise<[string[], ...T[]]>;
	raw<T>(options?: { columnNames?: false }): Promise<T[]>;
	raw<T>(options?: { columnNames?: boolean }): Promise<T[] | [string[], ...T[]]> {
		return this.#call(async () =>
			options?.columnNames ? await this.own.raw<T>({ columnNames: true }) : await this.own.raw<T>(),
		);
	}
}
