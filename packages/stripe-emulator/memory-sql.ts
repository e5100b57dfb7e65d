import { DatabaseSync } from "node:sqlite";
import type { Sql } from "./sql.ts";

/** Returns an empty database in memory for the unit test of a store. */
export function memorySql(): Sql {
	const database = new DatabaseSync(":memory:");
	return {
		exec(query, ...bindings) {
			const rows = database.prepare(query).all(...bindings);
			return { toArray: () => rows };
		},
	};
}
