/** The part of SqlStorage that the stores use, so that their tests can use another SQLite. */
export interface Sql {
	exec(query: string, ...bindings: (string | number)[]): { toArray(): Record<string, unknown>[] };
}
