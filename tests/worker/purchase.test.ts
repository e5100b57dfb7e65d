import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { basketTotal } from "#app/basket/basket.ts";
import { openShop, type Shop } from "../support/shop.ts";
import { Visitor } from "../support/visitor.ts";

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
	// what is told here is told by the browser alone
	await shop.control({ control: "webhooks", mode: "drop" });
});
afterAll(() => shop.close());

const prices = new Map([
	["12321341", 1196],
	["49538094", 23900],
	["4903850", 19999],
	["23445930", 9899],
	["3254354345", 59899],
	["90829332", 109498],
]);
const speaker = "23445930";

/** What Buy Now stands beside, by the page's own arithmetic. */
const total = (productIds: string[]) => basketTotal(productIds.map((id) => ({ priceCents: prices.get(id) ?? 0 })));
const idOf = (clientSecret: string) => clientSecret.replace(/_secret_.*/, "");

/** Asks for a PaymentIntent; answers with its client secret. */
async function create(visitor: Visitor, cents: number, previous?: string): Promise<string> {
	const headers = previous ? { "previous-client-secret": previous } : undefined;
	const response = await visitor.fetch(`/payments/create?total=${cents}`, {
		method: "POST",
		...(headers && { headers }),
	});
	expect(response.status).toBe(200);
	return z.object({ clientSecret: z.string() }).parse(await response.json()).clientSecret;
}

async function customerOf(visitor: Visitor): Promise<string> {
	const user = await shop.d1
		.prepare("select id from users where email = ?")
		.bind(visitor.email)
		.first<{ id: string }>();
	return user?.id ?? "";
}

function place(visitor: Visitor, clientSecret: string, productIds: string[], customer: string | null = null) {
	return visitor.postJson("/payments/place", { clientSecret, productIds, customer });
}

function settle(visitor: Visitor, clientSecret: string) {
	return visitor.postJson("/payments/settle", { clientSecret });
}

const confirm = (clientSecret: string, payment_method = "pm_card_visa") =>
	shop.stripe.paymentIntents.confirm(idOf(clientSecret), { payment_method });

const order = (clientSecret: string) =>
	shop.d1.prepare("select * from orders where payment_intent_id = ?").bind(idOf(clientSecret)).first();

const items = async (clientSecret: string) =>
	(
		await shop.d1
			.prepare("select product_id, price_cents from order_items where payment_intent_id = ? order by position")
			.bind(idOf(clientSecret))
			.all()
	).results;

/** Everything up to the card: the client secret of an order that is placed. */
async function placed(visitor: Visitor, productIds: string[], customer: string | null = null): Promise<string> {
	const clientSecret = await create(visitor, total(productIds));
	const response = await place(visitor, clientSecret, productIds, customer);
	expect(response.status).toBe(200);
	return clientSecret;
}

test("the button's total, the PaymentIntent and the order agree for every basket of up to 200 items", async () => {
	const basket = fc.array(fc.constantFrom(...prices.keys()), {
		minLength: 1,
		maxLength: 200,
		size: "max",
	});
	await fc.assert(
		fc.asyncProperty(basket, async (productIds) => {
			const visitor = new Visitor(shop);
			const clientSecret = await placed(visitor, productIds);
			const intent = await confirm(clientSecret);
			expect(await (await settle(visitor, clientSecret)).json()).toEqual({ status: "paid" });
			const rows = await items(clientSecret);
			expect(rows.map((row) => row["product_id"])).toEqual(productIds);
			const paid = {
				intent: intent.amount_received,
				order: (await order(clientSecret))?.["amount"],
				items: rows.reduce((sum, row) => sum + Number(row["price_cents"]), 0),
			};
			expect(paid).toEqual({ intent: total(productIds), order: total(productIds), items: total(productIds) });
		}),
		// npm run test:long tries more
		{
			numRuns: process.env["LONG"] ? 300 : 15,
			examples: [[[speaker]], [Array.from({ length: 200 }, () => "90829332")]],
		},
	);
}, 300_000);

test("POST /payments/create with the tab's intent at the same total answers with that intent", async () => {
	const visitor = new Visitor(shop);
	const first = await create(visitor, 9899);
	expect(await create(visitor, 9899, first)).toBe(first);
});

test("POST /payments/create at another total cancels the tab's intent and abandons its order first", async () => {
	const visitor = new Visitor(shop);
	const first = await placed(visitor, [speaker]);
	const second = await create(visitor, 1196, first);
	expect(idOf(second)).not.toBe(idOf(first));
	expect(await shop.stripe.paymentIntents.retrieve(idOf(first))).toMatchObject({
		status: "canceled",
		cancellation_reason: "abandoned",
	});
	expect(await order(first)).toMatchObject({ status: "abandoned" });
	expect(await shop.stripe.paymentIntents.retrieve(idOf(second))).toMatchObject({
		amount: 1196,
		currency: "usd",
		metadata: { shop: "half-dozen-local" },
	});
});

test("POST /payments/create with an intent that has been paid settles it and makes no other", async () => {
	const visitor = new Visitor(shop);
	const first = await placed(visitor, [speaker]);
	await confirm(first);
	const response = await visitor.fetch("/payments/create?total=1196", {
		method: "POST",
		headers: { "previous-client-secret": first },
	});
	expect(response.status).toBe(409);
	expect(await response.json()).toMatchObject({ error: { code: "payment_in_progress" } });
	expect(await order(first)).toMatchObject({ status: "paid" });
});

test("POST /payments/create with the secret of nobody's or a cancelled intent makes a new one", async () => {
	const visitor = new Visitor(shop);
	const cancelled = await create(visitor, 9899);
	await shop.stripe.paymentIntents.cancel(idOf(cancelled));
	for (const previous of [cancelled, "pi_000000000000000000000000_secret_0", "pi_../x_secret_y"]) {
		expect(await create(visitor, 9899, previous)).not.toBe(previous);
	}
});

test("POST /payments/place stores the order for the customer, who alone sees it once it is paid", async () => {
	const [ada, ben] = [new Visitor(shop), new Visitor(shop)];
	await Promise.all([ada.createAccount(), ben.createAccount()]);
	const clientSecret = await placed(ada, [speaker, speaker], await customerOf(ada));
	expect(await order(clientSecret)).toMatchObject({
		status: "placed",
		user_id: await customerOf(ada),
		guest_token_hash: null,
	});
	expect(await ada.page("/orders")).not.toContain(idOf(clientSecret));
	await confirm(clientSecret);
	await settle(ada, clientSecret);
	expect(await ada.page("/orders")).toContain(idOf(clientSecret));
	expect(await ben.page("/orders")).not.toContain(idOf(clientSecret));
	expect(await new Visitor(shop).page("/orders")).not.toContain(idOf(clientSecret));
});

test("POST /payments/place again overwrites owner and items while nothing is paid", async () => {
	const visitor = new Visitor(shop);
	await visitor.createAccount();
	const clientSecret = await placed(visitor, [speaker, "12321341"], await customerOf(visitor));
	await visitor.signOut();
	expect((await place(visitor, clientSecret, ["12321341", speaker])).status).toBe(200);
	expect(await order(clientSecret)).toMatchObject({ user_id: null, guest_token_hash: expect.any(String) });
	expect((await items(clientSecret)).map((row) => row["product_id"])).toEqual(["12321341", speaker]);
	await confirm(clientSecret);
	await settle(visitor, clientSecret);
	const again = await place(visitor, clientSecret, ["12321341", speaker]);
	expect([again.status, await again.json()]).toMatchObject([409, { error: { code: "already_paid" } }]);
});

test("POST /payments/place for another amount than the basket costs is price_changed and stores nothing", async () => {
	const visitor = new Visitor(shop);
	const clientSecret = await create(visitor, 50);
	const response = await place(visitor, clientSecret, [speaker]);
	expect(response.status).toBe(409);
	expect(await response.json()).toMatchObject({ error: { code: "price_changed" }, prices: { [speaker]: 9899 } });
	expect(await order(clientSecret)).toBeNull();
});

test("POST /payments/place for another customer than the session's is identity_changed and stores nothing", async () => {
	const visitor = new Visitor(shop);
	const clientSecret = await create(visitor, 9899);
	await visitor.createAccount();
	for (const customer of [null, "somebody-else"]) {
		const response = await place(visitor, clientSecret, [speaker], customer);
		expect([response.status, await response.json()]).toMatchObject([409, { error: { code: "identity_changed" } }]);
	}
	expect(await order(clientSecret)).toBeNull();
});

test("POST /payments/place on a cancelled intent is payment_intent_gone", async () => {
	const visitor = new Visitor(shop);
	const clientSecret = await create(visitor, 9899);
	await shop.stripe.paymentIntents.cancel(idOf(clientSecret));
	const response = await place(visitor, clientSecret, [speaker]);
	expect([response.status, await response.json()]).toMatchObject([409, { error: { code: "payment_intent_gone" } }]);
});

test("POST /payments/settle before the card is charged is not_paid, after a decline too", async () => {
	const visitor = new Visitor(shop);
	const clientSecret = await placed(visitor, [speaker]);
	const notPaid = async () => {
		const response = await settle(visitor, clientSecret);
		expect([response.status, await response.json()]).toMatchObject([409, { error: { code: "not_paid" } }]);
	};
	await notPaid();
	await expect(confirm(clientSecret, "pm_card_visa_chargeDeclined")).rejects.toMatchObject({ code: "card_declined" });
	await notPaid();
	expect(await order(clientSecret)).toMatchObject({ status: "placed" });
});

test("POST /payments/settle never makes a refunded payment a paid order", async () => {
	const visitor = new Visitor(shop);
	const clientSecret = await placed(visitor, [speaker]);
	await confirm(clientSecret);
	await shop.d1
		.prepare(
			"insert into refunds (payment_intent_id, reason, status, attempts, created) values (?, 'orphan', 'pending', 0, 0)",
		)
		.bind(idOf(clientSecret))
		.run();
	expect(await (await settle(visitor, clientSecret)).json()).toEqual({ status: "refunded" });
	expect(await order(clientSecret)).toMatchObject({ status: "placed" });
});

test("POST /payments/settle for an intent whose order has another amount never pays that order", async () => {
	const visitor = new Visitor(shop);
	const cheap = await placed(visitor, ["12321341"]);
	await shop.d1.prepare("update orders set amount = 109498 where payment_intent_id = ?").bind(idOf(cheap)).run();
	await confirm(cheap);
	expect((await settle(visitor, cheap)).status).toBe(202);
	expect(await order(cheap)).toMatchObject({ status: "placed" });
	expect(shop.logs()).toContain("orphan_payment");
});

test("a guest's order moves to the account that is created in the same browser, and to no other", async () => {
	const visitor = new Visitor(shop);
	const clientSecret = await placed(visitor, [speaker]);
	await confirm(clientSecret);
	await settle(visitor, clientSecret);
	expect(await visitor.page("/orders")).not.toContain(idOf(clientSecret));
	await visitor.createAccount();
	expect(await visitor.page("/orders")).toContain(idOf(clientSecret));
	await visitor.signOut();
	expect(visitor.cookie("__Host-guest")).toBeUndefined();
	const next = new Visitor(shop);
	await next.createAccount();
	expect(await next.page("/orders")).not.toContain(idOf(clientSecret));
});

test("an order keeps its titles and prices when the catalogue changes", async () => {
	const visitor = new Visitor(shop);
	await visitor.createAccount();
	const clientSecret = await placed(visitor, [speaker], await customerOf(visitor));
	await confirm(clientSecret);
	await settle(visitor, clientSecret);
	const rename = (title: string, cents: number) =>
		shop.d1.prepare("update products set title = ?, price_cents = ? where id = ?").bind(title, cents, speaker).run();
	await rename("Renamed", 1);
	try {
		const page = await visitor.page("/orders");
		expect(page).toContain("Smart speaker, third generation");
		expect(page).toContain("$98.99");
	} finally {
		await rename("Smart speaker, third generation, charcoal cloth", 9899);
	}
});

test("another shop's PaymentIntent is nobody's here", async () => {
	const visitor = new Visitor(shop);
	const foreign = await shop.stripe.paymentIntents.create({
		amount: 9899,
		currency: "usd",
		metadata: { shop: "another" },
	});
	const clientSecret = foreign.client_secret ?? "";
	expect((await place(visitor, clientSecret, [speaker])).status).toBe(404);
	await confirm(clientSecret);
	expect((await settle(visitor, clientSecret)).status).toBe(404);
	expect(await order(clientSecret)).toBeNull();
});
