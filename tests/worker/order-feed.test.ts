import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { book, speaker } from "../support/catalogue.ts";
import { Customer, idOf, orderOf, statusOf, totalOf } from "../support/customer.ts";
import { read } from "../support/response.ts";
import { openShop, type Shop } from "../support/shop.ts";
import { type OpenFeed, ofOwnPage, openFeed, openSleepingFeed, upgrade } from "../support/socket.ts";

// Notifications to a customer's open pages. Faults of the feed are tested in faults.test.ts (17 and 18), and rejected
// upgrades in bad-requests.test.ts.

let shop: Shop;
beforeAll(async () => {
	shop = await openShop();
	await shop.disableWebhooks();
});
afterEach(async () => {
	await shop.control({ control: "calm" });
	await shop.disableWebhooks();
});
afterAll(() => shop?.close());

const day = 24 * 60 * 60;
const signedOut = 4001;
const tooMany = 4002;

async function newCustomer(): Promise<Customer> {
	const shopper = new Customer(shop);
	await shopper.createAccount();
	return shopper;
}

/** Signs `browser` in to the account of another visitor. */
function signInAs({ email, password }: Customer, browser: Customer): Promise<Response> {
	return browser.submit("/login", { email, password, intent: "sign-in" });
}

/** Signs the customer in on another browser, with a new session. */
async function otherBrowserOf(customer: Customer): Promise<Customer> {
	const browser = new Customer(shop);
	await signInAs(customer, browser);
	return browser;
}

const open = (visitor: Customer, path?: string) => openFeed(shop, visitor, path);

async function openSeveral(visitor: Customer, count: number): Promise<OpenFeed[]> {
	const feeds: OpenFeed[] = [];
	for (let opened = 0; opened < count; opened++) feeds.push(await open(visitor));
	return feeds;
}

/** Returns the distinct messages that each feed has received. Duplicates are harmless. */
const heardBy = (feeds: OpenFeed[]) => Promise.all(feeds.map(async (feed) => [...new Set(await feed.received())]));

const sessionId = (visitor: Customer) =>
	createHash("sha256")
		.update(visitor.cookie("__Host-session") ?? "")
		.digest("hex");

/** Changes the session's times so that its 90 days end in `seconds`. */
async function leave(visitor: Customer, seconds: number): Promise<void> {
	await shop.d1
		.prepare("update sessions set created_at = unixepoch() + ?1 - ?2, expires_at = unixepoch() + ?1 where id = ?3")
		.bind(seconds, 90 * day, sessionId(visitor))
		.run();
}

type Happening = (shopper: Customer, clientSecret: string) => Promise<unknown>;

/** The ways to mark a placed order as paid. */
const waysToPay: [string, Happening][] = [
	[
		"the browser's return",
		async (shopper, secret) => {
			await shopper.confirm(secret);
			await shopper.fulfill(secret);
		},
	],
	[
		"the webhook",
		async (shopper, secret) => {
			await shop.control({ control: "webhooks", mode: "before_response" });
			await shopper.confirm(secret);
		},
	],
	[
		"reconcile",
		async (shopper, secret) => {
			await shopper.confirm(secret);
			await shop.reconcile();
		},
	],
];

describe("fulfillment of an order", () => {
	test.each<[string, Happening]>([
		...waysToPay,
		[
			"five concurrent returns",
			async (shopper, secret) => {
				await shopper.confirm(secret);
				await Promise.all(Array.from({ length: 5 }, () => shopper.fulfill(secret)));
			},
		],
		[
			"the webhook, then the return, then reconcile",
			async (shopper, secret) => {
				await shop.control({ control: "webhooks", mode: "before_response" });
				await shopper.confirm(secret);
				await shopper.fulfill(secret);
				await shop.reconcile();
			},
		],
		[
			"a request for /orders",
			async (shopper, secret) => {
				await shopper.confirm(secret);
				await shopper.page("/orders");
			},
		],
		[
			"a request for another payment",
			async (shopper, secret) => {
				await shopper.confirm(secret);
				await shopper.requestIntent(totalOf([book.id]), secret);
			},
		],
		[
			"a return whose Worker dies right after the UPDATE, then the webhook",
			async (shopper, secret) => {
				await shop.control({ control: "webhooks", mode: "hold" });
				await shopper.confirm(secret);
				const dies = { control: "shop_fault", path: "/payments/fulfill", service: "d1", fault: "crash" } as const;
				await shop.control({ ...dies, call: 3 });
				expect((await shopper.fulfill(secret)).status).toBe(202);
				await shop.control({ control: "release" });
			},
		],
		[
			"a return whose UPDATE succeeds, loses its response and is retried",
			async (shopper, secret) => {
				await shopper.confirm(secret);
				// the first call reads the session, and the second reads the order
				const loses = { control: "shop_fault", path: "/payments/fulfill", service: "d1", fault: "after" } as const;
				await shop.control({ ...loses, call: 3 });
				await shopper.fulfill(secret);
			},
		],
	])("after %s, all of the customer's pages are notified, and no others", async (_, happen) => {
		const [ada, ben] = [await newCustomer(), await newCustomer()];
		const adas = [...(await openSeveral(ada, 2)), ...(await openSeveral(await otherBrowserOf(ada), 2))];
		const bens = await open(ben);
		const clientSecret = await ada.placeOrder([speaker.id]);
		expect(await heardBy(adas)).toEqual([[], [], [], []]);

		await happen(ada, clientSecret);
		expect(await statusOf(shop, clientSecret)).toBe("paid");
		expect(await heardBy(adas)).toEqual([["changed"], ["changed"], ["changed"], ["changed"]]);
		expect(await bens.received()).toEqual([]);
	});

	test("the webhook, another return and reconcile send no second message about a paid order, but its refund does", async () => {
		const ada = await newCustomer();
		const feeds = await openSeveral(ada, 2);
		await shop.control({ control: "webhooks", mode: "hold" });
		const clientSecret = await ada.pay([speaker.id]);
		await ada.fulfill(clientSecret);
		await shop.control({ control: "release" });
		await ada.fulfill(clientSecret);
		await shop.reconcile();
		expect(await Promise.all(feeds.map((feed) => feed.received()))).toEqual([["changed"], ["changed"]]);
		await shop.stripe.refunds.create({ payment_intent: idOf(clientSecret) });
		await shop.reconcile();
		expect(await statusOf(shop, clientSecret)).toBe("refunded");
		for (const feed of feeds) expect((await feed.received()).length).toBeGreaterThan(1);
	});

	test.each(waysToPay)("once %s has notified the page, /orders shows the order", async (_, pay) => {
		const ada = await newCustomer();
		const feed = await open(ada);
		const clientSecret = await ada.placeOrder([speaker.id]);
		const seen = feed.next().then(async () => [await statusOf(shop, clientSecret), await ada.page("/orders")]);
		await pay(ada, clientSecret);
		expect(await seen).toEqual(["paid", expect.stringContaining(idOf(clientSecret))]);
	});

	test("if the UPDATE fails, no page is notified", async () => {
		const ada = await newCustomer();
		const feed = await open(ada);
		const clientSecret = await ada.pay([speaker.id]);
		await shop.d1.exec("create trigger full before update on orders begin select raise(abort, 'disk full'); end");
		try {
			expect((await ada.fulfill(clientSecret)).status).toBe(202);
			expect(await feed.received()).toEqual([]);
		} finally {
			await shop.d1.exec("drop trigger full");
		}
		await ada.fulfill(clientSecret);
		expect(await feed.received()).toEqual(["changed"]);
	});

	test("when a guest's order is paid, no page is notified", async () => {
		const feed = await open(await newCustomer());
		const guest = new Customer(shop);
		const clientSecret = await guest.pay([speaker.id]);
		// any call of any feed would consume this fault
		await shop.control({ control: "shop_fault", service: "feed", call: "every", fault: "before" });
		expect(await (await guest.fulfill(clientSecret)).json()).toEqual({ status: "paid" });
		expect((await shop.emulator()).shopFaults).toHaveLength(1);
		expect(await feed.received()).toEqual([]);
	});
});

describe("an order's refund at Stripe", () => {
	test.each<[string, (refund: () => Promise<unknown>) => Promise<unknown>]>([
		[
			"the webhook",
			async (refund) => {
				await shop.control({ control: "webhooks", mode: "before_response" });
				await refund();
			},
		],
		[
			"two concurrent runs of reconcile",
			async (refund) => {
				await refund();
				await Promise.all([shop.reconcile(), shop.reconcile()]);
			},
		],
	])("after %s, only the customer's pages are notified", async (_, happen) => {
		const [ada, ben] = [await newCustomer(), await newCustomer()];
		const clientSecret = await ada.pay([speaker.id]);
		await ada.fulfill(clientSecret);
		const [first, second, bens] = [await open(ada), await open(ada), await open(ben)];
		await happen(() => shop.stripe.refunds.create({ payment_intent: idOf(clientSecret) }));
		expect(await ada.page("/orders")).toContain("Refunded");
		expect(await heardBy([first, second, bens])).toEqual([["changed"], ["changed"], []]);
	});
});

describe("a customer's claim of a guest's order", () => {
	test.each<[string, (guest: Customer, ada: Customer) => Promise<string>]>([
		[
			"at sign-in",
			async (guest, ada) => {
				const clientSecret = await guest.pay([speaker.id]);
				await guest.fulfill(clientSecret);
				await signInAs(ada, guest);
				return clientSecret;
			},
		],
		[
			"by loading /orders after an order placed during sign-in",
			async (guest, ada) => {
				const clientSecret = await buyDuringSignIn(guest, ada);
				await guest.page("/orders");
				return clientSecret;
			},
		],
		[
			"at sign-out after an order placed during sign-in",
			async (guest, ada) => {
				const clientSecret = await buyDuringSignIn(guest, ada);
				await guest.signOut();
				return clientSecret;
			},
		],
		[
			"by a signed-in return without the guest cookie",
			async (guest, ada) => {
				const clientSecret = await guest.pay([speaker.id]);
				await (await otherBrowserOf(ada)).postJson("/payments/fulfill", { clientSecret });
				return clientSecret;
			},
		],
	])("after a claim %s, only the customer's pages are notified", async (_, claim) => {
		const [ada, ben] = [await newCustomer(), await newCustomer()];
		const [first, second, bens] = [await open(ada), await open(ada), await open(ben)];
		const clientSecret = await claim(new Customer(shop), ada);
		expect(await orderOf(shop, clientSecret)).toMatchObject({ status: "paid", user_id: await ada.userId() });
		expect(await heardBy([first, second, bens])).toEqual([["changed"], ["changed"], []]);
	});

	/** Makes a purchase with requests that contain only the guest cookie, as if sent before the sign-in. */
	async function buyDuringSignIn(guest: Customer, ada: Customer): Promise<string> {
		const clientSecret = await guest.create(totalOf([speaker.id]));
		const earlier = new Customer(shop);
		earlier.setCookie("__Host-guest", guest.cookie("__Host-guest") ?? "");
		await signInAs(ada, guest);
		expect((await earlier.place(clientSecret, [speaker.id])).status).toBe(200);
		await earlier.confirm(clientSecret);
		expect((await earlier.fulfill(clientSecret)).status).toBe(200);
		return clientSecret;
	}

	test("when a guest without orders signs in, no page is notified", async () => {
		const ada = await newCustomer();
		const feed = await open(ada);
		const guest = new Customer(shop);
		await guest.create(totalOf([speaker.id]));
		expect(guest.cookie("__Host-guest")).toBeTruthy();
		await signInAs(ada, guest);
		expect(await feed.received()).toEqual([]);
	});
});

describe("GET /orders/feed", () => {
	test("returns 101 with the security headers and sets no cookie", async () => {
		const response = await upgrade(shop, ofOwnPage(shop, await newCustomer()));
		await read(response);
		expect(response.status).toBe(101);
		expect(response.headers.getSetCookie()).toEqual([]);
	});

	test("renews a session in the second half of its lifetime", async () => {
		const ada = await newCustomer();
		await shop.d1
			.prepare("update sessions set expires_at = unixepoch() + ? where id = ?")
			.bind(14 * day, sessionId(ada))
			.run();
		const response = await upgrade(shop, ofOwnPage(shop, ada));
		expect(response.status).toBe(101);
		expect(response.headers.getSetCookie()).toEqual([expect.stringContaining(`${ada.cookie("__Host-session")};`)]);
	});

	test("ignores the query string and opens only the session's own feed", async () => {
		const [ada, ben] = [await newCustomer(), await newCustomer()];
		const other = await otherBrowserOf(ada);
		const names = [ben, other].map((visitor) => `session=${sessionId(visitor)}`).join("&");
		const feed = await open(ada, `/orders/feed?${names}&seconds=0&name=${await ben.userId()}&user_id=1`);
		await ben.fulfill(await ben.pay([speaker.id]));
		await ben.signOut();
		await other.signOut();
		expect(await feed.received()).toEqual([]);
		await ada.fulfill(await ada.pay([speaker.id]));
		expect(await feed.received()).toEqual(["changed"]);
		await ada.signOut();
		expect(await feed.closed).toBe(signedOut);
	});

	test.each(["before", "never"] as const)("returns 503 if the feed fails (fault: %s)", async (fault) => {
		const ada = await newCustomer();
		await shop.control({ control: "timeouts", timeouts: { feed: 100 } });
		await shop.control({ control: "shop_fault", path: "/orders/feed", service: "feed", call: 1, fault });
		const response = await upgrade(shop, ofOwnPage(shop, ada));
		expect([response.status, await response.json()]).toEqual([
			503,
			{ error: { code: "unavailable", message: expect.stringContaining("Live updates are unavailable") } },
		]);
		expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
		await shop.control({ control: "calm" });
		expect(await (await open(ada)).received()).toEqual([]);
	});
});

describe("client messages", () => {
	test("the server replies to ping with pong", async () => {
		const feed = await open(await newCustomer());
		const answer = feed.next();
		feed.send("ping");
		expect(await answer).toBe("pong");
	});

	test.each<[string, string | Uint8Array<ArrayBuffer>]>([
		["an unknown word", "hello"],
		["an empty message", ""],
		["PING", "PING"],
		["ping in binary", new TextEncoder().encode("ping")],
		["a message of 1 MiB", "x".repeat(1024 * 1024)],
	])("%s closes only its own feed, with code 1003", async (_, message) => {
		const ada = await newCustomer();
		const [feed, other] = [await open(ada), await open(ada)];
		feed.send(message);
		expect(await feed.closed).toBe(1003);
		expect(await other.received()).toEqual([]);
	});
});

describe("the limit of five feeds per session", () => {
	test("each feed after the fifth closes only the oldest feed of its session", async () => {
		const ada = await newCustomer();
		const others = await openSeveral(await otherBrowserOf(ada), 5);
		const [first, second, ...rest] = await openSeveral(ada, 7);
		expect(await first?.closed).toBe(tooMany);
		expect(await second?.closed).toBe(tooMany);
		expect(await heardBy([...rest, ...others])).toHaveLength(10);
	});

	test("a closed feed no longer counts toward the limit", async () => {
		const ada = await newCustomer();
		const [first, ...rest] = await openSeveral(ada, 5);
		expect(await first?.leave()).toBe(1000);
		rest.push(await open(ada));
		expect(await heardBy(rest)).toHaveLength(5);
	});
});

test("a client that never completes the closing handshake does not block notifications to others", async () => {
	const ada = await newCustomer();
	const other = await otherBrowserOf(ada);
	const before = await open(ada);
	const sleeping = await openSleepingFeed(shop, other);
	const after = await open(ada);
	await other.signOut();
	const logged = shop.logs().length;
	await ada.fulfill(await ada.pay([speaker.id]));
	expect(await heardBy([before, after])).toEqual([["changed"], ["changed"]]);
	expect(shop.logs().slice(logged)).not.toContain("feed_failed");
	sleeping.destroy();
});

describe("the end of a session", () => {
	test("sign-out closes its feeds and no other session's", async () => {
		const ada = await newCustomer();
		const [first, second, other] = [await open(ada), await open(ada), await open(await otherBrowserOf(ada))];
		await ada.signOut();
		expect(await Promise.all([first.closed, second.closed])).toEqual([signedOut, signedOut]);
		expect(await other.received()).toEqual([]);
	});

	test("signing in as another customer in the same browser closes its feeds and no other session's", async () => {
		const [ada, ben] = [await newCustomer(), await newCustomer()];
		const [feed, other, bens] = [await open(ada), await open(await otherBrowserOf(ada)), await open(ben)];
		await signInAs(ben, ada);
		expect(await feed.closed).toBe(signedOut);
		expect(await heardBy([other, bens])).toEqual([[], []]);
		expect(await (await open(ada)).received()).toEqual([]);
	});

	test("a session's expiry closes its own feeds and no other session's", async () => {
		const ada = await newCustomer();
		const [soon, later, last] = [await otherBrowserOf(ada), await otherBrowserOf(ada), await otherBrowserOf(ada)];
		await leave(later, 5);
		const long = await open(ada);
		const feeds = [await open(later)];
		await leave(soon, 3);
		feeds.push(await open(soon));
		const longest = await open(last);
		expect(await Promise.all(feeds.map((feed) => feed.closed))).toEqual([signedOut, signedOut]);
		expect(await heardBy([long, longest])).toEqual([[], []]);
	});
});

test("closing an account as described in docs/operations.md closes its feeds with the next notification", async () => {
	const customer = await newCustomer();
	const clientSecret = await customer.placeOrder([book.id]);
	const feeds = await openSeveral(customer, 2);
	await shop.d1.prepare("delete from sessions where id = ?").bind(sessionId(customer)).run();
	await shop.control({ control: "webhooks", mode: "before_response" });
	await customer.confirm(clientSecret);
	expect(await statusOf(shop, clientSecret)).toBe("paid");
	for (const feed of feeds) expect(await feed.closed).toBe(signedOut);
});

test("a feed stays open across notifications while its session exists", async () => {
	const customer = await newCustomer();
	const feed = await open(customer);
	await customer.fulfill(await customer.pay([book.id]));
	await customer.fulfill(await customer.pay([book.id]));
	expect(await heardBy([feed])).toEqual([["changed"]]);
});

describe("feeds of a hibernated object", () => {
	const hibernate = async (customer: Customer) => shop.evictFeed((await customer.userId()) ?? "", "hibernate");

	test("every page is still notified of a paid order", async () => {
		const ada = await newCustomer();
		const feeds = await openSeveral(ada, 2);
		await hibernate(ada);
		await ada.fulfill(await ada.pay([speaker.id]));
		expect(await heardBy(feeds)).toEqual([["changed"], ["changed"]]);
	});

	test("the sixth feed of a session still closes the session's oldest feed", async () => {
		const ada = await newCustomer();
		const [first, ...rest] = await openSeveral(ada, 5);
		await hibernate(ada);
		rest.push(await open(ada));
		expect(await first?.closed).toBe(tooMany);
		expect(await heardBy(rest)).toHaveLength(5);
	});

	test("sign-out still closes only its session's feeds", async () => {
		const ada = await newCustomer();
		const [feed, other] = [await open(ada), await open(await otherBrowserOf(ada))];
		await hibernate(ada);
		await ada.signOut();
		expect(await feed.closed).toBe(signedOut);
		expect(await other.received()).toEqual([]);
	});

	test("session expiry still closes only that session's feeds", async () => {
		const ada = await newCustomer();
		const other = await open(await otherBrowserOf(ada));
		await leave(ada, 3);
		const feed = await open(ada);
		await hibernate(ada);
		expect(await feed.closed).toBe(signedOut);
		expect(await other.received()).toEqual([]);
	});

	test("an unknown message still closes the feed", async () => {
		const ada = await newCustomer();
		const feed = await open(ada);
		await hibernate(ada);
		feed.send("hello");
		expect(await feed.closed).toBe(1003);
	});
});

test("the log of these tests contains no errors", () => {
	expect(shop.logs()).not.toMatch(/"event":"(error|d1_failed)"|Uncaught|exception/i);
});
