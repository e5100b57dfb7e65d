import { afterEach, expect, test, vi } from "vitest";
import type { Database } from "#drizzle/db.server.ts";
import { users } from "#drizzle/schema.ts";
import { openCookies, refuse, setCookies } from "../../tests/support/unit-request.ts";
import { bookmarkCookieName, openDatabases, retryOnce } from "./databases.server.ts";

afterEach(() => vi.restoreAllMocks());

const older = "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683";
const newer = "00000086-00000001-00004c6d-8e61117bf38d7adb71b934ebbf891683";

/** Opens the databases of one request on a fake D1. Queries return no rows and set the bookmark `newer`; in sessions
 *  opened with `fails`, queries throw. */
function open(cookie?: string, fails?: string) {
	const opened: (string | undefined)[] = [];
	const d1: D1Database = {
		...{ prepare: refuse, batch: refuse, exec: refuse, dump: refuse },
		withSession(constraint) {
			opened.push(constraint);
			if (fails === "unopened" && constraint === older) throw new Error("Invalid bookmark");
			let bookmark: string | null = null;
			const statement: D1PreparedStatement = Object.assign(Object.create(null), {
				bind: () => statement,
				raw: async () => {
					if (constraint === fails) throw new Error("D1_ERROR: no such bookmark");
					bookmark = newer;
					return [];
				},
			});
			return { prepare: () => statement, batch: async () => [], getBookmark: () => bookmark };
		},
	};
	const cookies = openCookies(cookie && `${bookmarkCookieName}=${cookie}`);
	return { databases: openDatabases(d1, cookies), opened, sentCookies: () => setCookies(cookies) };
}

const readUsers = (database: Database) => database.select().from(users);

test("a browser without a bookmark reads from the nearest instance, and each session is opened once", async () => {
	const { databases, opened } = open();
	expect(opened).toEqual([]);
	await databases.readNearest(readUsers);
	await databases.readNearest(readUsers);
	expect(databases.primary).toBe(databases.primary);
	expect(opened).toEqual(["first-unconstrained", "first-primary"]);
});

test("a browser with a bookmark reads from an instance that is at least as recent, or from the primary", async () => {
	const { databases, opened } = open(older);
	await databases.readNearest(readUsers);
	databases.primary;
	expect(opened).toEqual([older, "first-primary"]);
});

test("a bookmark in another format is used, because D1 does not document its format", async () => {
	const { databases, opened } = open("v2.8e61117bf38d7adb");
	await databases.readNearest(readUsers);
	expect(opened).toEqual(["v2.8e61117bf38d7adb"]);
});

test.each(["", "x".repeat(201)])("an empty or very long bookmark is ignored: %j", async (cookie) => {
	const { databases, opened } = open(cookie);
	await databases.readNearest(readUsers);
	expect(opened).toEqual(["first-unconstrained"]);
});

test("a read whose session cannot be opened with the cookie's bookmark is retried at the primary", async () => {
	vi.spyOn(console, "info").mockReturnValue();
	const { databases, opened } = open(older, "unopened");
	expect(await databases.readNearest(readUsers)).toEqual([]);
	expect(opened).toEqual([older, "first-primary"]);
});

test("the primary's bookmark is stored in a cookie for a minute", async () => {
	const { databases, sentCookies } = open();
	await readUsers(databases.primary);
	databases.remember();
	expect(sentCookies()).toEqual([expect.stringContaining(`${bookmarkCookieName}=${newer}; Max-Age=60;`)]);
});

test("a read from the nearest instance, and a primary session without queries, set no bookmark", async () => {
	const { databases, sentCookies } = open(older);
	await databases.readNearest(readUsers);
	databases.remember();
	databases.primary;
	databases.remember();
	expect(sentCookies()).toEqual([]);
});

test.each([
	["at a replica with a bookmark", older, older],
	["at a replica without a bookmark", undefined, "first-unconstrained"],
])(
	"a read that fails %s is retried at the primary, and the primary's bookmark is stored in a cookie",
	async (_, cookie, fails) => {
		const log = vi.spyOn(console, "info").mockReturnValue();
		const { databases, opened, sentCookies } = open(cookie, fails);
		expect(await databases.readNearest(readUsers)).toEqual([]);
		expect(opened).toEqual([fails, "first-primary"]);
		expect(log.mock.calls).toEqual([[expect.stringContaining('"event":"d1_retried"')]]);
		databases.remember();
		expect(sentCookies()).toEqual([expect.stringContaining(`${bookmarkCookieName}=${newer}`)]);
	},
);

test("a read rejects if its retry at the primary also fails", async () => {
	vi.spyOn(console, "info").mockReturnValue();
	const { databases } = open();
	const read = async () => {
		throw new Error("down");
	};
	await expect(databases.readNearest(read)).rejects.toThrow("down");
});

// https://developers.cloudflare.com/d1/observability/debug-d1/
test.each([
	[2, "Network connection lost."],
	[2, "D1 DB reset because its code was updated."],
	[2, "Internal error while starting up D1 DB storage caused object to be reset."],
	[2, "Internal error in D1 DB storage caused object to be reset."],
	[2, "Cannot resolve D1 DB due to transient issue on remote node."],
	[1, "D1 DB is overloaded. Requests queued for too long."],
	[1, "D1 DB is overloaded. Too many requests queued."],
	[1, "D1 DB storage operation exceeded timeout which caused object to be reset."],
	[1, "D1 DB's isolate exceeded its memory limit and was reset."],
	[1, "D1 DB exceeded its CPU time limit and was reset."],
	[1, "database is locked"],
	[1, "CHECK constraint failed: orders_amount"],
])("retryOnce makes %i attempt(s) at work that fails with '%s'", async (attempts, message) => {
	vi.spyOn(console, "info").mockReturnValue();
	const error = new Error("Failed query", { cause: new Error(`D1_ERROR: ${message}`) });
	const work = vi.fn(() => Promise.reject(error));
	await expect(retryOnce(work)).rejects.toThrow("Failed query");
	expect(work).toHaveBeenCalledTimes(attempts);
});
