import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { book, changeProduct, speaker } from "../support/catalogue.ts";
import {
	Customer,
	idOf,
	itemsOf,
	loseOrder,
	orderOf,
	payWithoutOrder,
	refundOf,
	refundsAt,
	statusOf,
	totalOf,
} from "../support/customer.ts";
import { checkChargeable, checkPayments, checkRows, newestIntent } from "../support/invariants.ts";
import { read, readProblem } from "../support/response.ts";
import { openShop, type Shop } from "../support/shop.ts";
import { openFeed } from "../support/socket.ts";

// The numbered faults of tests/faults.md. Faults that need a browser are in tests/browser/faults.spec.ts.
// After each test, reconcile runs twice, five minutes apart, and the invariants must hold.

let shop: Shop;
let before: string | undefined;
const shoppers: Customer[] = [];
beforeAll(async () => {
	shop = await openShop();
});
beforeEach(async () => {
	await shop.disableWebhooks();
	before = await newestIntent(shop);
});
afterEach(async () => {
	await shop.control({ control: "calm" });
	await shop.disableWebhooks();
	for (let minutes = 0; minutes < 10; minutes += 5) {
		await shop.advance(300);
		await shop.reconcile();
	}
	await checkPayments(shop, before);
	await checkRows(shop);
});
afterAll(() => shop?.close());

function newShopper(): Customer {
	const shopper = new Customer(shop);
	shoppers.push(shopper);
	return shopper;
}

/** Returns a client for the same browser before its sign-in, with the guest cookie and without a session. */
function earlier(shopper: Customer): Customer {
	const request = newShopper();
	request.setCookie("__Host-guest", shopper.cookie("__Host-guest") ?? "");
	return request;
}

/** Sends the payment's payment_intent.succeeded event to the webhook. Returns the status of each delivery. */
async function deliverEvent(clientSecret: string, copies = 1): Promise<string[]> {
	const { data } = await shop.stripe.events.list({ type: "payment_intent.succeeded", limit: 100 });
	const event = data.find((event) => JSON.stringify(event.data).includes(idOf(clientSecret)));
	return shop.control({ control: "send", event: event?.id ?? "", copies });
}

const statusAndBody = async (response: Response) => [response.status, await response.json()];
const paid = [200, { status: "paid" }];
const checking = [202, { status: "checking" }];
/** Part of the message, without its apostrophe, which is escaped in HTML. */
const isChecking = "re checking one of your payments.";

/** Signs the customer in on another browser. */
async function otherBrowserOf({ email, password }: Customer): Promise<Customer> {
	const browser = new Customer(shop);
	await browser.submit("/login", { email, password, intent: "sign-in" });
	return browser;
}

/** Returns the number of times this payment's order was fulfilled. */
const timesFulfilled = (clientSecret: string) =>
	shop.logs().split(`"event":"fulfilled","payment_intent":"${idOf(clientSecret)}"`).length - 1;

/** Lists the PaymentIntents created in this test, newest first. */
async function intents() {
	return (await shop.stripe.paymentIntents.list({ limit: 20, ...(before && { ending_before: before }) })).data;
}

describe("fault 1: the browser is closed right after the card is confirmed", () => {
	test("the webhook marks the order as paid", async () => {
		await shop.control({ control: "webhooks", mode: "before_response" });
		const clientSecret = await newShopper().pay([speaker.id]);
		expect(await statusOf(shop, clientSecret)).toBe("paid");
	});

	test("without a webhook, reconcile marks the order as paid within ten minutes", async () => {
		const clientSecret = await newShopper().pay([speaker.id]);
		expect(await statusOf(shop, clientSecret)).toBe("placed");
		await shop.advance(300);
		await shop.reconcile();
		expect(await statusOf(shop, clientSecret)).toBe("paid");
	});
});

describe("fault 2: the webhook arrives before, after or during the browser's return, or up to 50 times", () => {
	test.each<[string, (shopper: Customer, clientSecret: string) => Promise<unknown>]>([
		[
			"before",
			async (shopper, secret) => [await deliverEvent(secret), await statusAndBody(await shopper.fulfill(secret))],
		],
		[
			"after",
			async (shopper, secret) =>
				[await statusAndBody(await shopper.fulfill(secret)), await deliverEvent(secret)].reverse(),
		],
		[
			"during",
			(shopper, secret) =>
				Promise.all([deliverEvent(secret), shopper.fulfill(secret).then((answer) => statusAndBody(answer))]),
		],
	])("a webhook %s the browser's return results in one paid order", async (_, happen) => {
		const shopper = newShopper();
		const clientSecret = await shopper.pay([speaker.id]);
		expect(await happen(shopper, clientSecret)).toEqual([["200"], paid]);
		expect(timesFulfilled(clientSecret)).toBe(1);
	});

	test.each([2, 50])(
		"%i concurrent webhooks and as many concurrent returns result in one paid order",
		async (copies) => {
			const shopper = newShopper();
			const clientSecret = await shopper.pay([speaker.id]);
			const returns = Array.from({ length: copies }, async () => statusAndBody(await shopper.fulfill(clientSecret)));
			expect(await deliverEvent(clientSecret, copies)).toEqual(Array.from({ length: copies }, () => "200"));
			expect(await Promise.all(returns)).toEqual(Array.from({ length: copies }, () => paid));
			expect(timesFulfilled(clientSecret)).toBe(1);
		},
	);
});

describe("fault 3: the webhook is never delivered", () => {
	test("reconcile finds the payment by its event", async () => {
		const clientSecret = await newShopper().pay([speaker.id]);
		await shop.reconcile();
		expect(await statusOf(shop, clientSecret)).toBe("paid");
	});

	test("reconcile polls the placed order after its event has expired", async () => {
		const shopper = newShopper();
		const clientSecret = await shopper.pay([speaker.id]);
		// beyond the 30 days for which Stripe lists events
		await shop.advance(31 * 86_400);
		await shop.reconcile();
		expect(await statusOf(shop, clientSecret)).toBe("paid");
	});
});

describe("fault 4: events arrive out of order", () => {
	test("a late payment_failed event of an earlier attempt leaves the order paid", async () => {
		await shop.control({ control: "webhooks", mode: "hold" });
		const shopper = newShopper();
		const clientSecret = await shopper.placeOrder([speaker.id]);
		await expect(shopper.confirm(clientSecret, "pm_card_visa_chargeDeclined")).rejects.toThrow();
		await shopper.confirm(clientSecret);
		const sent = await shop.control<string[]>({ control: "release", order: "newest_first" });
		const types = await Promise.all(sent.map(async (event) => (await shop.stripe.events.retrieve(event)).type));
		expect(types.indexOf("payment_intent.payment_failed")).toBeGreaterThan(types.indexOf("payment_intent.succeeded"));
		expect(await statusOf(shop, clientSecret)).toBe("paid");
	});
});

describe("fault 5: D1 fails while an order is placed", () => {
	test.each(["before", "after", "crash"] as const)(
		"place returns 503 not_charged, and a retry succeeds (fault: %s)",
		async (fault) => {
			const shopper = newShopper();
			const clientSecret = await shopper.create(totalOf([speaker.id]));
			const fails = { control: "shop_fault", path: "/payments/place", service: "d1", fault } as const;
			for (const call of [1, 2, 3]) await shop.control({ ...fails, call });
			const response = await shopper.place(clientSecret, [speaker.id]);
			expect([response.status, await response.json()]).toMatchObject([
				503,
				{ error: { code: "not_charged", message: expect.stringContaining("You have not been charged") } },
			]);
			expect(await shop.stripe.paymentIntents.retrieve(idOf(clientSecret))).toMatchObject({ amount_received: 0 });

			await shop.control({ control: "calm" });
			await shop.disableWebhooks();
			expect((await shopper.place(clientSecret, [speaker.id])).status).toBe(200);
			await shopper.confirm(clientSecret);
			expect(await statusAndBody(await shopper.fulfill(clientSecret))).toEqual(paid);
		},
	);
});

describe("fault 6: D1 fails during fulfill, before or after the write", () => {
	test.each([
		["before", "placed"],
		["after", "paid"],
	] as const)("the webhook returns 500, and its retry succeeds (fault: %s)", async (fault, status) => {
		const clientSecret = await newShopper().pay([speaker.id, book.id]);
		const fails = { control: "shop_fault", path: "/stripe/webhook", service: "d1", fault } as const;
		// the first D1 call only reads the recorded state
		await shop.control({ ...fails, call: 2 });
		await shop.control({ ...fails, call: 3 });
		expect(await deliverEvent(clientSecret)).toEqual(["500"]);
		expect(await statusOf(shop, clientSecret)).toBe(status);
		expect(await itemsOf(shop, clientSecret)).toHaveLength(2);
		expect(await deliverEvent(clientSecret)).toEqual(["200"]);
		expect(await statusOf(shop, clientSecret)).toBe("paid");
		expect(timesFulfilled(clientSecret)).toBe(fault === "before" ? 1 : 0);
	});

	test.each(["before", "after"] as const)(
		"fulfill returns checking, then paid on a retry (fault: %s)",
		async (fault) => {
			const shopper = newShopper();
			const clientSecret = await shopper.pay([speaker.id]);
			const fails = { control: "shop_fault", path: "/payments/fulfill", service: "d1", fault } as const;
			await shop.control({ ...fails, call: 1 });
			await shop.control({ ...fails, call: 2 });
			expect(await statusAndBody(await shopper.fulfill(clientSecret))).toEqual(checking);
			expect(await statusAndBody(await shopper.fulfill(clientSecret))).toEqual(paid);
		},
	);
});

describe("fault 7: Stripe fails to create the PaymentIntent", () => {
	const keys = async () =>
		(await shop.emulator()).journal.flatMap(({ endpoint, idempotency_key }) =>
			endpoint === "payment_intents.create" ? [idempotency_key] : [],
		);

	test.each(["429", "timeout", "500"] as const)(
		"create is retried once with the same idempotency key after a %s",
		async (fault) => {
			await shop.control({ control: "timeouts", timeouts: { stripeCall: 500 } });
			await shop.control({ control: "fail", endpoint: "payment_intents.create", fault, when: "before", times: 1 });
			const [newest] = await keys();
			const shopper = newShopper();
			await shopper.create(totalOf([speaker.id]));
			expect(await intents()).toHaveLength(1);
			// the journal holds 200 requests, so older ones may be missing
			const [key, again] = (await keys()).slice(0, newest ? (await keys()).indexOf(newest) : undefined);
			expect(key).toBeTruthy();
			// a call without a response is not in the journal
			if (fault !== "timeout") expect(again).toBe(key);
		},
	);

	test("after a stored 500, the shop returns 503, a retry creates another intent, and the lost intent stays unpaid", async () => {
		await shop.control({ control: "fail", endpoint: "payment_intents.create", fault: "500", when: "after", times: 1 });
		const shopper = newShopper();
		const refused = await shopper.requestIntent(totalOf([speaker.id]));
		expect([refused.status, await refused.json()]).toMatchObject([
			503,
			{ error: { message: expect.stringContaining("You have not been charged") } },
		]);
		const [lost] = await intents();
		const clientSecret = await shopper.placeOrder([speaker.id]);
		expect(idOf(clientSecret)).not.toBe(lost?.id);
		await shopper.confirm(clientSecret);
		expect(await statusAndBody(await shopper.fulfill(clientSecret))).toEqual(paid);
		expect(await intents()).toMatchObject([
			{ status: "succeeded" },
			{ id: lost?.id, status: "requires_payment_method" },
		]);
	});
});

describe("fault 8: Stripe's retrieve call fails during fulfill", () => {
	test.each<[string, (clientSecret: string) => Promise<unknown>]>([
		["the webhook", (clientSecret) => deliverEvent(clientSecret)],
		["reconcile", () => shop.reconcile()],
	])("fulfill and /orders report the payment as being checked until %s fulfills the order", async (_, finish) => {
		const shopper = newShopper();
		await shopper.createAccount();
		const clientSecret = await shopper.pay([speaker.id]);
		await shop.control({
			control: "fail",
			endpoint: "payment_intents.retrieve",
			fault: "500",
			when: "before",
			times: 4,
		});
		expect(await statusAndBody(await shopper.fulfill(clientSecret))).toEqual(checking);
		expect(await shopper.page("/orders")).toContain(isChecking);
		await finish(clientSecret);
		expect(await statusOf(shop, clientSecret)).toBe("paid");
		expect(await shopper.page("/orders")).not.toContain(isChecking);
	});
});

describe("fault 9: a card is declined, and a valid one is then used with the same PaymentIntent", () => {
	test("fulfill marks the order as paid exactly once", async () => {
		const shopper = newShopper();
		const clientSecret = await shopper.placeOrder([speaker.id]);
		await expect(shopper.confirm(clientSecret, "pm_card_visa_chargeDeclined")).rejects.toThrow();
		expect((await shopper.fulfill(clientSecret)).status).toBe(409);
		expect((await shopper.place(clientSecret, [speaker.id])).status).toBe(200);
		await shopper.confirm(clientSecret);
		expect(await statusAndBody(await shopper.fulfill(clientSecret))).toEqual(paid);
		expect(await intents()).toHaveLength(1);
		expect(timesFulfilled(clientSecret)).toBe(1);
	});
});

describe("fault 12: two tabs pay the same basket", () => {
	test("each tab has its own PaymentIntent, and /orders shows both orders", async () => {
		const shopper = newShopper();
		await shopper.createAccount();
		const secrets = await Promise.all([shopper.pay([speaker.id]), shopper.pay([speaker.id])]);
		expect(await Promise.all(secrets.map(async (secret) => statusAndBody(await shopper.fulfill(secret))))).toEqual([
			paid,
			paid,
		]);
		const page = await shopper.page("/orders");
		expect(new Set(secrets.map(idOf)).size).toBe(2);
		for (const secret of secrets) expect(page).toContain(idOf(secret));
	});

	test("a single tab never has two chargeable PaymentIntents", async () => {
		const shopper = newShopper();
		const secrets = [await shopper.placeOrder([speaker.id])];
		for (const products of [[speaker.id, book.id], [book.id], [book.id], [speaker.id]]) {
			secrets.push(await shopper.create(totalOf(products), secrets.at(-1)));
			await checkChargeable(shop, secrets);
		}
		// the first intent has a placed order and can no longer be paid
		await expect(shopper.confirm(secrets[0] ?? "")).rejects.toMatchObject({ code: "payment_intent_unexpected_state" });
	});
});

describe("fault 13: the basket changes in another tab, or the confirmation's response is lost", () => {
	test("no second PaymentIntent is created if canceling the first fails", async () => {
		const shopper = newShopper();
		const first = await shopper.placeOrder([speaker.id]);
		await shop.control({ control: "fail", endpoint: "payment_intents.cancel", fault: "500", when: "before", times: 2 });
		expect((await shopper.requestIntent(totalOf([book.id]), first)).status).toBe(503);
		expect(await intents()).toHaveLength(1);
		const second = await shopper.create(totalOf([book.id]), first);
		await checkChargeable(shop, [first, second]);
	});

	test("a second attempt after a lost confirmation response creates no second PaymentIntent", async () => {
		const shopper = newShopper();
		const clientSecret = await shopper.placeOrder([speaker.id]);
		await shop.control({ control: "fail", endpoint: "payment_intents.confirm", fault: "500", when: "after", times: 1 });
		await expect(shopper.confirm(clientSecret)).rejects.toThrow();
		const placed = await shopper.place(clientSecret, [speaker.id]);
		expect([placed.status, await readProblem(placed)]).toEqual([409, "already_paid"]);
		const created = await shopper.requestIntent(totalOf([speaker.id, book.id]), clientSecret);
		expect([created.status, await readProblem(created)]).toEqual([409, "payment_in_progress"]);
		expect(await statusAndBody(await shopper.fulfill(clientSecret))).toEqual(paid);
		expect(await intents()).toHaveLength(1);
	});
});

describe("fault 14: the price changes between create and place", () => {
	test("place returns 409 with the new prices, and the next attempt succeeds at the new total", async () => {
		const shopper = newShopper();
		const first = await shopper.create(totalOf([speaker.id, book.id]));
		const change = (by: number) =>
			shop.d1.prepare("update products set price_cents = price_cents + ? where id = ?").bind(by, book.id).run();
		await change(100);
		try {
			const refused = await shopper.place(first, [speaker.id, book.id]);
			expect([refused.status, await refused.json()]).toMatchObject([
				409,
				{
					error: { code: "price_changed" },
					prices: { [speaker.id]: speaker.priceCents, [book.id]: book.priceCents + 100 },
				},
			]);
			expect(await orderOf(shop, first)).toBeNull();
			const second = await shopper.create(speaker.priceCents + book.priceCents + 100, first);
			expect((await shopper.place(second, [speaker.id, book.id])).status).toBe(200);
			await shopper.confirm(second);
			expect(await statusAndBody(await shopper.fulfill(second))).toEqual(paid);
			expect(await orderOf(shop, second)).toMatchObject({ amount: speaker.priceCents + book.priceCents + 100 });
			await checkChargeable(shop, [first, second]);
		} finally {
			await change(-100);
		}
	});
});

describe("fault 15: the session expires, or another tab signs in to another account", () => {
	const changes: [string, (shopper: Customer) => Promise<unknown>][] = [
		[
			"the session ends",
			(shopper) =>
				shop.d1
					.prepare("delete from sessions")
					.run()
					.then(() => shopper.page("/")),
		],
		["another tab signs in to another account", (shopper) => signInAsSomeoneElse(shopper)],
	];

	test.each(changes)("place returns identity_changed and stores nothing if %s beforehand", async (_, happen) => {
		const shopper = newShopper();
		await shopper.createAccount();
		const greeted = await shopper.userId();
		const clientSecret = await shopper.create(totalOf([speaker.id]));
		await happen(shopper);
		const refused = await shopper.postJson("/payments/place", {
			clientSecret,
			productIds: [speaker.id],
			customer: greeted,
		});
		expect([refused.status, await readProblem(refused)]).toEqual([409, "identity_changed"]);
		expect(await orderOf(shop, clientSecret)).toBeNull();
	});

	test.each(changes)("the order keeps its owner if %s between place and fulfill", async (_, happen) => {
		const shopper = newShopper();
		await shopper.createAccount();
		const clientSecret = await shopper.pay([speaker.id]);
		await happen(shopper);
		expect(await statusAndBody(await shopper.fulfill(clientSecret))).toEqual(paid);
		expect(await shopper.page("/orders")).not.toContain(idOf(clientSecret));
		expect(await orderOf(shop, clientSecret)).toMatchObject({ user_id: await shopper.userId() });
		await shopper.signIn();
		expect(await shopper.page("/orders")).toContain(idOf(clientSecret));
	});

	async function signInAsSomeoneElse(shopper: Customer): Promise<void> {
		const other = newShopper();
		await other.createAccount();
		shopper.setCookie("__Host-session", other.cookie("__Host-session") ?? "");
	}
});

describe("fault 16: guests' orders and the accounts that claim them", () => {
	test("the first account created after a guest's payment claims the order, and a later account does not", async () => {
		const shopper = newShopper();
		const clientSecret = await shopper.pay([speaker.id]);
		await shopper.fulfill(clientSecret);
		const guest = shopper.cookie("__Host-guest") ?? "";
		await shopper.createAccount();
		expect(await shopper.page("/orders")).toContain(idOf(clientSecret));
		await shopper.signOut();
		const next = newShopper();
		next.setCookie("__Host-guest", guest);
		await next.createAccount();
		expect(await next.page("/orders")).not.toContain(idOf(clientSecret));
		expect(await orderOf(shop, clientSecret)).toMatchObject({ user_id: await shopper.userId() });
	});

	test("a guest can claim an order whose place response and cookie were lost", async () => {
		const shopper = newShopper();
		const clientSecret = await shopper.create(totalOf([speaker.id]));
		expect((await earlier(shopper).place(clientSecret, [speaker.id])).status).toBe(200);
		await shopper.confirm(clientSecret);
		await deliverEvent(clientSecret);
		await shopper.createAccount();
		expect(await shopper.page("/orders")).toContain(idOf(clientSecret));
	});

	test("sign-out claims an order that was placed during sign-in", async () => {
		const shopper = newShopper();
		const guest = await shopper.create(totalOf([speaker.id]));
		const request = earlier(shopper);
		await shopper.createAccount();
		expect((await request.place(guest, [speaker.id])).status).toBe(200);
		await shopper.confirm(guest);
		await deliverEvent(guest);
		await shopper.signOut();
		expect(await orderOf(shop, guest)).toMatchObject({ status: "paid", user_id: await shopper.userId() });
	});

	test("a browser without cookies can claim the order after it calls fulfill", async () => {
		const clientSecret = await newShopper().pay([speaker.id]);
		const returning = newShopper();
		expect(await statusAndBody(await returning.fulfill(clientSecret))).toEqual(paid);
		await returning.createAccount();
		expect(await returning.page("/orders")).toContain(idOf(clientSecret));
	});

	test("an account claims the orders that two guest tabs placed simultaneously without calling fulfill", async () => {
		const shopper = newShopper();
		const secrets = [await shopper.create(totalOf([speaker.id])), await shopper.create(totalOf([book.id]))] as const;
		await Promise.all([shopper.place(secrets[0], [speaker.id]), shopper.place(secrets[1], [book.id])]);
		for (const secret of secrets) {
			await shopper.confirm(secret);
			await deliverEvent(secret);
		}
		await shopper.createAccount();
		const page = await shopper.page("/orders");
		for (const secret of secrets) expect(page).toContain(idOf(secret));
	});

	test.each([
		["calls fulfill", true],
		["never calls fulfill", false],
	])("an order placed during a claim is claimed if the browser %s", async (_, comesBack) => {
		const shopper = newShopper();
		const clientSecret = await shopper.create(totalOf([speaker.id]));
		const inFlight = earlier(shopper);
		await shopper.createAccount();
		expect((await inFlight.place(clientSecret, [speaker.id])).status).toBe(200);
		await shopper.confirm(clientSecret);
		if (comesBack) await shopper.fulfill(clientSecret);
		else await deliverEvent(clientSecret);
		expect(await shopper.page("/orders")).toContain(idOf(clientSecret));
	});

	test("a guest token claims only its own orders", async () => {
		const [shopper, other] = [newShopper(), newShopper()];
		const [theirs, ours] = [await shopper.pay([speaker.id]), await other.pay([book.id])];
		for (const secret of [theirs, ours]) await deliverEvent(secret);
		await other.createAccount();
		expect(await other.page("/orders")).toContain(idOf(ours));
		expect(await other.page("/orders")).not.toContain(idOf(theirs));
	});
});

describe("fault 17: the shopper signs out in another tab during payment", () => {
	test("the payment succeeds, and the order belongs to the customer", async () => {
		const shopper = newShopper();
		await shopper.createAccount();
		const clientSecret = await shopper.placeOrder([speaker.id]);
		await shopper.signOut();
		await shopper.confirm(clientSecret);
		expect(await statusAndBody(await shopper.fulfill(clientSecret))).toEqual(paid);
		await shopper.signIn();
		expect(await shopper.page("/orders")).toContain(idOf(clientSecret));
	});

	test("the signed-out browser's feed closes, and the customer's other browser is notified of the order", async () => {
		const shopper = newShopper();
		await shopper.createAccount();
		const [paying, other] = [await openFeed(shop, shopper), await openFeed(shop, await otherBrowserOf(shopper))];
		const clientSecret = await shopper.placeOrder([speaker.id]);
		await shopper.signOut();
		expect(await paying.closed).toBe(4001);
		await shopper.confirm(clientSecret);
		expect(await statusAndBody(await shopper.fulfill(clientSecret))).toEqual(paid);
		expect(await other.received()).toEqual(["changed"]);
		await expect(openFeed(shop, shopper)).rejects.toThrow("401");
	});
});

describe("fault 18: the Durable Object fails to notify, is evicted, or hibernates", () => {
	const settlings: [string, string, (shopper: Customer, clientSecret: string) => Promise<unknown>, unknown][] = [
		[
			"the browser's return",
			"/payments/fulfill",
			async (shopper, secret) => statusAndBody(await shopper.fulfill(secret)),
			paid,
		],
		["the webhook", "/stripe/webhook", (_, secret) => deliverEvent(secret), ["200"]],
		["reconcile", "cron", () => shop.reconcile(), null],
	];

	describe.each([
		["before", "throws", "Network connection lost."],
		["never", "never responds", "Timed out after 1000 ms."],
		["after", "notifies the page, but its response is lost", "Network connection lost."],
	] as const)("fault %s: the object %s", (fault, _, message) => {
		test.each(settlings)("%s fulfills the order, and a reload shows it", async (_, path, settle, answer) => {
			const shopper = newShopper();
			await shopper.createAccount();
			const feed = await openFeed(shop, shopper);
			const clientSecret = await shopper.pay([speaker.id]);
			await shop.control({ control: "shop_fault", path, service: "feed", call: 1, fault });
			if (fault === "never") await shop.control({ control: "timeouts", timeouts: { feed: 1000 } });
			const logged = shop.logs().length;

			expect(await settle(shopper, clientSecret)).toEqual(answer);
			expect((await shop.emulator()).shopFaults).toEqual([]);
			expect(await statusOf(shop, clientSecret)).toBe("paid");
			expect(await shopper.page("/orders")).toContain(idOf(clientSecret));
			const log = shop.logs().slice(logged);
			expect(log).toContain(`"event":"feed_failed","message":"Error: ${message}"`);
			expect(log).not.toMatch(/"event":"(not_reconciled|webhook_failed|unavailable|error)"/);
			expect(await feed.received()).toEqual(fault === "after" ? ["changed"] : []);
		});
	});

	test.each(["before", "never"] as const)(
		"sign-in and sign-out succeed without the feed (fault: %s)",
		async (fault) => {
			const shopper = newShopper();
			await shopper.createAccount();
			await shop.control({ control: "shop_fault", service: "feed", call: "every", fault, times: 2 });
			if (fault === "never") await shop.control({ control: "timeouts", timeouts: { feed: 1000 } });
			expect((await shopper.signIn()).status).toBe(302);
			expect(await read(await shopper.fetch("/"))).toContain(`Hello ${shopper.email}`);
			expect((await shopper.signOut()).status).toBe(302);
			expect(await read(await shopper.fetch("/"))).toContain("Hello Guest");
			expect((await shop.emulator()).shopFaults).toEqual([]);
		},
	);

	test("after an eviction, the order is stored, and a reconnected page shows it and is notified of the next order", async () => {
		const shopper = newShopper();
		await shopper.createAccount();
		const feed = await openFeed(shop, shopper);
		await shop.evictFeed((await shopper.userId()) ?? "", "close");
		await feed.closed;
		const clientSecret = await shopper.pay([speaker.id]);
		expect(await statusAndBody(await shopper.fulfill(clientSecret))).toEqual(paid);
		const back = await openFeed(shop, shopper);
		expect(await shopper.page("/orders")).toContain(idOf(clientSecret));
		await shopper.fulfill(await shopper.pay([book.id]));
		expect(await back.received()).toEqual(["changed"]);
	});

	test("a hibernating object notifies the page of the order", async () => {
		const shopper = newShopper();
		await shopper.createAccount();
		const feed = await openFeed(shop, shopper);
		const clientSecret = await shopper.pay([speaker.id]);
		await shop.evictFeed((await shopper.userId()) ?? "", "hibernate");
		expect(await statusAndBody(await shopper.fulfill(clientSecret))).toEqual(paid);
		expect(await feed.received()).toEqual(["changed"]);
		expect(await shopper.page("/orders")).toContain(idOf(clientSecret));
	});
});

describe("fault 19: reconcile runs concurrently, or is killed halfway", () => {
	test("three concurrent runs have the same result as one", async () => {
		const unheard = await newShopper().pay([speaker.id]);
		const lost = await newShopper().pay([book.id]);
		await loseOrder(shop, lost);
		const orphan = await payWithoutOrder(shop);
		await shop.advance(181);
		await Promise.all([shop.reconcile(), shop.reconcile(), shop.reconcile()]);
		expect(await statusOf(shop, unheard)).toBe("paid");
		expect(await statusOf(shop, lost)).toBe("paid");
		expect([timesFulfilled(unheard), timesFulfilled(lost)]).toEqual([1, 1]);
		expect(await refundsAt(shop, orphan)).toHaveLength(1);
	});

	test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])(
		"the next run completes the work of a run killed at external call %i",
		async (call) => {
			const shopper = newShopper();
			const unheard = await shopper.pay([speaker.id]);
			const lost = await shopper.pay([book.id]);
			await loseOrder(shop, lost);
			const orphan = await payWithoutOrder(shop);
			await shop.advance(181);
			await shop.control({ control: "shop_fault", path: "cron", service: "any", call, fault: "crash" });
			await expect(shop.reconcile()).rejects.toThrow();
			await shop.reconcile();
			expect(await statusOf(shop, unheard)).toBe("paid");
			expect(await statusOf(shop, lost)).toBe("paid");
			expect(await refundsAt(shop, orphan)).toHaveLength(1);
			expect(await refundOf(shop, orphan)).toMatchObject({ status: "succeeded" });
		},
	);
});

describe("fault 20: a succeeded PaymentIntent without an order", () => {
	test("a lost paid order is rebuilt from its payment with the items and prices at the time of purchase", async () => {
		const shopper = newShopper();
		await shopper.createAccount();
		const clientSecret = await shopper.pay([speaker.id, book.id, speaker.id]);
		await loseOrder(shop, clientSecret);
		await shop.d1.prepare("update products set price_cents = price_cents + 100").run();
		try {
			await shop.advance(181);
			await shop.reconcile();
		} finally {
			await shop.d1.prepare("update products set price_cents = price_cents - 100").run();
		}
		expect(await orderOf(shop, clientSecret)).toMatchObject({
			status: "paid",
			amount: speaker.priceCents + book.priceCents + speaker.priceCents,
			user_id: await shopper.userId(),
		});
		expect(await itemsOf(shop, clientSecret)).toEqual([
			{ product_id: speaker.id, price_cents: speaker.priceCents },
			{ product_id: speaker.id, price_cents: speaker.priceCents },
			{ product_id: book.id, price_cents: book.priceCents },
		]);
		expect(await shopper.page("/orders")).toContain("Smart speaker");
		expect(await refundsAt(shop, clientSecret)).toEqual([]);
	});

	test.each(["withdrawn", "repriced"])(
		"a lost order whose product was %s is rebuilt as paid and not refunded",
		async (what) => {
			const shopper = newShopper();
			await shopper.createAccount();
			const clientSecret = await shopper.pay([speaker.id, book.id]);
			await loseOrder(shop, clientSecret);
			const restoreCatalog = await changeProduct(shop, speaker.id, what);
			try {
				await shop.advance(300);
				await shop.reconcile();
				expect(await statusOf(shop, clientSecret)).toBe("paid");
				const title = what === "withdrawn" ? "Item 23445930, no longer sold" : "Smart speaker";
				expect(await shopper.page("/orders")).toContain(title);
			} finally {
				await restoreCatalog();
			}
			expect(await itemsOf(shop, clientSecret)).toMatchObject([
				{ price_cents: speaker.priceCents },
				{ price_cents: book.priceCents },
			]);
			expect(await refundsAt(shop, clientSecret)).toEqual([]);
		},
	);

	test("a payment without a placed order is refunded exactly once, after three minutes", async () => {
		const clientSecret = await payWithoutOrder(shop);
		await shop.advance(170);
		await shop.reconcile();
		expect(await refundOf(shop, clientSecret)).toBeNull();
		await shop.advance(20);
		await Promise.all([shop.reconcile(), shop.reconcile(), shop.reconcile()]);
		expect(await refundOf(shop, clientSecret)).toMatchObject({ reason: "orphan", status: "succeeded" });
		expect(await refundsAt(shop, clientSecret)).toMatchObject([{ amount: book.priceCents, status: "succeeded" }]);
		await shop.reconcile();
		expect(await refundsAt(shop, clientSecret)).toHaveLength(1);
		expect(await (await newShopper().fulfill(clientSecret)).json()).toEqual({ status: "refunded" });
	});

	test("seven payments without placed orders are refunded, five per run, and do not delay the rebuild of a lost order", async () => {
		const secrets = await Promise.all(Array.from({ length: 7 }, () => payWithoutOrder(shop)));
		const lost = await newShopper().pay([speaker.id]);
		await loseOrder(shop, lost);
		await shop.advance(300);
		await shop.reconcile();
		expect(await statusOf(shop, lost)).toBe("paid");
		const refunded = async () => (await Promise.all(secrets.map((secret) => refundsAt(shop, secret)))).flat();
		expect(await refunded()).toHaveLength(5);
		await shop.reconcile();
		expect(await refunded()).toHaveLength(7);
	});

	test("an order placed two minutes after its payment is marked as paid and not refunded", async () => {
		const shopper = newShopper();
		const clientSecret = await shopper.create(totalOf([speaker.id]));
		await shopper.confirm(clientSecret);
		await shop.advance(120);
		await shop.reconcile();
		expect(await refundOf(shop, clientSecret)).toBeNull();
		expect(await readProblem(await shopper.place(clientSecret, [speaker.id]))).toBe("already_paid");
		await shop.advance(120);
		await shop.reconcile();
		expect(await statusOf(shop, clientSecret)).toBe("paid");
		expect(await refundsAt(shop, clientSecret)).toEqual([]);
	});

	test("an order placed after its refund was recorded is marked as refunded, not as paid", async () => {
		const shopper = newShopper();
		await shopper.createAccount();
		const clientSecret = await shopper.create(totalOf([book.id]));
		await shopper.confirm(clientSecret);
		await shop.advance(181);
		await shop.control({ control: "fail", endpoint: "refunds.create", fault: "500", when: "before", times: 2 });
		await shop.reconcile();
		expect(await refundOf(shop, clientSecret)).toMatchObject({ status: "pending", refund_id: null });
		expect(await readProblem(await shopper.place(clientSecret, [book.id]))).toBe("already_paid");
		expect(await statusAndBody(await shopper.fulfill(clientSecret))).toEqual([200, { status: "refunded" }]);
		expect(await statusOf(shop, clientSecret)).toBe("refunded");
		await shop.advance(300);
		await shop.reconcile();
		expect(await refundsAt(shop, clientSecret)).toHaveLength(1);
		expect(await refundOf(shop, clientSecret)).toMatchObject({ status: "succeeded" });
		expect(await shopper.page("/orders")).toContain("Refunded");
	});
});

describe("fault 22: an order stays unpaid, or its shopper confirms just before it is canceled", () => {
	test("an order unpaid for an hour is canceled at Stripe and abandoned, and a failed cancellation does not delay others", async () => {
		const shopper = newShopper();
		const clientSecret = await shopper.placeOrder([speaker.id]);
		await shop.advance(1);
		const other = await newShopper().placeOrder([speaker.id]);
		await shop.advance(3601);
		await shop.control({ control: "fail", endpoint: "payment_intents.cancel", fault: "500", when: "before", times: 2 });
		await shop.reconcile();
		expect(await statusOf(shop, clientSecret)).toBe("placed");
		expect(await statusOf(shop, other)).toBe("abandoned");
		await shop.advance(61);
		await shop.reconcile();
		expect(await statusOf(shop, clientSecret)).toBe("abandoned");
		expect(await itemsOf(shop, clientSecret)).toEqual([]);
		expect(await shop.stripe.paymentIntents.retrieve(idOf(clientSecret))).toMatchObject({ status: "canceled" });
		expect((await shopper.place(clientSecret, [speaker.id])).status).toBe(409);
	});

	test("reconcile marks a day-old order as paid if its payment is confirmed just before the run", async () => {
		const shopper = newShopper();
		const clientSecret = await shopper.placeOrder([speaker.id]);
		await shop.advance(86_401);
		await shopper.confirm(clientSecret);
		await shop.reconcile();
		expect(await statusOf(shop, clientSecret)).toBe("paid");
	});

	test("an abandoned order whose payment succeeds is rebuilt as paid", async () => {
		const shopper = newShopper();
		const clientSecret = await shopper.placeOrder([speaker.id]);
		for (const change of ["update orders set status = 'abandoned'", "delete from order_items"]) {
			await shop.d1.prepare(`${change} where payment_intent_id = ?`).bind(idOf(clientSecret)).run();
		}
		await shopper.confirm(clientSecret);
		expect(await statusAndBody(await shopper.fulfill(clientSecret))).toEqual(checking);
		await shop.reconcile();
		expect(await statusAndBody(await shopper.fulfill(clientSecret))).toEqual(paid);
	});

	test("an abandoned order is deleted after 30 days", async () => {
		const clientSecret = await newShopper().placeOrder([speaker.id]);
		await shop.advance(3601);
		await shop.reconcile();
		expect(await statusOf(shop, clientSecret)).toBe("abandoned");
		await shop.advance(30 * 86_400);
		await shop.reconcile();
		expect(await orderOf(shop, clientSecret)).toBeNull();
	});
});

describe("fault 23: a refund is made in Stripe's dashboard, or fails", () => {
	test.each(["webhook", "reconcile"])("an order refunded at Stripe is marked as refunded via %s", async (by) => {
		const shopper = newShopper();
		const clientSecret = await shopper.pay([speaker.id]);
		await shopper.fulfill(clientSecret);
		if (by === "webhook") await shop.control({ control: "webhooks", mode: "before_response" });
		await shop.stripe.refunds.create({ payment_intent: idOf(clientSecret) });
		if (by === "reconcile") await shop.reconcile();
		expect(await statusOf(shop, clientSecret)).toBe("refunded");
		expect(await refundOf(shop, clientSecret)).toMatchObject({ reason: "requested", status: "succeeded" });
		expect(await (await shopper.fulfill(clientSecret)).json()).toEqual({ status: "refunded" });
	});

	test("a refund that fails is logged and marked as failed, and a pending refund is marked as succeeded", async () => {
		const shopper = newShopper();
		const fails = await shopper.pay([speaker.id], "pm_card_refundFail");
		const pending = await shopper.pay([speaker.id], "pm_card_pendingRefund");
		for (const clientSecret of [fails, pending]) {
			await shopper.fulfill(clientSecret);
			await shop.stripe.refunds.create({ payment_intent: idOf(clientSecret) });
		}
		await shop.reconcile();
		expect(await refundOf(shop, fails)).toMatchObject({ status: "succeeded" });
		expect(await refundOf(shop, pending)).toMatchObject({ status: "pending" });
		await shop.advance(61);
		await shop.reconcile();
		expect(await refundOf(shop, fails)).toMatchObject({ status: "failed" });
		expect(await refundOf(shop, pending)).toMatchObject({ status: "succeeded" });
		expect(await statusOf(shop, fails)).toBe("refunded");
		expect(shop.logs()).toContain(`"event":"refund_failed","payment_intent":"${idOf(fails)}"`);
	});
});

describe("fault 43: an operator refunds again after a refund that failed", () => {
	test.each(["webhook", "reconcile"])("the second refund is recorded from its first event on, via %s", async (by) => {
		const shopper = newShopper();
		const clientSecret = await shopper.pay([speaker.id], "pm_card_refundFail");
		await shopper.fulfill(clientSecret);
		await shop.stripe.refunds.create({ payment_intent: idOf(clientSecret) });
		await shop.reconcile();
		await shop.advance(61);
		await shop.reconcile();
		expect(await refundOf(shop, clientSecret)).toMatchObject({ status: "failed" });

		if (by === "webhook") await shop.control({ control: "webhooks", mode: "before_response" });
		const second = await shop.stripe.refunds.create({ payment_intent: idOf(clientSecret) });
		if (by === "reconcile") await shop.reconcile();
		expect(await refundOf(shop, clientSecret)).toMatchObject({ status: "succeeded", refund_id: second.id });
		await shop.advance(61);
		await shop.reconcile();
		expect(await refundOf(shop, clientSecret)).toMatchObject({ status: "failed", refund_id: second.id });
	});
});

describe("fault 24: D1 is restored to an hour ago", () => {
	test("every order of the lost hour is rebuilt, and none is refunded", async () => {
		await shop.advance(3600);
		await shop.reconcile();
		const cursor = await shop.d1.prepare("select event_id from reconcile_cursor").first("event_id");
		const shoppers = Array.from({ length: 6 }, () => newShopper());
		const secrets = await Promise.all(shoppers.map((shopper) => shopper.pay([book.id])));
		await shop.advance(3600);
		await shop.reconcile();
		for (const clientSecret of secrets) await loseOrder(shop, clientSecret);
		await shop.d1.prepare("update reconcile_cursor set event_id = ?").bind(cursor).run();
		await shop.reconcile();
		for (const clientSecret of secrets) {
			expect(await statusOf(shop, clientSecret)).toBe("paid");
			expect(await refundsAt(shop, clientSecret)).toEqual([]);
		}
	});

	test("an order refunded in the lost hour is rebuilt as refunded", async () => {
		await shop.advance(3600);
		await shop.reconcile();
		const cursor = await shop.d1.prepare("select event_id from reconcile_cursor").first("event_id");
		const shopper = newShopper();
		await shopper.createAccount();
		const clientSecret = await shopper.pay([book.id]);
		await shopper.fulfill(clientSecret);
		await shop.stripe.refunds.create({ payment_intent: idOf(clientSecret) });
		await shop.advance(3600);
		await shop.reconcile();
		await loseOrder(shop, clientSecret);
		await shop.d1.prepare("delete from refunds where payment_intent_id = ?").bind(idOf(clientSecret)).run();
		await shop.d1.prepare("update reconcile_cursor set event_id = ?").bind(cursor).run();
		await shop.reconcile();
		await shop.advance(300);
		await shop.reconcile();
		expect(await statusOf(shop, clientSecret)).toBe("refunded");
		expect(await shopper.page("/orders")).toContain("Refunded");
	});
});

describe("the log of these tests", () => {
	const eventShape = z.looseObject({ event: z.string() });
	const lines = () =>
		shop
			.logs()
			.split("\n")
			.filter((line) => line.startsWith("{"))
			.map((line) => eventShape.parse(JSON.parse(line)));

	test("identifies payments and Stripe events by their ids", () => {
		const about = (event: string) => lines().filter((line) => line.event === event);
		for (const event of [
			"fulfilled",
			"webhook",
			"refunded",
			"refund_failed",
			"order_rebuilt",
			"abandoned",
			"feed_failed",
		])
			expect(about(event), event).not.toEqual([]);
		for (const line of about("fulfilled")) expect(line["payment_intent"]).toMatch(/^pi_/);
		for (const line of about("webhook")) expect(line["stripe_event"]).toMatch(/^evt_/);
		for (const line of about("webhook_failed")) expect(line["stripe_event"]).toMatch(/^evt_/);
		const outcomes = about("webhook").filter(({ outcome }) => outcome);
		expect(outcomes).not.toEqual([]);
		for (const line of outcomes) expect(line["payment_intent"]).toMatch(/^pi_/);
	});

	test("contains no client secrets, card numbers, keys, passwords, tokens or cookies", () => {
		const logs = shop.logs();
		expect(logs).not.toMatch(/_secret_|\b\d{13,19}\b|sk_test_|whsec_|__Host-|correct horse/);
		for (const shopper of shoppers) {
			for (const name of ["__Host-session", "__Host-guest"]) {
				const token = shopper.cookie(name);
				if (token) expect(logs).not.toContain(token);
			}
		}
	});
});
