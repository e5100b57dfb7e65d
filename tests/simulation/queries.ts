import { SQLiteDialect } from "drizzle-orm/sqlite-core";
import { runningScope } from "./scope.ts";

// Replaces the methods with which Drizzle builds SQL with cached ones.

/** What Drizzle has built, cached because building a query takes longer than running it. Code that has received the same
 *  results builds the same queries, and most schedules repeat them. */
export const builtQueries = new Map<string, unknown>();

let isBuilding = false;

const statements = ["Select", "Insert", "Update", "Delete"].map((kind) => `build${kind}Query`);
for (const name of [...statements, "buildUpdateSet", "sqlToQuery"]) {
	const build = Reflect.get(SQLiteDialect.prototype, name);
	const cached = function (this: SQLiteDialect, ...parts: unknown[]): unknown {
		// must not count the builds inside another, which a cached query skips
		const key = isBuilding ? undefined : runningScope()?.nextQuery();
		if (key === undefined) return Reflect.apply(build, this, parts);
		if (builtQueries.has(key)) return builtQueries.get(key);
		isBuilding = true;
		try {
			const built = Reflect.apply(build, this, parts);
			builtQueries.set(key, built);
			return built;
		} finally {
			isBuilding = false;
		}
	};
	Reflect.set(SQLiteDialect.prototype, name, cached);
}
