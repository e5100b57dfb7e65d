import { expect, test, vi } from "vitest";
import { openDatabases } from "#app/http/databases.server.ts";
import { openCookies, openRequest, refuse, setCookies } from "../../tests/support/unit-request.ts";
import { findSessionOf } from "./customer.server.ts";
import { sessionCookieName, sessionLifetime } from "./sessions.server.ts";

const lifetime = sessionLifetime.seconds();
const cookie = `${sessionCookieName}=token`;

interface Given {
	/** The D1 sessions that have the customer's session. */
	where: string[];
	/** Seconds until it expires. */
	left?: number;
	write?: () => Promise<object>;
}

/** Sends a navigation of a browser with a session token. Returns the session, where it was read, and the cookies set. */
async function open({ where, left = 0.9 * lifetime, write = refuse }: Given) {
	const read: (string | undefined)[] = [];
	const row = { id: "hash", userId: "ada", email: "ada@example.com", expiresAt: Math.floor(Date.now() / 1000) + left };
	const withSession = (constraint = "") => {
		const statement: D1PreparedStatement = Object.assign(Object.create(null), {
			bind: () => statement,
			async all() {
				read.push(constraint);
				return { results: where.includes(constraint) ? [row] : [] };
			},
			run: write,
		});
		return { prepare: () => statement, batch: refuse, getBookmark: () => null };
	};
	const d1 = { prepare: refuse, batch: refuse, exec: refuse, dump: refuse, withSession };
	const { services, args } = openRequest("/", cookie, undefined, { d1 });
	const cookies = openCookies(cookie);
	const works: Promise<unknown>[] = [];
	const waitUntil = (work: Promise<unknown>) => void works.push(work);
	const session = await findSessionOf(args.request, {
		services,
		cookies,
		databases: openDatabases(d1, cookies),
		waitUntil,
	});
	return { session, read, works, sent: setCookies(cookies).join() };
}

test("a session that the replica does not have yet is read at the primary", async () => {
	const { session, read, sent } = await open({ where: ["first-primary"] });
	expect(session).toMatchObject({ userId: "ada" });
	expect(read).toEqual(["first-unconstrained", "first-primary"]);
	expect(sent).toBe("");
});

test("a session that the replica has is read once", async () => {
	expect((await open({ where: ["first-unconstrained"] })).read).toEqual(["first-unconstrained"]);
});

test("the cookie of a session that the primary does not have is deleted", async () => {
	const { session, sent } = await open({ where: [] });
	expect(session).toBeNull();
	expect(sent).toContain(`${sessionCookieName}=; Max-Age=0`);
});

test("a session in the second half of its lifetime is returned before it is extended, also if that fails", async () => {
	const log = vi.spyOn(console, "error").mockReturnValue();
	const write = vi.fn(() => Promise.reject(new Error("D1_ERROR: D1 DB is overloaded.")));
	const { session, works, sent } = await open({ where: ["first-unconstrained"], left: 0.4 * lifetime, write });
	expect(session).toMatchObject({ userId: "ada" });
	expect(sent).toContain(`${sessionCookieName}=token; Max-Age=${lifetime}`);
	await Promise.all(works);
	expect(write).toHaveBeenCalledOnce();
	expect(log.mock.calls).toEqual([[expect.stringContaining('"event":"unavailable"')]]);
});
