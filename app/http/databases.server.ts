import { createContext } from "react-router";
import { type Database, openDatabase } from "#drizzle/db.server.ts";
import type { CookieJar } from "./cookies.server.ts";

const cookieName = "__Host-bookmark";
/** Seconds; by then a replica has long caught up with what this browser wrote. */
const cookieLifetime = 60;

/** D1 as one request sees it. `nearest` may be a replica, but never one that is behind this browser's own last
 *  write; `primary` is the truth, for money, sign-out and orders. Both open when first asked for. */
export interface Databases {
	readonly nearest: Database;
	readonly primary: Database;
}

export const databasesContext = createContext<Databases>();

/** Opens D1 for one request. Call `remember` at its end: it leaves the bookmark of what was written in a cookie. */
export function openDatabases(d1: D1Database, cookies: CookieJar) {
	let nearest: D1DatabaseSession | undefined;
	let primary: D1DatabaseSession | undefined;
	let nearestDatabase: Database | undefined;
	let primaryDatabase: Database | undefined;
	const databases: Databases = {
		get nearest() {
			nearest ??= d1.withSession(bookmark(cookies.get(cookieName)) ?? "first-unconstrained");
			nearestDatabase ??= openDatabase(nearest);
			return nearestDatabase;
		},
		get primary() {
			primary ??= d1.withSession("first-primary");
			primaryDatabase ??= openDatabase(primary);
			return primaryDatabase;
		},
	};
	return {
		databases,
		remember(): void {
			const written = primary?.getBookmark();
			if (written) cookies.set(cookieName, written, cookieLifetime);
		},
	};
}

/** D1 refuses a query whose bookmark is not of its own making; a cookie of another shape is as good as none. */
function bookmark(cookie: string | null): string | null {
	return cookie !== null && /^[0-9a-f]{8}(-[0-9a-f]{8}){2}-[0-9a-f]{32}$/.test(cookie) ? cookie : null;
}
