import { createContext } from "react-router";
import { type Database, openDatabase, retryOnce } from "#drizzle/db.server.ts";
import type { CookieJar } from "./cookies.server.ts";

const cookieName = "__Host-bookmark";
/** Seconds; by then a replica has long caught up with what this browser wrote. */
const cookieLifetime = 60;

/** D1 as one request sees it: each session opens when it is first asked for. */
export interface Databases {
	/** The truth: for money, sign-out and orders. */
	readonly primary: Database;
	/** Reads from what may be a replica, but never one that is behind this browser's own last write; from the primary
	 *  when that fails, since a replica, or a bookmark, may be at fault. */
	readNearest<T>(read: (database: Database) => Promise<T>): Promise<T>;
}

export const databasesContext = createContext<Databases>();

/** Where sessions start that must not read from a replica. */
const primaryOnly = "first-primary";

/** Opens D1's primary without a request, as for the cron. */
export function openPrimary(d1: D1Database): Database {
	return openDatabase(d1.withSession(primaryOnly));
}

/** Opens D1 for one request. Call `remember` at its end: it leaves the bookmark of what was written in a cookie. */
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
			return retryOnce(
				async () => read(database),
				async () => read(databases.primary),
			);
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

/** D1 refuses a query whose bookmark is not of its own making; a cookie of another shape is as good as none. */
function bookmark(cookie: string | null): string | null {
	return cookie !== null && /^[0-9a-f]{8}(-[0-9a-f]{8}){2}-[0-9a-f]{32}$/.test(cookie) ? cookie : null;
}
