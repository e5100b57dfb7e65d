/** The part of SqlStorage that unit-tested stores use, so that their tests can run on node:sqlite. */
export interface Sql {
	exec(query: string, ...bindings: (string | number)[]): { toArray(): Record<string, unknown>[] };
}
