import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";

export type Database = DrizzleD1Database;

/** Creates a Drizzle client for a D1 session, which is sequentially consistent. Drizzle's type requires an entire
 *  `D1Database`, but Drizzle calls only `prepare` and `batch`, which a session has. */
export function openDatabase(session: D1DatabaseSession): Database {
	const refuse = (): never => {
		throw new Error("A D1 session has only prepare and batch; run anything else as a migration.");
	};
	const d1: D1Database = {
		prepare: (query) => session.prepare(query),
		batch: (statements) => session.batch(statements),
		exec: refuse,
		dump: refuse,
		withSession: refuse,
	};
	return drizzle(d1, { casing: "snake_case" });
}
