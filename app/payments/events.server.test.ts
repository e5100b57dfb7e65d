import { expect, test } from "vitest";
import { now, openShop } from "../../tests/support/payments.ts";
import { stripe } from "../../tests/support/unit-request.ts";
import { nextSlice, recordEvents } from "./events.server.ts";
import { nameOf } from "./shop-signature.server.ts";

const newest = 10_000;

test.each([
	["with more than 1,000 events is read again in halves", { from: 100, end: 201 }, 1001, { from: 100, end: 150 }],
	["of one second is not halved", { from: 100, end: 101 }, 5000, { from: 101, end: 102 }],
	["with more than 500 events is followed by one as long", { from: 100, end: 200 }, 501, { from: 200, end: 300 }],
	["with 500 events is followed by one twice as long", { from: 100, end: 200 }, 500, { from: 200, end: 400 }],
	["is never followed by one that ends later than now", { from: 100, end: 9999 }, 0, { from: 9999, end: newest }],
	["that ends now is the last", { from: 100, end: newest }, 1000, null],
	["that ends now is halved, too", { from: 9000, end: newest }, 1001, { from: 9000, end: 9500 }],
])("a slice of events %s", (_, slice, events, next) => {
	expect(nextSlice(slice, events, newest)).toEqual(next);
});

test.each([
	["time", { event_created: now - 50 }],
	["account", { account: "another" }],
])("a cursor whose %s has changed since a run read it is not moved", async (_, changed) => {
	const fetch = async () => {
		shop.sqlite.all(`update reconcile_cursor set ${Object.keys(changed)} = ?`, Object.values(changed));
		return Response.json({ object: "list", data: [], has_more: false });
	};
	const shop = openShop({ stripe: { ...stripe, fetch } });
	const cursor = { id: 1, account: nameOf(stripe), event_created: now - 100 };
	shop.sqlite.insert("reconcile_cursor", cursor);
	await recordEvents(shop.payments).next();
	expect(shop.sqlite.all("select * from reconcile_cursor")).toEqual([{ ...cursor, ...changed }]);
});
