import { expect, test } from "vitest";
import { sessionCookieName } from "#app/auth/sessions.server.ts";
import { openPrimary } from "#app/http/databases.server.ts";
import { eraseAccount, findAccount, isPaidBy, readOrders } from "../../tools/orders/orders.ts";
import { book, mixer } from "../support/catalogue.ts";
import { Customer, idOf, orderOf } from "../support/customer.ts";
import { dumpTables, read } from "../support/response.ts";
import { openShop } from "../support/shop.ts";
import { calmBeforeEach, closeAfterAll, newCustomer } from "./setup.ts";

// `npm run orders`. What its functions return is in tools/orders/orders.test.ts.

const shop = calmBeforeEach(closeAfterAll(await openShop()));
const primary = openPrimary(shop.d1);

/** Pays for a book and a mixer. Returns the payment's id. */
async function buy(customer: Customer, card?: string): Promise<string> {
	const clientSecret = await customer.pay([book.id, mixer.id], card);
	expect((await customer.fulfill(clientSecret)).status).toBe(200);
	return idOf(clientSecret);
}

test("an erased customer is a guest at the next request, cannot sign in, and is in no table and no line of the log", async () => {
	const [customer, other] = [await newCustomer(shop), await newCustomer(shop)];
	const { email } = customer;
	const [paid, placed] = [await buy(customer), idOf(await customer.placeOrder([book.id]))];
	const [, name = ""] = [await buy(other), other.email];
	expect(await read(await customer.fetch("/orders"))).toContain(email);
	const token = customer.cookie(sessionCookieName) ?? "";
	const user = await shop.d1.prepare("select * from users where email = ?").bind(email).first();
	const secrets = [email, user?.["password_hash"], user?.["id"]].map(String);

	const account = await findAccount(primary, email);
	if (!account) throw new Error("The account is not stored.");
	const kept = await eraseAccount(primary, account);
	expect(kept.map(({ paymentIntentId }) => paymentIntentId).toSorted()).toEqual([paid, placed].toSorted());

	const guest = await customer.fetch("/orders");
	expect(guest.headers.getSetCookie().join()).toContain(`${sessionCookieName}=; Max-Age=0`);
	const page = await read(guest);
	customer.setCookie(sessionCookieName, token);
	for (const body of [page, await read(await customer.fetch("/"))]) {
		expect(body).toContain("Hello Guest");
		expect(body).not.toContain(email);
	}
	expect(page).not.toContain(paid);
	expect((await customer.signIn()).status).toBe(400);
	expect(await read(await other.fetch("/"))).toContain(`Hello ${name}`);

	expect(await orderOf(shop, paid)).toMatchObject({ user_id: null, guest_token_hash: null, status: "paid" });
	const [stored, log] = [JSON.stringify(await dumpTables(shop)), shop.logs()];
	for (const secret of secrets) {
		expect(stored).not.toContain(secret);
		expect(log).not.toContain(secret);
	}
});

test("D1 accepts the ids of more payments than a query may have parameters", async () => {
	const id = await buy(new Customer(shop));
	const ids = [...Array.from({ length: 200 }, (_, index) => `pi_${index}`), id];
	const { orders } = await readOrders(primary, isPaidBy(ids));
	expect(orders).toMatchObject([{ paymentIntentId: id, owner: "guest" }]);
});
