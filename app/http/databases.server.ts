import { type Database, openDatabase } from "#drizzle/db.server.ts";
import type { CookieJar } from "./cookies.server.ts";
import { firstCause, log } from "./log.server.ts";

export const bookmarkCookieName = "__Host-bookmark";
/** Lifetime of the bookmark cookie, in seconds. Replicas are a few seconds behind at most. */
const cookieLifetime = 60;
/** A bookmark of D1 has 60 characters. */
const maxBookmarkLength = 200;

const primaryOnly = "first-primary";

/** Opens D1's primary outside a browser's request, such as for the cron. */
export function openPrimary(d1: D1Database): Database {
	return openDatabase(d1.withSession(primaryOnly));
}

/** Errors after which D1's documentation recommends retrying a query. An overloaded database would only get slower:
 *  https://developers.cloudflare.com/d1/observability/debug-d1/ */
const transient =
	/Network connection lost|storage caused object to be reset|reset because its code was updated|Cannot resolve D1 DB due to transient issue/;

/** Runs idempotent work, and retries it once if it fails with a transient D1 error. */
export async function retryOnce<T>(work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (!transient.test(firstCause(error))) throw error;
		log("d1_retried", { message: firstCause(error) });
		return work();
	}
}

/** Returns D1 for one request. Each session is opened on first use. */
export function openDatabases(d1: D1Database, cookies: CookieJar) {
	const open = (from: string) => {
		const session = d1.withSession(from);
		return { session, database: openDatabase(session) };
	};
	let nearest: ReturnType<typeof open> | undefined;
	let primary: ReturnType<typeof open> | undefined;
	const databases = {
		/** The primary, which is always current. Use it for money, orders, sign-in and sign-out. */
		get primary(): Database {
			primary ??= open(primaryOnly);
			return primary.database;
		},
		/** Reads from the nearest replica that has this browser's last write. If the read fails, reads from the primary. */
		async readNearest<T>(read: (database: Database) => Promise<T>): Promise<T> {
			try {
				nearest ??= open(bookmark(cookies) ?? "first-unconstrained");
				return await read(nearest.database);
			} catch (error) {
				log("d1_retried", { message: firstCause(error) });
				return read(databases.primary);
			}
		},
		/** Stores the primary's bookmark in a cookie. Call it at the end of the request. */
		remember(): void {
			const written = primary?.session.getBookmark();
			if (written) cookies.set(bookmarkCookieName, written, cookieLifetime);
		},
	};
	return databases;
}

export type Databases = ReturnType<typeof openDatabases>;

/** Returns the bookmark of the browser's last write, or null. D1 does not document its format, and rejects an invalid
 *  one. */
function bookmark(cookies: CookieJar): string | null {
	const cookie = cookies.get(bookmarkCookieName);
	return cookie && cookie.length <= maxBookmarkLength ? cookie : null;
}
