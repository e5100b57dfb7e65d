import { createContext } from "react-router";
import { type Database, openDatabase } from "#drizzle/db.server.ts";
import type { CookieJar } from "./cookies.server.ts";
import { log } from "./log.server.ts";

const cookieName = "__Host-bookmark";
/** Seconds. Replicas are a few seconds behind at most. */
const cookieLifetime = 60;

/** D1 for one request. Each session opens with its first query. */
export interface Databases {
	/** Always current: for money, sign-out and orders. */
	readonly primary: Database;
	/** Reads from the nearest replica that has this browser's own last write. When that fails, reads from the primary. */
	readNearest<T>(read: (database: Database) => Promise<T>): Promise<T>;
}

export const databasesContext = createContext<Databases>();

const primaryOnly = "first-primary";

/** Opens D1's primary without a request, as for the cron. */
export function openPrimary(d1: D1Database): Database {
	return openDatabase(d1.withSession(primaryOnly));
}

/** Errors after which D1's documentation recommends to retry a query:
 *  https://developers.cloudflare.com/d1/best-practices/retry-queries/ */
const transient = /Network connection lost|storage caused object to be reset|reset because its code was updated/;

/** Does idempotent work once more if it fails with a transient error of D1. */
export async function retryOnce<T>(work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (!transient.test(messageOf(error))) throw error;
		log("d1_retried", { message: messageOf(error) });
		return work();
	}
}

/** Returns D1's own message. Drizzle's contains the parameters of the query. */
function messageOf(error: unknown): string {
	return String(error instanceof Error ? (error.cause ?? error) : error);
}

/** Opens D1 for one request. Call `remember` at its end: it saves the bookmark of what was written in a cookie. */
export function openDatabases(d1: D1Database, cookies: CookieJar) {
	const open = (from: string) => {
		const session = d1.withSession(from);
		return { session, database: openDatabase(session) };
	};
	let nearest: ReturnType<typeof open> | undefined;
	let primary: ReturnType<typeof open> | undefined;
	const databases: Databases = {
		get primary() {
			primary ??= open(primaryOnly);
			return primary.database;
		},
		async readNearest(read) {
			nearest ??= open(bookmark(cookies.get(cookieName)) ?? "first-unconstrained");
			const { database } = nearest;
			try {
				return await read(database);
			} catch (error) {
				log("d1_retried", { message: messageOf(error) });
				return read(databases.primary);
			}
		},
	};
	return {
		databases,
		remember(): void {
			const written = primary?.session.getBookmark();
			if (written) cookies.set(cookieName, written, cookieLifetime);
		},
	};
}

/** Returns null for a cookie of another format: D1 rejects a query with an invalid bookmark. */
function bookmark(cookie: string | null): string | null {
	return cookie !== null && /^[0-9a-f]{8}(-[0-9a-f]{8}){2}-[0-9a-f]{32}$/.test(cookie) ? cookie : null;
}
