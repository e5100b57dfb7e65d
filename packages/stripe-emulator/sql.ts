/** The subset of SqlStorage that a store needs, so that tests can use node:sqlite. */
export interface Sql {
	exec(query: string, ...bindings: (string | number)[]): { toArray(): Record<string, unknown>[] };
}
