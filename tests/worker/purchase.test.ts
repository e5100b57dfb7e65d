import { createHash } from "node:crypto";
import fc from "fast-check";
import { SECRET_KEY } from "stripe-emulator/keys.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { basketTotal } from "#app/basket/basket.ts";
import { sign } from "#app/payments/signature.server.ts";
import { book, changeProduct, products, speaker, ultrawide } from "../support/catalogue.ts";
import { Customer, idOf, itemsOf, orderOf, statusOf } from "../support/customer.ts";
import { dumpTables, readProblem } from "../support/response.ts";
import { openShop, type Shop } from "../support/shop.ts";
import { stripe } from "../support/unit-request.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
	// so that payments are fulfilled only when the browser returns
	await shop.disableWebhooks();
});
afterAll(() => shop.close());

const seconds = () => Math.floor(Date.now() / 1000);
const prices = new Map(products.map(({ id, priceCents }) => [id, priceCents]));

/** Returns the total that the page shows beside Buy Now. */
const total = (productIds: string[]) => basketTotal(productIds.map((id) => ({ priceCents: prices.get(id) ?? 0 })));

test("the page's total, the PaymentIntent and the order agree for baskets of up to 200 items", async () => {
	const basket = fc.array(fc.constantFrom(...prices.keys()), {
		minLength: 1,
		maxLength: 200,
		size: "max",
	});
	await fc.assert(
		fc.asyncProperty(basket, async (productIds) => {
			const visitor = new Customer(shop);
			const clientSecret = await visitor.placeOrder(productIds);
			const intent = await visitor.confirm(clientSecret);
			expect(await (await visitor.fulfill(clientSecret)).json()).toEqual({ status: "paid" });
			const rows = await itemsOf(shop, clientSecret);
			expect(rows.map((row) => row["product_id"]).toSorted()).toEqual(productIds.toSorted());
			const paid = {
				intent: intent.amount_received,
				order: (await orderOf(shop, clientSecret))?.["amount"],
				items: rows.reduce((sum, row) => sum + Number(row["price_cents"]), 0),
			};
			expect(paid).toEqual({ intent: total(productIds), order: total(productIds), items: total(productIds) });
		}),
		// npm run test:long increases the number of runs
		{
			numRuns: process.env["LONG"] ? 300 : 15,
			examples: [[[speaker.id]], [Array.from({ length: 200 }, () => ultrawide.id)]],
		},
	);
}, 300_000);

test("POST /payments/create with the tab's intent at the same total returns that intent", async () => {
	const visitor = new Customer(shop);
	const first = await visitor.create(speaker.priceCents);
	expect(await visitor.create(speaker.priceCents, first)).toBe(first);
});

test("POST /payments/create at another total cancels the tab's intent and abandons its order first", async () => {
	const visitor = new Customer(shop);
	const first = await visitor.placeOrder([speaker.id]);
	const second = await visitor.create(book.priceCents, first);
	expect(idOf(second)).not.toBe(idOf(first));
	expect(await shop.stripe.paymentIntents.retrieve(idOf(first))).toMatchObject({
		status: "canceled",
		cancellation_reason: "abandoned",
	});
	expect(await orderOf(shop, first)).toMatchObject({ status: "abandoned" });
	expect(await shop.stripe.paymentIntents.retrieve(idOf(second))).toMatchObject({
		amount: book.priceCents,
		currency: "usd",
		metadata: { shop: "half-dozen-local" },
	});
});

test("POST /payments/create with a paid intent fulfills its order and creates no other intent", async () => {
	const visitor = new Customer(shop);
	const first = await visitor.placeOrder([speaker.id]);
	await visitor.confirm(first);
	const response = await visitor.requestIntent(book.priceCents, first);
	expect(response.status).toBe(409);
	expect(await response.json()).toMatchObject({ error: { code: "payment_in_progress" } });
	expect(await orderOf(shop, first)).toMatchObject({ status: "paid" });
});

test("POST /payments/create with the secret of a canceled or unknown intent creates a new one", async () => {
	const visitor = new Customer(shop);
	const cancelled = await visitor.create(speaker.priceCents);
	await shop.stripe.paymentIntents.cancel(idOf(cancelled));
	for (const previous of [cancelled, "pi_000000000000000000000000_secret_0", "pi_../x_secret_y"]) {
		expect(await visitor.create(speaker.priceCents, previous)).not.toBe(previous);
	}
});

test("POST /payments/place stores the order for the customer, and only that customer sees it once it is paid", async () => {
	const [ada, ben] = [new Customer(shop), new Customer(shop)];
	await Promise.all([ada.createAccount(), ben.createAccount()]);
	const clientSecret = await ada.placeOrder([speaker.id, speaker.id]);
	expect(await orderOf(shop, clientSecret)).toMatchObject({
		status: "placed",
		user_id: await ada.userId(),
		guest_token_hash: null,
	});
	expect(await ada.page("/orders")).not.toContain(idOf(clientSecret));
	await ada.confirm(clientSecret);
	await ada.fulfill(clientSecret);
	expect(await ada.page("/orders")).toContain(idOf(clientSecret));
	expect(await ben.page("/orders")).not.toContain(idOf(clientSecret));
	expect(await new Customer(shop).page("/orders")).not.toContain(idOf(clientSecret));
});

test("a retry just before the hour keeps the order during the bank's dialog, and after the payment returns already_paid", async () => {
	const visitor = new Customer(shop);
	const clientSecret = await visitor.placeOrder([speaker.id, book.id]);
	const [order, items] = [await orderOf(shop, clientSecret), await itemsOf(shop, clientSecret)];
	await shop.advance(58 * 60);
	expect((await visitor.place(clientSecret, [book.id, speaker.id])).status).toBe(200);
	const renewed = { ...order, placed_at: expect.any(Number), due_at: expect.any(Number) };
	expect([await orderOf(shop, clientSecret), await itemsOf(shop, clientSecret)]).toEqual([renewed, items]);
	await visitor.confirm(clientSecret, "pm_card_authenticationRequired");
	await shop.advance(150);
	await shop.reconcile();
	expect((await shop.stripe.paymentIntents.retrieve(idOf(clientSecret))).status).toBe("requires_action");
	await visitor.confirm(clientSecret);
	await visitor.fulfill(clientSecret);
	const again = await visitor.place(clientSecret, [book.id, speaker.id]);
	expect([again.status, await again.json()]).toMatchObject([409, { error: { code: "already_paid" } }]);
});

test("POST /payments/place with an intent for another amount returns price_changed and stores nothing", async () => {
	const visitor = new Customer(shop);
	const clientSecret = await visitor.create(book.priceCents);
	const response = await visitor.place(clientSecret, [speaker.id]);
	expect(response.status).toBe(409);
	expect(await response.json()).toMatchObject({
		error: { code: "price_changed" },
		prices: { [speaker.id]: speaker.priceCents },
	});
	expect(await orderOf(shop, clientSecret)).toBeNull();
});

test("POST /payments/place for a customer other than the session's returns identity_changed and stores nothing", async () => {
	const visitor = new Customer(shop);
	const clientSecret = await visitor.create(speaker.priceCents);
	await visitor.createAccount();
	for (const customer of [null, "somebody-else"]) {
		const response = await visitor.postJson("/payments/place", { clientSecret, productIds: [speaker.id], customer });
		expect([response.status, await response.json()]).toMatchObject([409, { error: { code: "identity_changed" } }]);
	}
	expect(await orderOf(shop, clientSecret)).toBeNull();
});

test("POST /payments/place with a canceled intent returns payment_intent_gone", async () => {
	const visitor = new Customer(shop);
	const clientSecret = await visitor.create(speaker.priceCents);
	await shop.stripe.paymentIntents.cancel(idOf(clientSecret));
	const response = await visitor.place(clientSecret, [speaker.id]);
	expect([response.status, await response.json()]).toMatchObject([409, { error: { code: "payment_intent_gone" } }]);
});

test("POST /payments/fulfill returns not_paid before the card is charged and after a decline", async () => {
	const visitor = new Customer(shop);
	const clientSecret = await visitor.placeOrder([speaker.id]);
	const notPaid = async () => {
		const response = await visitor.fulfill(clientSecret);
		expect([response.status, await response.json()]).toMatchObject([409, { error: { code: "not_paid" } }]);
	};
	await notPaid();
	await expect(visitor.confirm(clientSecret, "pm_card_visa_chargeDeclined")).rejects.toMatchObject({
		code: "card_declined",
	});
	await notPaid();
	expect(await orderOf(shop, clientSecret)).toMatchObject({ status: "placed" });
});

test("POST /payments/fulfill for a refunded payment marks its order as refunded", async () => {
	const visitor = new Customer(shop);
	const clientSecret = await visitor.placeOrder([speaker.id]);
	await visitor.confirm(clientSecret);
	await shop.d1
		.prepare(
			"insert into refunds (payment_intent_id, reason, status, attempts, created) values (?, 'orphan', 'pending', 0, 0)",
		)
		.bind(idOf(clientSecret))
		.run();
	expect(await (await visitor.fulfill(clientSecret)).json()).toEqual({ status: "refunded" });
	expect(await orderOf(shop, clientSecret)).toMatchObject({ status: "refunded" });
});

test("POST /payments/fulfill does not mark an order with a different amount as paid", async () => {
	const visitor = new Customer(shop);
	const cheap = await visitor.placeOrder([book.id]);
	await shop.d1.prepare("update orders set amount = 109498 where payment_intent_id = ?").bind(idOf(cheap)).run();
	await visitor.confirm(cheap);
	expect((await visitor.fulfill(cheap)).status).toBe(202);
	expect(await orderOf(shop, cheap)).toMatchObject({ status: "placed" });
});

test("a guest's order moves only to the account that is created in the same browser", async () => {
	const visitor = new Customer(shop);
	const clientSecret = await visitor.placeOrder([speaker.id]);
	await visitor.confirm(clientSecret);
	await visitor.fulfill(clientSecret);
	expect(await visitor.page("/orders")).not.toContain("Smart speaker");
	await visitor.createAccount();
	expect(await visitor.page("/orders")).toContain("Smart speaker");
	await visitor.signOut();
	expect(await visitor.page("/orders")).not.toContain(idOf(clientSecret));
	expect(visitor.cookie("__Host-guest")).toBeUndefined();
	const next = new Customer(shop);
	await next.createAccount();
	expect(await next.page("/orders")).not.toContain(idOf(clientSecret));
});

test("a guest's token has 200 random bits, and the database stores only its SHA-256", async () => {
	const visitor = new Customer(shop);
	const clientSecret = await visitor.placeOrder([speaker.id]);
	const token = visitor.cookie("__Host-guest") ?? "";
	// five bits per character
	expect(token).toMatch(/^[a-z2-7]{40}$/);
	const hash = createHash("sha256").update(token).digest("hex");
	expect(await orderOf(shop, clientSecret)).toMatchObject({ guest_token_hash: hash });
	expect(JSON.stringify(await dumpTables(shop))).not.toContain(token);
	const next = new Customer(shop);
	await next.create(speaker.priceCents);
	expect(next.cookie("__Host-guest")).not.toBe(token);
});

test("an order keeps its titles and prices when the catalog changes", async () => {
	const visitor = new Customer(shop);
	await visitor.createAccount();
	const clientSecret = await visitor.placeOrder([speaker.id]);
	await visitor.confirm(clientSecret);
	await visitor.fulfill(clientSecret);
	const rename = (title: string, cents: number) =>
		shop.d1.prepare("update products set title = ?, price_cents = ? where id = ?").bind(title, cents, speaker.id).run();
	await rename("Renamed", 1);
	try {
		const page = await visitor.page("/orders");
		expect(page).toContain("Smart speaker, third generation");
		expect(page).toContain(speaker.price);
	} finally {
		await rename("Smart speaker, third generation, charcoal cloth", speaker.priceCents);
	}
});

test("place and fulfill return 404 for another shop's PaymentIntent", async () => {
	const visitor = new Customer(shop);
	const foreign = await shop.stripe.paymentIntents.create({
		amount: speaker.priceCents,
		currency: "usd",
		allowed_payment_method_types: ["card"],
		metadata: { shop: "another" },
	});
	const clientSecret = foreign.client_secret ?? "";
	expect((await visitor.place(clientSecret, [speaker.id])).status).toBe(404);
	await visitor.confirm(clientSecret);
	expect((await visitor.fulfill(clientSecret)).status).toBe(404);
	expect(await orderOf(shop, clientSecret)).toBeNull();
});

test("POST /payments/create accepts a price that was just lowered", async () => {
	const visitor = new Customer(shop);
	await visitor.create(book.priceCents);
	const setPrice = shop.d1.prepare("update products set price_cents = ? where id = '12321341'");
	await setPrice.bind(1000).run();
	try {
		expect((await visitor.requestIntent(1000)).status).toBe(200);
		expect((await visitor.requestIntent(999)).status).toBe(400);
	} finally {
		await setPrice.bind(book.priceCents).run();
	}
});

describe("calls to Stripe", () => {
	/** Returns the endpoints of the shop's calls about a payment, oldest first. */
	async function callsAbout(clientSecret: string) {
		const { journal } = await shop.emulator();
		const calls = journal.filter(({ path, caller }) => caller === "server" && path.includes(idOf(clientSecret)));
		return calls.map(({ endpoint }) => endpoint).toReversed();
	}
	const confirmation = "payment_intents.confirm";

	test.each(["after", "before"])(
		"an order causes three Stripe calls if the webhook arrives %s the browser's return",
		async (when) => {
			const shopper = new Customer(shop);
			const clientSecret = await shopper.placeOrder([speaker.id]);
			await shop.control({ control: "webhooks", mode: when === "before" ? "before_response" : "hold" });
			await shopper.confirm(clientSecret);
			expect((await shopper.fulfill(clientSecret)).status).toBe(200);
			await shop.control({ control: "release" });
			await shop.control({ control: "calm" });
			const retrieve = "payment_intents.retrieve";
			// excludes the call that creates the intent, which has no id yet, and the browser's confirmation
			expect((await callsAbout(clientSecret)).filter((call) => call !== confirmation)).toEqual([
				"payment_intents.update",
				retrieve,
			]);
		},
	);

	test("a forged signature causes one retrieve call and returns price_changed", async () => {
		const [shopper, other] = [new Customer(shop), new Customer(shop)];
		const clientSecret = await shopper.create(book.priceCents);
		const signature = `${speaker.priceCents}-${seconds()}-${"A".repeat(43)}`;
		const order = { clientSecret, signature, productIds: [speaker.id], customer: null };
		expect(await readProblem(await other.postJson("/payments/place", order))).toBe("price_changed");
		expect(await callsAbout(clientSecret)).toEqual(["payment_intents.retrieve"]);
		expect(await orderOf(shop, clientSecret)).toBeNull();
	});
});

test("a customer who signs out after placing an order needs a new payment for another order", async () => {
	const visitor = new Customer(shop);
	await visitor.createAccount();
	const clientSecret = await visitor.placeOrder([book.id]);
	const placed = await orderOf(shop, clientSecret);
	await visitor.signOut();
	expect(await readProblem(await visitor.place(clientSecret, [book.id]))).toBe("another_order");
	expect(await orderOf(shop, clientSecret)).toEqual(placed);
	// as the payment page does
	expect((await visitor.fulfill(clientSecret, { cancel: true })).status).toBe(409);
	expect(await statusOf(shop, clientSecret)).toBe("abandoned");
	expect(await visitor.pay([book.id])).not.toBe(clientSecret);
});

test("an order cannot be taken over with a signature made with the emulator's public key", async () => {
	const account = { ...stripe, secretKey: SECRET_KEY, signingKey: SECRET_KEY, shopId: "half-dozen-local" };
	const stranger = new Customer(shop);
	await stranger.createAccount();
	const shopper = new Customer(shop);
	const [placed, paid] = [await shopper.placeOrder([book.id]), await shopper.pay([book.id])];
	for (const secret of [placed, paid]) {
		const before = await orderOf(shop, secret);
		const clientSecret = `${idOf(secret)}_secret_x`;
		const signature = sign(account, clientSecret, { amount: book.priceCents, created: Number(before?.["created"]) });
		const customer = await stranger.userId();
		for (const [path, more] of [
			["place", { productIds: [book.id], customer }],
			["fulfill", {}],
			["fulfill", { cancel: true }],
		] as const) {
			const response = await stranger.postJson(`/payments/${path}`, { clientSecret, signature, ...more });
			expect(await readProblem(response), path).toBe("unknown_payment_intent");
		}
		expect(await orderOf(shop, secret)).toEqual(before);
	}
});

test("a leaked client secret does not take over or lock out an order, of an account or of a guest", async () => {
	for (const isCustomer of [true, false]) {
		const [shopper, stranger] = [new Customer(shop), new Customer(shop)];
		if (isCustomer) await shopper.createAccount();
		const clientSecret = await shopper.placeOrder([speaker.id]);
		const placed = await orderOf(shop, clientSecret);
		// a guest's order is bound to the browser that completes its payment
		const attack = { clientSecret, productIds: [speaker.id], customer: null };
		for (const more of [{}, { attempt: 2 }, { attempt: 1_000_000 }]) {
			expect(await readProblem(await stranger.postJson("/payments/place", { ...attack, ...more }))).toBe(
				"another_order",
			);
		}
		expect(await orderOf(shop, clientSecret)).toEqual(placed);
		expect((await shopper.place(clientSecret, [speaker.id])).status).toBe(200);
		await shopper.confirm(clientSecret);
		expect(await (await shopper.fulfill(clientSecret)).json()).toEqual({ status: "paid" });
		expect(await orderOf(shop, clientSecret)).toMatchObject({ user_id: await shopper.userId() });
	}
});

test("POST /payments/place with a withdrawn product returns price_changed without that product's price", async () => {
	const visitor = new Customer(shop);
	const clientSecret = await visitor.create(speaker.priceCents + book.priceCents);
	const restoreCatalog = await changeProduct(shop, speaker.id, "withdrawn");
	try {
		const response = await visitor.place(clientSecret, [speaker.id, book.id]);
		expect([response.status, await response.json()]).toMatchObject([
			409,
			{ error: { code: "price_changed" }, prices: { [book.id]: book.priceCents } },
		]);
	} finally {
		await restoreCatalog();
	}
	expect(await orderOf(shop, clientSecret)).toBeNull();
});

describe("POST /payments/fulfill with cancel", () => {
	test.each([
		["placed", undefined],
		["waiting for authentication", "pm_card_authenticationRequired"],
		["declined", "pm_card_visa_chargeDeclined"],
	])("cancels a payment that is %s, so that it can no longer be charged", async (_, card) => {
		const visitor = new Customer(shop);
		const clientSecret = await visitor.placeOrder([speaker.id]);
		if (card) await visitor.confirm(clientSecret, card).catch(() => undefined);
		for (const _ of ["first", "again"]) {
			const response = await visitor.fulfill(clientSecret, { cancel: true });
			expect([response.status, await readProblem(response)]).toEqual([409, "canceled"]);
		}
		expect(await orderOf(shop, clientSecret)).toMatchObject({ status: "abandoned" });
		await expect(visitor.confirm(clientSecret)).rejects.toMatchObject({ code: "payment_intent_unexpected_state" });
	});

	test("fulfills a payment that has succeeded", async () => {
		const visitor = new Customer(shop);
		const clientSecret = await visitor.pay([speaker.id]);
		expect(await (await visitor.fulfill(clientSecret, { cancel: true })).json()).toEqual({ status: "paid" });
	});

	test("returns checking for a payment that is processing", async () => {
		await shop.control({ control: "processing", seconds: 600 });
		const visitor = new Customer(shop);
		const clientSecret = await visitor.pay([speaker.id]);
		await shop.control({ control: "processing", seconds: 0 });
		expect(await (await visitor.fulfill(clientSecret, { cancel: true })).json()).toEqual({ status: "checking" });
	});

	test("returns 202 while Stripe fails to cancel the payment", async () => {
		const visitor = new Customer(shop);
		const clientSecret = await visitor.placeOrder([speaker.id]);
		await shop.control({ control: "fail", endpoint: "payment_intents.cancel", fault: "500", when: "before", times: 2 });
		expect((await visitor.fulfill(clientSecret, { cancel: true })).status).toBe(202);
	});

	test("returns 404 for a wrong client secret and cancels nothing", async () => {
		const clientSecret = await new Customer(shop).placeOrder([speaker.id]);
		const forged = clientSecret.replace(/_secret_.*/, "_secret_0");
		expect((await new Customer(shop).fulfill(forged, { cancel: true })).status).toBe(404);
		expect(await shop.stripe.paymentIntents.retrieve(idOf(clientSecret))).toMatchObject({
			status: "requires_payment_method",
		});
	});
});

test("an order of 200 items is stored with one row per product", async () => {
	const productIds = Array.from({ length: 200 }, (_, index) => [book.id, speaker.id][index % 2] ?? "");
	const clientSecret = await new Customer(shop).placeOrder(productIds);
	const query = "select product_id, quantity from order_items where payment_intent_id = ? order by position";
	const { results } = await shop.d1.prepare(query).bind(idOf(clientSecret)).all();
	expect(results).toEqual([
		{ product_id: book.id, quantity: 100 },
		{ product_id: speaker.id, quantity: 100 },
	]);
});

test("a guest's 11th unpaid order returns 429, is not stored, and can be placed after another is paid", async () => {
	const guest = new Customer(shop);
	const secrets: string[] = [];
	for (let count = 0; count < 10; count++) secrets.push(await guest.placeOrder([book.id]));
	const another = await guest.create(book.priceCents);
	const refused = await guest.place(another, [book.id]);
	expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "3600"]);
	expect(await refused.json()).toEqual({
		error: { code: "too_many_unpaid", message: expect.stringContaining("You have not been charged.") },
	});
	expect(await orderOf(shop, another)).toBeNull();
	expect(await itemsOf(shop, another)).toEqual([]);

	const [first = ""] = secrets;
	// one of the ten orders can be placed again
	expect((await guest.place(first, [book.id])).status).toBe(200);
	await guest.confirm(first);
	expect(await (await guest.fulfill(first)).json()).toEqual({ status: "paid" });
	expect((await guest.place(another, [book.id])).status).toBe(200);
});

test("the 101st unpaid order from an IP address returns 429, and the database stores no IP address", async () => {
	const shopper = new Customer(shop);
	const clientSecret = await shopper.placeOrder([book.id]);
	const copies = `insert into orders (payment_intent_id, guest_token_hash, amount, status, created, placed_at, due_at, placed_from)
		select payment_intent_id || value, value, amount, 'placed', created, placed_at, due_at, placed_from
		from orders, json_each(?) where payment_intent_id = ?`;
	const others = JSON.stringify(Array.from({ length: 99 }, (_, index) => `other${index}`));
	await shop.d1.prepare(copies).bind(others, idOf(clientSecret)).run();
	const next = await shopper.create(book.priceCents);
	expect((await shopper.place(next, [book.id])).status).toBe(429);
	await new Customer(shop).placeOrder([book.id]);
	expect((await orderOf(shop, clientSecret))?.["placed_from"]).toMatch(/^[\w-]{22}$/);
	await shopper.confirm(clientSecret);
	expect(await (await shopper.fulfill(clientSecret)).json()).toEqual({ status: "paid" });
	expect((await orderOf(shop, clientSecret))?.["placed_from"]).toBeNull();
	expect((await shopper.place(next, [book.id])).status).toBe(200);
	await shop.d1.prepare("delete from orders where payment_intent_id glob 'pi_*other*'").run();
});

test("a guest cannot claim a canceled order, and its payment is not listed for reconcile", async () => {
	const guest = new Customer(shop);
	const clientSecret = await guest.placeOrder([book.id]);
	expect((await guest.fulfill(clientSecret, { cancel: true })).status).toBe(409);
	await guest.createAccount();
	expect(await orderOf(shop, clientSecret)).toMatchObject({ status: "abandoned", user_id: null });
	const listed = "select count(*) from unresolved_payments where payment_intent_id = ?";
	expect(await shop.d1.prepare(listed).bind(idOf(clientSecret)).first("count(*)")).toBe(0);
});
