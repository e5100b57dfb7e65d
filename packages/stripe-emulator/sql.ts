/** The little of a SQLite database that a store needs. */
export interface Sql {
	exec(query: string, ...bindings: (string | number)[]): { toArray(): Record<string, unknown>[] };
}
