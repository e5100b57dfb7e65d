import { expect, test } from "vitest";
import { currency } from "#app/brand.ts";
import { book, mixer } from "../../tests/support/catalogue.ts";
import { openShop as openUnitShop } from "../../tests/support/payments.ts";
import { stripe as account } from "../../tests/support/unit-request.ts";
import * as api from "./orders.ts";

const at = (time: string) => Date.parse(`${time}Z`) / 1000;
const created = at("2026-10-01T08:00");
const eve = { id: "id-of-eve", email: "eve@example.com", createdAt: created };
const november = { from: at("2026-11-01T00:00"), to: at("2026-12-01T00:00") };

/** Opens a shop with the customer eve, besides ada and ben. `lists` has the pages of Stripe's lists, by the path and the
 *  cursor of the request; any other call to Stripe fails. */
function openShop(lists: Record<string, object[]> = {}) {
	const requests: string[] = [];
	const fetch = async (input: RequestInfo | URL) => {
		const url = new URL(input instanceof Request ? input.url : input);
		requests.push(decodeURIComponent(url.search));
		const cursor = url.searchParams.get("page") ?? url.searchParams.get("starting_after") ?? "";
		const data = lists[`${url.pathname} ${cursor}`.trim()];
		if (!data) return Response.json({ error: { message: `${url} has no response.` } }, { status: 400 });
		const last = Object(data.at(-1)).id;
		const has_more = `${url.pathname} ${last}` in lists;
		return Response.json({ object: "list", data, has_more, next_page: has_more ? last : null });
	};
	const { primary, payments, sqlite, ...shop } = openUnitShop({ stripe: { ...account, fetch } });
	const { createdAt: created_at, ...user } = eve;
	sqlite.insert("users", { ...user, password_hash: "scrypt$of-eve", created_at });
	let refunds = 0;
	return {
		...{ primary, stripe: payments.stripe, sqlite, requests, storeOrder: shop.storeOrder },
		refund(payment_intent_id: string, amount: number, status = "succeeded", created = now) {
			sqlite.insert("refunds", { id: `re_${++refunds}`, payment_intent_id, amount, status, created });
		},
		tables: () => Object.fromEntries(sqlite.tables.map((name) => [name, sqlite.all(`select * from ${name}`)])),
	};
}
const now = at("2026-11-20T12:00");

/** Opens a shop in which eve, ben, a guest and an account that no longer exists have ordered. */
function openHistory(lists?: Record<string, object[]>) {
	const shop = openShop(lists);
	shop.storeOrder({
		payment_intent_id: "pi_2",
		user_id: eve.id,
		status: "paid",
		created: created + 2,
		currency: "sek",
	});
	shop.storeOrder({ payment_intent_id: "pi_1", user_id: eve.id, status: "refunded", created: created + 1 });
	shop.storeOrder({ payment_intent_id: "pi_3", user_id: eve.id, status: "placed", created: created + 3 });
	shop.storeOrder({ payment_intent_id: "pi_ben", user_id: "ben", status: "paid" });
	shop.storeOrder({ payment_intent_id: "pi_guest", user_id: null, guest_token_hash: "hash", status: "paid" });
	shop.storeOrder({ payment_intent_id: "pi_none", user_id: null, status: "paid", created: created + 9 });
	shop.refund("pi_1", 1000);
	shop.refund("pi_1", 196, "pending");
	shop.refund("pi_2", 300);
	shop.refund("pi_2", 400, "failed");
	shop.refund("pi_ben", 500);
	for (const id of ["session-1", "session-2"]) {
		shop.sqlite.insert("sessions", { id, user_id: eve.id, expires_at: at("2026-12-01T09:00") });
	}
	shop.sqlite.insert("sessions", { id: "session-ben", user_id: "ben", expires_at: at("2026-12-01T09:00") });
	shop.sqlite.exec(`delete from products where id = '${book.id}'`);
	return shop;
}

test("an account's orders are listed oldest first, with what was refunded, but not by failed refunds", async () => {
	const { primary } = openHistory();
	expect(await api.findAccount(primary, eve.email)).toEqual(eve);
	const { orders } = await api.readOrders(primary, api.isOwnedBy(eve));
	expect(orders).toMatchObject([
		{ paymentIntentId: "pi_1", created: created + 1, status: "refunded", amount: 1196, currency, refunded: 1196 },
		{ paymentIntentId: "pi_2", created: created + 2, status: "paid", amount: 1196, currency: "sek", refunded: 300 },
		{ paymentIntentId: "pi_3", created: created + 3, status: "placed", amount: 1196, currency, refunded: 0 },
	]);
	expect(new Set(orders.map(({ owner }) => owner))).toEqual(new Set([eve.email]));
	expect(await api.findAccount(primary, "unknown@example.com")).toBeUndefined();
});

test("the order of a payment has its items, also of a product that the shop no longer sells", async () => {
	const { primary } = openHistory();
	const { orders, items, refunds } = await api.readOrders(primary, api.isPaidBy(["pi_2"]));
	expect(orders).toHaveLength(1);
	expect(items).toMatchObject([
		{ paymentIntentId: "pi_2", productId: book.id, title: "Book", quantity: 2, priceCents: 598 },
		{ paymentIntentId: "pi_2", productId: mixer.id, title: "Mixer", quantity: 1, priceCents: 23900 },
	]);
	expect(refunds).toMatchObject([
		{ paymentIntentId: "pi_2", amount: 300, status: "succeeded", created: now },
		{ paymentIntentId: "pi_2", amount: 400, status: "failed" },
	]);
	expect(await api.readOrders(primary, api.isPaidBy(["pi_x"]))).toEqual({ orders: [], items: [], refunds: [] });
});

test("the last four digits of a card find the orders of all owners, on all pages of the search, and no other shop's", async () => {
	const path = "/v1/charges/search";
	const charge = (id: string, payment_intent: string | null) => ({ id, object: "charge", payment_intent });
	const { primary, stripe, requests } = openHistory({
		[path]: [charge("ch_1", "pi_guest"), charge("ch_2", "pi_of_another_shop"), charge("ch_3", null)],
		[`${path} ch_3`]: [charge("ch_4", "pi_2"), charge("ch_5", "pi_none"), charge("ch_6", "pi_guest")],
	});
	const { orders } = await api.readOrders(primary, api.isPaidBy(await api.listPaymentsByCard(stripe, "4242")));
	const owners = orders.map(({ paymentIntentId, owner }) => `${paymentIntentId}: ${owner}`);
	expect(owners).toEqual([`pi_2: ${eve.email}`, "pi_none: none", "pi_guest: guest"]);
	const query = '?query=payment_method_details.card.last4:"4242"&limit=100';
	expect(requests).toEqual([query, `${query}&page=ch_3`]);
});

test("an export has all that is stored about a person, but no hash of a password and no id of a session", async () => {
	const { primary } = openHistory();
	const exported = await api.exportAccount(primary, eve);
	expect(exported).toMatchObject({
		account: { ...eve, password: "stored as a hash" },
		sessions: [{ expiresAt: at("2026-12-01T09:00") }, { expiresAt: at("2026-12-01T09:00") }],
		orders: [{ paymentIntentId: "pi_1" }, { paymentIntentId: "pi_2" }, { paymentIntentId: "pi_3" }],
	});
	const ids = exported.items.map(({ paymentIntentId }) => paymentIntentId).toSorted();
	expect(ids).toEqual(["pi_1", "pi_1", "pi_2", "pi_2", "pi_3", "pi_3"]);
	const refunds = exported.refunds.map(({ paymentIntentId, amount }) => `${paymentIntentId}: ${amount}`);
	expect(refunds).toEqual(["pi_1: 1000", "pi_1: 196", "pi_2: 300", "pi_2: 400"]);
	expect(JSON.stringify(exported)).not.toMatch(/scrypt|session-|ben/);
});

test("an erased person is in no table, while the orders, their sums and all other people stay as they were", async () => {
	const { primary, tables } = openHistory();
	const { users, sessions, orders, ...others } = tables();
	expect(JSON.stringify([users, sessions, orders])).toContain(eve.id);
	const kept = await api.eraseAccount(primary, eve);
	expect(kept.map(({ paymentIntentId }) => paymentIntentId).toSorted()).toEqual(["pi_1", "pi_2", "pi_3"]);
	const after = tables();
	expect(JSON.stringify(after)).not.toMatch(/eve@example\.com|id-of-eve|scrypt\$of-eve|session-[12]/);
	expect(after).toEqual({
		...others,
		users: users?.filter(({ id }) => id !== eve.id),
		sessions: sessions?.filter(({ user_id }) => user_id !== eve.id),
		orders: orders?.map((order) => (order["user_id"] === eve.id ? { ...order, user_id: null } : order)),
	});
	const { orders: ownerless } = await api.readOrders(primary, api.isPaidBy(["pi_1"]));
	expect(ownerless).toMatchObject([{ owner: "none", amount: 1196, refunded: 1196 }]);
});

test("if one statement of an erasure fails, nothing is erased", async () => {
	const { primary, sqlite, tables } = openHistory();
	sqlite.exec("create trigger refused before delete on users begin select raise(abort, 'refused'); end");
	const before = tables();
	await expect(api.eraseAccount(primary, eve)).rejects.toThrow();
	expect(tables()).toEqual(before);
});

test.each<[string, ReturnType<typeof api.parseMonth>]>([
	["2026-11", november],
	["2026-12", { from: november.to, to: at("2027-01-01T00:00") }],
	["2028-02", { from: at("2028-02-01T00:00"), to: at("2028-03-01T00:00") }],
	...["2026-13", "2026-00", "2026-1", "2026", ""].map((text): [string, null] => [text, null]),
])("the month %j in UTC is %j", (text, period) => {
	expect(api.parseMonth(text)).toEqual(period);
});

test("revenue from D1 has the orders that were placed in the month and paid, and the refunds of the month, per currency", async () => {
	const { primary, storeOrder, refund } = openShop();
	const store = (id: string, amount: number, status: string, placed_at: number, currency: string) =>
		storeOrder({ payment_intent_id: id, amount, status, placed_at, currency });
	store("pi_before", 1000, "paid", november.from - 1, currency);
	store("pi_first", 2000, "paid", november.from, currency);
	store("pi_last", 3000, "refunded", november.to - 1, currency);
	store("pi_after", 4000, "paid", november.to, currency);
	store("pi_placed", 5000, "placed", now, currency);
	store("pi_abandoned", 6000, "abandoned", now, "sek");
	store("pi_sek", 700, "paid", now, "sek");
	store("pi_nok", 800, "paid", november.from - 1, "nok");
	refund("pi_before", 100, "succeeded", november.from);
	refund("pi_first", 50, "succeeded", november.from - 1);
	refund("pi_first", 20, "failed", now);
	refund("pi_last", 3000, "pending", november.to - 1);
	refund("pi_first", 10, "succeeded", november.to);
	refund("pi_nok", 8, "succeeded", now);
	refund("pi_unknown", 9, "succeeded", now);
	const totals = await api.readRevenue(primary, november);
	expect(totals.toSorted((a, b) => b.gross - a.gross)).toEqual([
		{ currency, orders: 2, gross: 5000, refunds: 3100, net: 1900 },
		{ currency: "sek", orders: 1, gross: 700, refunds: 0, net: 700 },
		{ currency: "nok", orders: 0, gross: 0, refunds: 8, net: -8 },
	]);
	expect(await api.readRevenue(primary, { from: 0, to: 1 })).toEqual([]);
});

test("revenue from Stripe has the transactions of this shop's payments, on all pages, with fees and disputes", async () => {
	const path = "/v1/balance_transactions";
	const change = (reporting_category: string, id: string, amount: number, fee: number, source: object | string) => ({
		...{ id, object: "balance_transaction", currency, reporting_category, amount, fee },
		source,
	});
	const of = (payment_intent: string | null) => ({ payment_intent });
	const { primary, stripe, requests } = openHistory({
		[path]: [
			change("charge", "txn_1", 1196, 65, of("pi_1")),
			change("charge", "txn_2", 5000, 200, of("pi_of_another_shop")),
			change("charge", "txn_3", 1196, 65, of("pi_guest")),
			change("payout", "txn_4", -9000, 0, { id: "po_1", object: "payout" }),
		],
		[`${path} txn_4`]: [
			change("refund", "txn_5", -1000, 0, of("pi_1")),
			change("refund_failure", "txn_6", 300, 0, of("pi_1")),
			change("dispute", "txn_7", -1196, 1500, of("pi_guest")),
			change("refund", "txn_8", -5000, 0, of("pi_of_another_shop")),
			change("fee", "txn_9", 0, 30, "fee_1"),
			change("charge", "txn_10", 700, 30, of(null)),
			{ ...change("charge", "txn_11", 1300, 70, of("pi_2")), currency: "sek" },
		],
	});
	expect(await api.readStripeRevenue(primary, stripe, november)).toEqual([
		{ currency, orders: 2, gross: 2392, refunds: 1896, fees: 1630, net: -1134 },
		{ currency: "sek", orders: 1, gross: 1300, refunds: 0, fees: 70, net: 1230 },
	]);
	const range = `?created[gte]=${november.from}&created[lt]=${november.to}&limit=100&expand[0]=data.source`;
	expect(requests).toEqual([range, `${range}&starting_after=txn_4`]);
});
