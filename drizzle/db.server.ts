import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";

export type Database = DrizzleD1Database;

/** Opens Drizzle on one D1 session, so that every query of it sees at least what the earlier ones saw.
 *  Drizzle is typed for a whole `D1Database`; a session can only prepare and batch, and that is all Drizzle calls. */
export function openDatabase(session: D1DatabaseSession): Database {
	const refuse = (): never => {
		throw new Error("Only prepare and batch work on a D1 session; run anything else as a migration.");
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

/** Does it once more when it fails, or another way: D1 loses a connection now and then. Only for work that comes to the
 *  same however often it is done, since the first time may have been done all the same. */
export async function retryOnce<T>(work: () => Promise<T>, again = work): Promise<T> {
	try {
		return await work();
	} catch (error) {
		// D1's own words: those of Drizzle around them hold the parameters
		const message = String(error instanceof Error ? (error.cause ?? error) : error);
		console.warn(JSON.stringify({ event: "d1_retried", message }));
		return again();
	}
}
