import { beforeEach, describe, expect, test, vi } from "vitest";
import { hashToken } from "#app/auth/sessions.server.ts";
import { now, OrderDatabase } from "../../tests/support/unit-orders.ts";
import { openCookies, openRequest, refuse } from "../../tests/support/unit-request.ts";
import { bindOrder, claimGuestOrders, claimOrders } from "./claim.server.ts";
import { findOrder } from "./find-order.server.ts";
import { guestCookieName, type Owner } from "./owner.server.ts";

let database: OrderDatabase;

beforeEach(() => {
	database = new OrderDatabase();
	database.insertOrder("pi_ada", { userId: "ada", status: "refunded" });
	database.insertOrder("pi_guest", { guestTokenHash: "guest" });
	database.insertOrder("pi_guest_placed", { guestTokenHash: "guest", status: "placed" });
	database.insertOrder("pi_other", { guestTokenHash: "other" });
	database.insertOrder("pi_unowned", {});
});

const owners = { pi_ada: "ada", pi_guest: "guest", pi_guest_placed: "guest", pi_other: "other", pi_unowned: null };
const ofCustomer = (userId: string): Owner => ({ userId, guestTokenHash: null });
const ofGuest = (guestTokenHash: string): Owner => ({ userId: null, guestTokenHash });

describe("findOrder", () => {
	test("returns the status, amount, time and owner of the order with this id", async () => {
		const [customers, guests] = [ofCustomer("ada"), ofGuest("guest")];
		const order = { amount: 1196, created: expect.any(Number) };
		expect(await findOrder(database.primary, "pi_ada")).toEqual({ status: "refunded", ...order, ...customers });
		expect(await findOrder(database.primary, "pi_guest_placed")).toEqual({ status: "placed", ...order, ...guests });
	});

	test("retries after a lost connection", async () => {
		vi.spyOn(console, "info").mockReturnValue();
		database.failures.push("Network connection lost.");
		expect(await findOrder(database.primary, "pi_ada")).not.toBeNull();
	});
});

test("claimOrders moves all of a guest's orders", async () => {
	expect(await claimOrders(database.primary, ["guest"], "ben")).toBe(2);
	expect(database.owners()).toEqual({ ...owners, pi_guest: "ben", pi_guest_placed: "ben" });
	expect(await claimOrders(database.primary, ["guest"], "ada")).toBe(0);
});

test("claimOrders moves at most 200 orders at a time, of all tokens together", async () => {
	for (let count = 0; count < 250; count++) {
		database.insertOrder(`pi_${count}`, { guestTokenHash: count % 2 ? "many" : "more" });
	}
	const unclaimed: number[] = [];
	for (const moves of [200, 50, 0]) {
		expect(await claimOrders(database.primary, ["many", "more"], "ben")).toBe(moves);
		unclaimed.push(Object.values(database.owners()).filter((owner) => owner === "many" || owner === "more").length);
	}
	expect(unclaimed).toEqual([50, 0, 0]);
});

describe("an order is assigned to the browser that completed its payment", () => {
	/** Assigns the order, and before, with the order as it was read, checks that this takes a query only if it changes. */
	async function bind(id: string, ...owners: Owner[]): Promise<boolean> {
		const order = await findOrder(database.primary, id);
		const queries = database.calls.length;
		const isBound = await bindOrder(database.primary, id, owners, order);
		expect(database.calls.length - queries).toBe(isBound || order === null ? 1 : 0);
		return isBound || bindOrder(database.primary, id, owners, null);
	}

	test.each([
		["a guest's order to a customer", "pi_guest", "ben", [ofCustomer("ben")]],
		["a guest's order to another guest", "pi_guest", "other", [ofGuest("other"), ofGuest("another")]],
		["an order without an owner to a guest", "pi_unowned", "other", [ofGuest("other")]],
	])("%s", async (_, id, key, ofBrowser) => {
		expect(await bind(id, ...ofBrowser)).toBe(true);
		expect(database.owners()).toEqual({ ...owners, [id]: key });
	});

	test.each([
		["of another customer", "pi_ada", [ofCustomer("ben")]],
		["of a customer, in a guest's browser", "pi_ada", [ofGuest("guest")]],
		["of this guest", "pi_guest", [ofGuest("guest")]],
		["of another token of this browser", "pi_guest", [ofGuest("other"), ofGuest("guest")]],
		["with an unknown id", "pi_unknown", [ofCustomer("ben")]],
	])("but not an order %s", async (_, id, ofBrowser) => {
		expect(await bind(id, ...ofBrowser)).toBe(false);
		expect(database.owners()).toEqual(owners);
	});

	test("but not to a browser without a token", async () => {
		expect(await bindOrder(database.primary, "pi_guest", [], null)).toBe(false);
		expect(database.calls).toEqual([]);
	});
});

describe("claimGuestOrders", () => {
	const token = "abcdefghijklmnopqrstuvwxyz234567abcdefgh";
	const claim = (orderFeed: Parameters<typeof openRequest>[3]["orderFeed"] = refuse, sent = token) => {
		const { services } = openRequest("/", "", undefined, { now: () => now, orderFeed });
		const cookies = openCookies(`${guestCookieName(token)}=${sent}`);
		return claimGuestOrders(services, database.primary, cookies, "ben");
	};

	beforeEach(() => database.insertOrder("pi_token", { guestTokenHash: hashToken(token) }));

	test("returns false if D1 fails, and changes nothing", async () => {
		const error = vi.spyOn(console, "error").mockReturnValue();
		database.failures.push("D1_ERROR: database is locked");
		expect(await claim()).toBe(false);
		expect(database.owners()).toEqual({ ...owners, pi_token: hashToken(token) });
		expect(error).toHaveBeenCalledOnce();
	});

	test("claims the orders of the browser's token, and notifies the account's pages once", async () => {
		const notify = vi.fn(() => new Promise<void>((resolve) => setImmediate(resolve)));
		const orderFeed = vi.fn((_userId: string) => ({ fetch: refuse, disconnect: refuse, notify }));
		for (const _ of [1, 2]) expect(await claim(orderFeed)).toBe(true);
		expect(database.owners()).toEqual({ ...owners, pi_token: "ben" });
		expect(orderFeed.mock.calls).toEqual([["ben"]]);
	});

	test("notifies the account's pages if D1's response was lost, after which no order is left to claim", async () => {
		vi.spyOn(console, "info").mockReturnValue();
		await claimOrders(database.primary, [hashToken(token)], "ben");
		database.failures.push("Network connection lost.");
		const notify = vi.fn(async () => undefined);
		expect(await claim(() => ({ fetch: refuse, disconnect: refuse, notify }))).toBe(true);
		expect(notify).toHaveBeenCalledOnce();
	});

	test.each([399, 400])("claims all of the browser's orders: %i and one more", async (count) => {
		for (let order = 0; order < count; order++)
			database.insertOrder(`pi_${order}`, { guestTokenHash: hashToken(token) });
		const orderFeed = () => ({ fetch: refuse, disconnect: refuse, notify: async () => undefined });
		expect(await claim(orderFeed)).toBe(true);
		expect(Object.values(database.owners()).filter((owner) => owner === "ben")).toHaveLength(count + 1);
	});

	test("ignores an invalid token", async () => {
		expect(await claim(refuse, "invalid")).toBe(true);
		expect(database.calls).toEqual([]);
	});
});
