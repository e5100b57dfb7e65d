import fc from "fast-check";
import { SECRET_KEY } from "stripe-emulator/keys.ts";
import { describe, expect, onTestFinished, test } from "vitest";
import { hashToken, sessionCookieName } from "#app/auth/sessions.server.ts";
import { currency } from "#app/brand.ts";
import { guestCookiePrefix } from "#app/orders/owner.server.ts";
import { sign } from "#app/payments/shop-signature.server.ts";
import { basketTotal } from "#app/tab/basket.ts";
import { book, changeProduct, products, speaker } from "../support/catalogue.ts";
import { Customer, idOf, itemsOf, orderOf, outcomeOf, statusOf, totalOf } from "../support/customer.ts";
import { dumpTables } from "../support/response.ts";
import { shopId } from "../support/shop.ts";
import { stripe } from "../support/unit-request.ts";
import { newCustomer, openCalmShop } from "./setup.ts";

const shop = await openCalmShop();

const dearest = products.reduce((one, other) => (one.priceCents > other.priceCents ? one : other));
const cheapest = Math.min(...products.map(({ priceCents }) => priceCents));
const intentOf = (clientSecret: string) => shop.stripe.paymentIntents.retrieve(idOf(clientSecret));

/** Asserts that `work` writes nothing, and that the payment, if any, is not charged. */
async function unchanged<Result>(work: () => Promise<Result>, clientSecret?: string): Promise<Result> {
	const before = await dumpTables(shop);
	const result = await work();
	expect(await dumpTables(shop)).toEqual(before);
	if (clientSecret) {
		const unpaid = { status: "requires_payment_method", amount_received: 0 };
		expect(await intentOf(clientSecret)).toMatchObject(unpaid);
	}
	return result;
}

/** Returns the outcome of a request. Asserts that nothing is written, and that the payment, if any, is not charged. */
const refused = (send: () => Promise<Response>, clientSecret?: string) =>
	unchanged(async () => outcomeOf(await send()), clientSecret);

/** Returns the outcomes of placing an order for the book, of fulfilling its payment and of canceling it. */
async function outcomesOf(visitor: Customer, clientSecret: string | null, signature?: string) {
	const outcomes = [];
	for (const [path, more] of [
		["place", { productIds: [book.id], customer: await visitor.userId() }],
		["fulfill", {}],
		["fulfill", { cancel: true }],
	] as const) {
		const body = { clientSecret, signature, ...more };
		outcomes.push(await outcomeOf(await visitor.postJson(`/payments/${path}`, body)));
	}
	return outcomes;
}

test("the page's total, the PaymentIntent and the order agree for baskets of up to 200 items", async () => {
	const anyBasket = fc.array(fc.constantFrom(...products), { minLength: 1, maxLength: 200, size: "max" });
	await fc.assert(
		fc.asyncProperty(anyBasket, async (basket) => {
			const visitor = new Customer(shop);
			const productIds = basket.map(({ id }) => id);
			const clientSecret = await visitor.placeOrder(productIds);
			const intent = await visitor.confirm(clientSecret);
			expect(await outcomeOf(await visitor.fulfill(clientSecret))).toEqual([200, "paid"]);
			const rows = await itemsOf(shop, clientSecret);
			expect(rows.map((row) => row["product_id"]).toSorted()).toEqual(productIds.toSorted());
			const paid = {
				intent: intent.amount_received,
				order: (await orderOf(shop, clientSecret))?.["amount"],
				items: rows.reduce((sum, row) => sum + Number(row["price_cents"]), 0),
			};
			const shown = basketTotal(basket);
			expect(paid).toEqual({ intent: shown, order: shown, items: shown });
		}),
		{ numRuns: process.env["LONG"] ? 300 : 5, examples: [[[speaker]], [Array.from({ length: 200 }, () => dearest)]] },
	);
}, 300_000);

describe("POST /payments/create", () => {
	test.each([49, cheapest - 1])("with a total of %i cents, which buys no product, returns 400", async (total) => {
		const send = () => new Customer(shop).requestIntent(total);
		expect(await refused(send)).toEqual([400, "total_invalid"]);
	});

	test("from a page with another currency returns 409 currency_changed, as place does", async () => {
		const visitor = new Customer(shop);
		const create = () =>
			visitor.fetch(`/payments/create?total=${book.priceCents}`, { method: "POST", headers: { currency: "xts" } });
		expect(await refused(create)).toEqual([409, "currency_changed"]);
		const clientSecret = await visitor.create(book.priceCents);
		const order = { clientSecret, productIds: [book.id], currency: "xts", customer: null };
		const place = () => visitor.postJson("/payments/place", order);
		expect(await refused(place, clientSecret)).toEqual([409, "currency_changed"]);
	});

	test("accepts a price that was just lowered", async () => {
		const visitor = new Customer(shop);
		await visitor.create(book.priceCents);
		const setPrice = shop.d1.prepare(`update products set price_cents = ? where id = '${book.id}'`);
		await setPrice.bind(cheapest - 100).run();
		onTestFinished(async () => void (await setPrice.bind(book.priceCents).run()));
		expect((await visitor.requestIntent(cheapest - 100)).status).toBe(200);
		expect((await visitor.requestIntent(cheapest - 101)).status).toBe(400);
	});

	test("returns the tab's intent at the same total, unless it is canceled, unknown or malformed", async () => {
		const visitor = new Customer(shop);
		const first = await visitor.create(speaker.priceCents);
		expect(await visitor.create(speaker.priceCents, first)).toBe(first);
		await shop.stripe.paymentIntents.cancel(idOf(first));
		for (const previous of [first, "pi_000000000000000000000000_secret_0", "pi_../x_secret_y"]) {
			expect(await visitor.create(speaker.priceCents, previous)).not.toBe(previous);
		}
	});

	test("with cancel-previous, cancels the tab's intent and returns another at the same total", async () => {
		const visitor = new Customer(shop);
		const first = await visitor.create(speaker.priceCents);
		const headers = { "previous-client-secret": first, "cancel-previous": "true" };
		const response = await visitor.fetch(`/payments/create?total=${speaker.priceCents}`, { method: "POST", headers });
		expect(await response.text()).not.toContain(first);
		expect((await shop.stripe.paymentIntents.retrieve(idOf(first))).status).toBe("canceled");
	});

	test("after the tab's intent was paid fulfills its order and returns 409 payment_in_progress", async () => {
		const visitor = new Customer(shop);
		const first = await visitor.pay([speaker.id]);
		const response = await visitor.requestIntent(book.priceCents, first);
		expect(await outcomeOf(response)).toEqual([409, "payment_in_progress"]);
		expect(await statusOf(shop, first)).toBe("paid");
	});

	test("after a 500 that Stripe has stored returns 503, and the next request creates another intent", async () => {
		await shop.control({ control: "fail", endpoint: "payment_intents.create", fault: "500", when: "after", times: 1 });
		const visitor = new Customer(shop);
		const refused = await visitor.requestIntent(speaker.priceCents);
		const message = "The payment could not be prepared.";
		expect([refused.status, await refused.json()]).toEqual([503, { error: { code: "unavailable", message } }]);
		const [lost] = (await shop.stripe.paymentIntents.list({ limit: 1 })).data;
		const clientSecret = await visitor.pay([speaker.id]);
		expect(idOf(clientSecret)).not.toBe(lost?.id);
		expect(await outcomeOf(await visitor.fulfill(clientSecret))).toEqual([200, "paid"]);
		expect(await intentOf(lost?.id ?? "")).toMatchObject({ status: "requires_payment_method" });
	});
});

describe("POST /payments/place", () => {
	test.each([
		["unknown_product", [book.id, "__proto__"]],
		["invalid_request", []],
	])("returns 400 %s for the product ids %j", async (code, productIds) => {
		const visitor = new Customer(shop);
		const clientSecret = await visitor.create(book.priceCents);
		const send = () => visitor.postJson("/payments/place", { clientSecret, productIds, customer: null });
		expect(await refused(send, clientSecret)).toEqual([400, code]);
	});

	test("with an intent for another amount returns 409 price_changed, whatever prices the page sends", async () => {
		for (const cents of [dearest.priceCents - 1, dearest.priceCents + 1]) {
			const visitor = new Customer(shop);
			const clientSecret = await visitor.create(cents);
			expect(await refused(() => visitor.place(clientSecret, [dearest.id]))).toEqual([409, "price_changed"]);
			const unsigned = { clientSecret, productIds: [dearest.id], customer: null };
			const signature = `${dearest.priceCents}-${Math.floor(Date.now() / 1000)}-${"A".repeat(43)}`;
			const forged = { ...unsigned, signature, amount: cents, prices: { [dearest.id]: cents } };
			const send = () => visitor.postJson("/payments/place", forged);
			expect(await refused(send, clientSecret)).toEqual([409, "price_changed"]);
		}
	});

	test.each([
		["repriced", { [speaker.id]: speaker.priceCents, [book.id]: book.priceCents + 100 }],
		["withdrawn", { [speaker.id]: speaker.priceCents }],
		["sold out", { [speaker.id]: speaker.priceCents }],
	])("returns the current prices after a product was %s, and the next attempt pays them", async (change, prices) => {
		const visitor = new Customer(shop);
		const first = await visitor.create(totalOf([speaker.id, book.id]));
		onTestFinished(await changeProduct(shop, book.id, change));
		const response = await visitor.place(first, [speaker.id, book.id]);
		const error = { code: "price_changed", message: expect.any(String) };
		expect([response.status, await response.json()]).toEqual([409, { error, prices }]);
		expect(await orderOf(shop, first)).toBeNull();
		const amount = Object.values(prices).reduce((sum, cents) => sum + cents, 0);
		const second = await visitor.create(amount, first);
		expect((await visitor.place(second, Object.keys(prices))).status).toBe(200);
		await visitor.confirm(second);
		expect(await outcomeOf(await visitor.fulfill(second))).toEqual([200, "paid"]);
		expect(await orderOf(shop, second)).toMatchObject({ amount });
	});

	test("for a customer other than the session's returns 409 identity_changed", async () => {
		const [guest, ada, ended] = [new Customer(shop), await newCustomer(shop), await newCustomer(shop)];
		const [adas, endeds] = [await ada.userId(), await ended.userId()];
		await ended.signOut();
		for (const [visitor, customer] of [
			[guest, adas],
			[ada, null],
			[ada, endeds],
			[ended, endeds],
		] as const) {
			const clientSecret = await visitor.create(book.priceCents);
			const order = { clientSecret, productIds: [book.id], customer };
			const send = () => visitor.postJson("/payments/place", order);
			expect(await refused(send, clientSecret)).toEqual([409, "identity_changed"]);
		}
	});

	test.each(["before", "after"] as const)(
		"returns 503 not_charged if D1 fails %s the write, and a retry pays",
		async (fault) => {
			const visitor = new Customer(shop);
			const clientSecret = await visitor.create(speaker.priceCents);
			const fails = { control: "shop_fault", path: "/payments/place", service: "d1", fault } as const;
			for (const call of [1, 2, 3]) await shop.control({ ...fails, call });
			const response = await visitor.place(clientSecret, [speaker.id]);
			const message = "We can't take payments right now.";
			expect([response.status, await response.json()]).toEqual([503, { error: { code: "not_charged", message } }]);
			expect(await intentOf(clientSecret)).toMatchObject({ amount_received: 0 });
			await shop.control({ control: "calm" });
			await shop.disableWebhooks();
			expect((await visitor.place(clientSecret, [speaker.id])).status).toBe(200);
			await visitor.confirm(clientSecret);
			expect(await outcomeOf(await visitor.fulfill(clientSecret))).toEqual([200, "paid"]);
		},
	);
});

describe("POST /payments/{place,fulfill}", () => {
	test("with an unknown client secret returns 404, and with a malformed one 400", async () => {
		const visitor = new Customer(shop);
		const [clientSecret, another] = [await visitor.placeOrder([book.id]), await visitor.create(book.priceCents)];
		const payment = { amount: book.priceCents, currency, allowed_payment_method_types: ["card"] };
		const ofOther = { ...payment, metadata: { shop: "other" } };
		const foreign = await shop.stripe.paymentIntents.create(ofOther);
		const card = { confirm: true, payment_method: "pm_card_visa" };
		const foreignPaid = await shop.stripe.paymentIntents.create({ ...ofOther, ...card });
		await unchanged(async () => {
			for (const secret of [
				"pi_000000000000000000000000_secret_0000000000000000000000000",
				`${idOf(clientSecret)}_secret_${another.split("_secret_")[1]}`,
				...[foreign.client_secret, foreignPaid.client_secret, "pi_x/../../v1/refunds_secret_y"],
			]) {
				const refusal = secret?.includes("/") ? [400, "invalid_request"] : [404, "unknown_payment_intent"];
				expect([secret, ...(await outcomesOf(visitor, secret))]).toEqual([secret, refusal, refusal, refusal]);
			}
		}, clientSecret);
	});

	test("with a body that is not a JSON object returns 400", async () => {
		const headers = { "Content-Type": "application/json" };
		await unchanged(async () => {
			for (const body of [null, "{", new Uint8Array([0x7b, 0xff, 0x7d]), "[]"]) {
				for (const path of ["/payments/place", "/payments/fulfill"]) {
					const response = await new Customer(shop).fetch(path, { method: "POST", headers, body });
					expect([path, body, (await outcomeOf(response))[0]]).toEqual([path, body, 400]);
				}
			}
		});
	});
});

describe("POST /payments/fulfill", () => {
	test("for a payment that was declined returns 409 not_paid, or canceled once it was canceled, and changes nothing", async () => {
		const visitor = new Customer(shop);
		for (const clientSecret of [await visitor.placeOrder([speaker.id]), await visitor.create(speaker.priceCents)]) {
			await expect(visitor.confirm(clientSecret, "pm_card_visa_chargeDeclined")).rejects.toThrow();
			expect(await refused(() => visitor.fulfill(clientSecret))).toEqual([409, "not_paid"]);
			await shop.stripe.paymentIntents.cancel(idOf(clientSecret));
			expect(await refused(() => visitor.fulfill(clientSecret))).toEqual([409, "canceled"]);
		}
	});

	test("like /orders reports the payment as being checked while Stripe fails", async () => {
		const visitor = await newCustomer(shop);
		const clientSecret = await visitor.pay([speaker.id]);
		// the calls of both requests, and their retries
		const fails = { endpoint: "payment_intents.retrieve", fault: "500", when: "before", times: 4 } as const;
		await shop.control({ control: "fail", ...fails });
		expect(await outcomeOf(await visitor.fulfill(clientSecret))).toEqual([202, "checking"]);
		// without its apostrophe, which is escaped
		const isChecking = "re checking your payment.";
		expect(await visitor.page("/orders")).toContain(isChecking);
		const paid = await visitor.page("/orders");
		expect(paid).toContain(idOf(clientSecret));
		expect(paid).not.toContain(isChecking);
	});

	test("with cancel cancels an unpaid payment, which can no longer be charged or claimed", async () => {
		const visitor = new Customer(shop);
		const clientSecret = await visitor.placeOrder([speaker.id]);
		await visitor.confirm(clientSecret, "pm_card_authenticationRequired");
		for (const _ of ["first", "again"]) {
			const response = await visitor.fulfill(clientSecret, { cancel: true });
			expect(await outcomeOf(response)).toEqual([409, "canceled"]);
		}
		await expect(visitor.confirm(clientSecret)).rejects.toMatchObject({ code: "payment_intent_unexpected_state" });
		await visitor.createAccount();
		expect(await orderOf(shop, clientSecret)).toMatchObject({ status: "abandoned", user_id: null });
	});
});

describe("the owner of an order", () => {
	test("moves from a guest only to the account that is created in the same browser", async () => {
		const visitor = new Customer(shop);
		const clientSecret = await visitor.pay([speaker.id]);
		await visitor.fulfill(clientSecret);
		const tokens = visitor.guestTokens;
		expect(await visitor.page("/orders")).not.toContain(speaker.title);
		await visitor.createAccount();
		expect(await visitor.page("/orders")).toContain(speaker.title);
		await visitor.signOut();
		expect(await visitor.page("/orders")).not.toContain(idOf(clientSecret));
		expect(visitor.guestTokens).not.toEqual(tokens);
		for (const next of [new Customer(shop), new Customer(shop).addGuests(...tokens)]) {
			await next.createAccount();
			expect(await next.page("/orders")).not.toContain(idOf(clientSecret));
		}
		expect(await orderOf(shop, clientSecret)).toMatchObject({ user_id: await visitor.userId() });
	});

	test("is the browser's guest if a session ends on /payment, also if the browser never returns", async () => {
		const remove = shop.d1.prepare("delete from sessions where id = ?");
		for (const end of [
			(shopper: Customer) => shopper.signOut(),
			(shopper: Customer) => remove.bind(hashToken(shopper.cookie(sessionCookieName) ?? "")).run(),
		]) {
			const shopper = await newCustomer(shop);
			const clientSecret = await shopper.create(speaker.priceCents);
			await end(shopper);
			const order = { clientSecret, productIds: [speaker.id], customer: null };
			expect(await outcomeOf(await shopper.postJson("/payments/place", order))).toEqual([200, "placed"]);
			await shopper.confirm(clientSecret);
			await shopper.signIn();
			expect(await shopper.page("/orders")).toContain(idOf(clientSecret));
		}
	});

	test("is a guest whose token no later payment request sets again", async () => {
		const guest = new Customer(shop);
		const clientSecret = await guest.create(speaker.priceCents);
		for (const send of [
			() => guest.requestIntent(speaker.priceCents),
			() => guest.place(clientSecret, [speaker.id]),
			() => guest.confirm(clientSecret).then(() => guest.fulfill(clientSecret)),
		]) {
			const response = await send();
			expect(response.status).toBe(200);
			expect(response.headers.getSetCookie().join()).not.toContain(guestCookiePrefix);
		}
	});

	test("is the account that signs in, also after the late response to an earlier request has set another guest token", async () => {
		const guest = new Customer(shop);
		const late = await guest.requestIntent(speaker.priceCents);
		guest.deleteCookies();
		const clientSecret = await guest.pay([speaker.id]);
		expect(await outcomeOf(await guest.fulfill(clientSecret))).toEqual([200, "paid"]);
		guest.storeCookies(late);
		const another = await guest.placeOrder([speaker.id]);
		expect(guest.guestTokens).toHaveLength(2);
		await guest.createAccount();
		const owner = { user_id: await guest.userId() };
		for (const order of [clientSecret, another]) expect(await orderOf(shop, order)).toMatchObject(owner);
	});

	test("becomes the guest of a cookie that the browser got after the first attempt, whose account claims it", async () => {
		const guest = new Customer(shop);
		guest.keepsCookies = false;
		const clientSecret = await guest.placeOrder([speaker.id]);
		guest.keepsCookies = true;
		for (const _ of ["first", "again"]) {
			expect(await outcomeOf(await guest.place(clientSecret, [speaker.id]))).toEqual([200, "placed"]);
		}
		await guest.createAccount();
		expect(await orderOf(shop, clientSecret)).toMatchObject({ user_id: await guest.userId() });
	});

	test("a signature made with the emulator's public key does not give access to an order", async () => {
		const account = { ...stripe, secretKey: SECRET_KEY, signingKey: SECRET_KEY, shopId };
		const [shopper, stranger] = [new Customer(shop), await newCustomer(shop)];
		const unknown = [404, "unknown_payment_intent"];
		for (const secret of [await shopper.placeOrder([book.id]), await shopper.pay([book.id])]) {
			const created = Number((await orderOf(shop, secret))?.["created"]);
			const clientSecret = `${idOf(secret)}_secret_x`;
			const signature = sign(account, clientSecret, { amount: book.priceCents, created, currency });
			const outcomes = await unchanged(() => outcomesOf(stranger, clientSecret, signature));
			expect(outcomes).toEqual([unknown, unknown, unknown]);
		}
	});

	test("a leaked client secret does not take over or lock out an order, of an account or of a guest", async () => {
		for (const shopper of [await newCustomer(shop), new Customer(shop)]) {
			const stranger = new Customer(shop);
			const clientSecret = await shopper.placeOrder([speaker.id]);
			// a guest's order is bound to the browser that completes its payment
			const attack = { clientSecret, productIds: [speaker.id], customer: null };
			const send = () => stranger.postJson("/payments/place", attack);
			expect(await refused(send, clientSecret)).toEqual([409, "another_order"]);
			expect((await shopper.place(clientSecret, [speaker.id])).status).toBe(200);
			await shopper.confirm(clientSecret);
			expect(await outcomeOf(await shopper.fulfill(clientSecret))).toEqual([200, "paid"]);
			if (shopper.cookie(sessionCookieName)) {
				expect(await outcomeOf(await stranger.postJson("/payments/fulfill", { clientSecret }))).toEqual([200, "paid"]);
			}
			expect(await orderOf(shop, clientSecret)).toMatchObject({ user_id: await shopper.userId() });
		}
	});
});
