import { expect, test, vi } from "vitest";
import { sessionCookieName } from "#app/auth/sessions.server.ts";
import { bookmarkCookieName, openPrimary } from "#app/http/databases.server.ts";
import { reconcile } from "#app/payments/reconcile.server.ts";
import { withPayments } from "#app/payments/stripe-api.server.ts";
import { openRequest, refuse } from "../../tests/support/unit-request.ts";
import { loader as orders } from "./orders.tsx";
import { action as fulfill } from "./payments.fulfill.ts";
import { action as place } from "./payments.place.ts";

// A replica may lag behind the primary. If it lacked an order, the order's payment would appear to have no order.

const bookmark = "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683";
const clientSecret = "pi_1_secret_1";

/** Creates a request whose external calls all fail. `opened` records the constraint of each D1 session. */
function open(path: string, body?: object, otherCookies = "") {
	const opened: (string | undefined)[] = [];
	const session = { prepare: refuse, batch: refuse, getBookmark: () => null };
	const withSession = (constraint?: string) => {
		opened.push(constraint);
		return session;
	};
	// the bookmark of a recent write, which a session at the nearest replica would use
	const opening = openRequest(path, `${bookmarkCookieName}=${bookmark}${otherCookies}`, body, {
		now: () => 0,
		d1: { prepare: refuse, batch: refuse, exec: refuse, dump: refuse, withSession },
	});
	return { opened, ...opening };
}

test.each([
	["place", place, "/payments/place" as const, { clientSecret, productIds: ["1"], customer: null }],
	["fulfill", fulfill, "/payments/fulfill" as const, { clientSecret }],
])("%s reads from the primary", async (_, action, pattern, body) => {
	vi.spyOn(console, "error").mockReturnValue();
	const { opened, args } = open(pattern, body);
	await action({ ...args, pattern });
	expect(opened).toEqual(["first-primary"]);
});

test("/orders reads from the primary, and the session of its greeting from the nearest replica", async () => {
	vi.spyOn(console, "info").mockReturnValue();
	const { opened, args } = open("/orders", undefined, `; ${sessionCookieName}=1`);
	await expect(orders({ ...args, pattern: "/orders" })).rejects.toThrow();
	expect(opened).toEqual(["first-primary", bookmark]);
});

test("a POST request reads its session from the primary", async () => {
	const { opened, authenticate } = open("/logout", {}, `; ${sessionCookieName}=1`);
	await expect(authenticate()).rejects.toThrow();
	expect(opened).toEqual(["first-primary"]);
});

test("reconcile reads from the primary", async () => {
	const { opened, services } = open("/");
	await expect(withPayments(services, openPrimary(services.d1), reconcile)).rejects.toThrow();
	expect(opened).toEqual(["first-primary"]);
});
