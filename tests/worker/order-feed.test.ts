import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Customer, idOf, orderOf, statusOf, totalOf } from "../support/customer.ts";
import { read } from "../support/response.ts";
import { openShop, type Shop } from "../support/shop.ts";
import { type OpenFeed, ofOwnPage, openFeed, openSleepingFeed, upgrade } from "../support/socket.ts";

// What a customer's open pages are told of their orders. What goes wrong with it stands in faults.test.ts (17 and 18),
// who is refused in bad-requests.test.ts.

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

const speaker = "23445930";
const book = "12321341";
const day = 24 * 60 * 60;
const signedOut = 4001;
const tooMany = 4002;

async function newCustomer(): Promise<Customer> {
	const shopper = new Customer(shop);
	await shopper.createAccount();
	return shopper;
}

/** Signs in with somebody's account, in whatever browser. */
function signInAs({ email, password }: Customer, browser: Customer): Promise<Response> {
	return browser.submit("/login", { email, password, intent: "sign-in" });
}

/** A customer's other browser, with a session of its own. */
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

/** What each feed has received. The same notification twice is harmless, and counts once. */
const heardBy = (feeds: OpenFeed[]) => Promise.all(feeds.map(async (feed) => [...new Set(await feed.received())]));

const sessionId = (visitor: Customer) =>
	createHash("sha256")
		.update(visitor.cookie("__Host-session") ?? "")
		.digest("hex");

/** Lets all but a few seconds of a session's 90 days pass. */
async function leave(visitor: Customer, seconds: number): Promise<void> {
	await shop.d1
		.prepare("update sessions set created_at = unixepoch() - ? where id = ?")
		.bind(90 * day - seconds, sessionId(visitor))
		.run();
}

type Happening = (shopper: Customer, clientSecret: string) => Promise<unknown>;

/** How a placed order comes to be paid. */
const payings: [string, Happening][] = [
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

describe("an order is fulfilled", () => {
	test.each<[string, Happening]>([
		...payings,
		[
			"five returns at once",
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
			"a look at /orders",
			async (shopper, secret) => {
				await shopper.confirm(secret);
				await shopper.page("/orders");
			},
		],
		[
			"asking for another payment",
			async (shopper, secret) => {
				await shopper.confirm(secret);
				await shopper.requestIntent(totalOf([book]), secret);
			},
		],
		[
			"a return whose Worker dies right after the paying write, then the webhook",
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
			"a return whose D1 does the work, loses the answer and is asked again",
			async (shopper, secret) => {
				await shopper.confirm(secret);
				// the first call is for the session, the second reads the order
				const loses = { control: "shop_fault", path: "/payments/fulfill", service: "d1", fault: "after" } as const;
				await shop.control({ ...loses, call: 3 });
				await shopper.fulfill(secret);
			},
		],
	])("by %s: every page of its customer is notified, and no one else's", async (_, happen) => {
		const [ada, ben] = [await newCustomer(), await newCustomer()];
		const adas = [...(await openSeveral(ada, 2)), ...(await openSeveral(await otherBrowserOf(ada), 2))];
		const bens = await open(ben);
		const clientSecret = await ada.placeOrder([speaker]);
		expect(await heardBy(adas)).toEqual([[], [], [], []]);

		await happen(ada, clientSecret);
		expect(await statusOf(shop, clientSecret)).toBe("paid");
		expect(await heardBy(adas)).toEqual([["changed"], ["changed"], ["changed"], ["changed"]]);
		expect(await bens.received()).toEqual([]);
	});

	test.each(payings)("by %s: a page that reads /orders as soon as it hears sees the order", async (_, pay) => {
		const ada = await newCustomer();
		const feed = await open(ada);
		const clientSecret = await ada.placeOrder([speaker]);
		const seen = feed.next().then(async () => [await statusOf(shop, clientSecret), await ada.page("/orders")]);
		await pay(ada, clientSecret);
		expect(await seen).toEqual(["paid", expect.stringContaining(idOf(clientSecret))]);
	});

	test("what could not be saved is not told", async () => {
		const ada = await newCustomer();
		const feed = await open(ada);
		const clientSecret = await ada.pay([speaker]);
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

	test("a guest's: nobody is told", async () => {
		const feed = await open(await newCustomer());
		const guest = new Customer(shop);
		const clientSecret = await guest.pay([speaker]);
		// it would be used up by any call of any feed
		await shop.control({ control: "shop_fault", service: "feed", call: "every", fault: "before" });
		expect(await (await guest.fulfill(clientSecret)).json()).toEqual({ status: "paid" });
		expect((await shop.emulator()).shopFaults).toHaveLength(1);
		expect(await feed.received()).toEqual([]);
	});
});

describe("an order is refunded at Stripe", () => {
	test.each<[string, (refund: () => Promise<unknown>) => Promise<unknown>]>([
		[
			"the webhook",
			async (refund) => {
				await shop.control({ control: "webhooks", mode: "before_response" });
				await refund();
			},
		],
		[
			"two runs of reconcile at once",
			async (refund) => {
				await refund();
				await Promise.all([shop.reconcile(), shop.reconcile()]);
			},
		],
	])("and the shop hears of it by %s: its customer's pages are notified", async (_, happen) => {
		const [ada, ben] = [await newCustomer(), await newCustomer()];
		const clientSecret = await ada.pay([speaker]);
		await ada.fulfill(clientSecret);
		const [first, second, bens] = [await open(ada), await open(ada), await open(ben)];
		await happen(() => shop.stripe.refunds.create({ payment_intent: idOf(clientSecret) }));
		expect(await ada.page("/orders")).toContain("Refunded");
		expect(await heardBy([first, second, bens])).toEqual([["changed"], ["changed"], []]);
	});
});

describe("what a guest bought becomes a customer's", () => {
	test.each<[string, (guest: Customer, ada: Customer) => Promise<string>]>([
		[
			"at sign-in",
			async (guest, ada) => {
				const clientSecret = await guest.pay([speaker]);
				await guest.fulfill(clientSecret);
				await signInAs(ada, guest);
				return clientSecret;
			},
		],
		[
			"by looking at /orders, when it was placed during sign-in",
			async (guest, ada) => {
				const clientSecret = await buyDuringSignIn(guest, ada);
				await guest.page("/orders");
				return clientSecret;
			},
		],
		[
			"at sign-out, when it was placed during sign-in",
			async (guest, ada) => {
				const clientSecret = await buyDuringSignIn(guest, ada);
				await guest.signOut();
				return clientSecret;
			},
		],
		[
			"by coming back from paying, signed in, in a browser that has lost the guest's cookie",
			async (guest, ada) => {
				const clientSecret = await guest.pay([speaker]);
				await (await otherBrowserOf(ada)).postJson("/payments/fulfill", { clientSecret });
				return clientSecret;
			},
		],
	])("%s: that customer's pages are told once", async (_, claim) => {
		const [ada, ben] = [await newCustomer(), await newCustomer()];
		const [first, second, bens] = [await open(ada), await open(ada), await open(ben)];
		const clientSecret = await claim(new Customer(shop), ada);
		expect(await orderOf(shop, clientSecret)).toMatchObject({ status: "paid", user_id: await ada.userId() });
		expect(await heardBy([first, second, bens])).toEqual([["changed"], ["changed"], []]);
	});

	/** Buys by requests that set out before the guest signed in. */
	async function buyDuringSignIn(guest: Customer, ada: Customer): Promise<string> {
		const clientSecret = await guest.create(totalOf([speaker]));
		const earlier = new Customer(shop);
		earlier.setCookie("__Host-guest", guest.cookie("__Host-guest") ?? "");
		await signInAs(ada, guest);
		expect((await earlier.place(clientSecret, [speaker])).status).toBe(200);
		await earlier.confirm(clientSecret);
		expect((await earlier.fulfill(clientSecret)).status).toBe(200);
		return clientSecret;
	}

	test("a guest who has bought nothing signs in: nobody is told", async () => {
		const ada = await newCustomer();
		const feed = await open(ada);
		const guest = new Customer(shop);
		await guest.create(totalOf([speaker]));
		expect(guest.cookie("__Host-guest")).toBeTruthy();
		await signInAs(ada, guest);
		expect(await feed.received()).toEqual([]);
	});
});

describe("GET /orders/feed", () => {
	test("opens under the security headers, and sets no cookie", async () => {
		const response = await upgrade(shop, ofOwnPage(shop, await newCustomer()));
		await read(response);
		expect(response.status).toBe(101);
		expect(response.headers.getSetCookie()).toEqual([]);
	});

	test("renews a session past its half like any other request", async () => {
		const ada = await newCustomer();
		await shop.d1
			.prepare("update sessions set expires_at = unixepoch() + ? where id = ?")
			.bind(14 * day, sessionId(ada))
			.run();
		const response = await upgrade(shop, ofOwnPage(shop, ada));
		expect(response.status).toBe(101);
		expect(response.headers.getSetCookie()).toEqual([expect.stringContaining(`${ada.cookie("__Host-session")};`)]);
	});

	test("opens nobody else's feed, whatever its query says", async () => {
		const [ada, ben] = [await newCustomer(), await newCustomer()];
		const other = await otherBrowserOf(ada);
		const names = [ben, other].map((visitor) => `session=${sessionId(visitor)}`).join("&");
		const feed = await open(ada, `/orders/feed?${names}&seconds=0&name=${await ben.userId()}&user_id=1`);
		await ben.fulfill(await ben.pay([speaker]));
		await ben.signOut();
		await other.signOut();
		expect(await feed.received()).toEqual([]);
		await ada.fulfill(await ada.pay([speaker]));
		expect(await feed.received()).toEqual(["changed"]);
		await ada.signOut();
		expect(await feed.closed).toBe(signedOut);
	});

	test.each(["before", "never"] as const)("answers 503 where the feed fails (%s)", async (fault) => {
		const ada = await newCustomer();
		await shop.control({ control: "timeouts", timeouts: { feed: 100 } });
		await shop.control({ control: "shop_fault", path: "/orders/feed", service: "feed", call: 1, fault });
		const response = await upgrade(shop, ofOwnPage(shop, ada));
		expect([response.status, await response.json()]).toEqual([
			503,
			{ error: { code: "unavailable", message: expect.stringContaining("no news") } },
		]);
		expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
		await shop.control({ control: "calm" });
		expect(await (await open(ada)).received()).toEqual([]);
	});
});

describe("what a page says", () => {
	test("ping is answered pong", async () => {
		const feed = await open(await newCustomer());
		const answer = feed.next();
		feed.send("ping");
		expect(await answer).toBe("pong");
	});

	test.each<[string, string | Uint8Array<ArrayBuffer>]>([
		["a word", "hello"],
		["nothing", ""],
		["PING", "PING"],
		["the bytes of ping", new TextEncoder().encode("ping")],
		["a mebibyte", "x".repeat(1024 * 1024)],
	])("%s closes the feed with 1003, and no other", async (_, message) => {
		const ada = await newCustomer();
		const [feed, other] = [await open(ada), await open(ada)];
		feed.send(message);
		expect(await feed.closed).toBe(1003);
		expect(await other.received()).toEqual([]);
	});
});

describe("a session has five feeds at most", () => {
	test("a sixth closes the oldest, a seventh the next; another session of the customer keeps its own five", async () => {
		const ada = await newCustomer();
		const others = await openSeveral(await otherBrowserOf(ada), 5);
		const [first, second, ...rest] = await openSeveral(ada, 7);
		expect(await first?.closed).toBe(tooMany);
		expect(await second?.closed).toBe(tooMany);
		expect(await heardBy([...rest, ...others])).toHaveLength(10);
	});

	test("a page that has left makes room", async () => {
		const ada = await newCustomer();
		const [first, ...rest] = await openSeveral(ada, 5);
		expect(await first?.leave()).toBe(1000);
		rest.push(await open(ada));
		expect(await heardBy(rest)).toHaveLength(5);
	});
});

test("a page that does not answer the shop's goodbye keeps no other from hearing", async () => {
	const ada = await newCustomer();
	const other = await otherBrowserOf(ada);
	const before = await open(ada);
	const sleeping = await openSleepingFeed(shop, other);
	const after = await open(ada);
	await other.signOut();
	const logged = shop.logs().length;
	await ada.fulfill(await ada.pay([speaker]));
	expect(await heardBy([before, after])).toEqual([["changed"], ["changed"]]);
	expect(shop.logs().slice(logged)).not.toContain("feed_failed");
	sleeping.destroy();
});

describe("a session ends", () => {
	test("by sign-out: its feeds are closed, and no other session's", async () => {
		const ada = await newCustomer();
		const [first, second, other] = [await open(ada), await open(ada), await open(await otherBrowserOf(ada))];
		await ada.signOut();
		expect(await Promise.all([first.closed, second.closed])).toEqual([signedOut, signedOut]);
		expect(await other.received()).toEqual([]);
	});

	test("by signing in as somebody else in the same browser: its feeds are closed, and no other session's", async () => {
		const [ada, ben] = [await newCustomer(), await newCustomer()];
		const [feed, other, bens] = [await open(ada), await open(await otherBrowserOf(ada)), await open(ben)];
		await signInAs(ben, ada);
		expect(await feed.closed).toBe(signedOut);
		expect(await heardBy([other, bens])).toEqual([[], []]);
		expect(await (await open(ada)).received()).toEqual([]);
	});

	test("by itself: its feeds are closed at that moment, each session's at its own", async () => {
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

test("an account is closed as docs/operations.md says: its feeds are closed with the next notification", async () => {
	const customer = await newCustomer();
	const clientSecret = await customer.placeOrder([book]);
	const feeds = await openSeveral(customer, 2);
	await shop.d1.prepare("delete from sessions where id = ?").bind(sessionId(customer)).run();
	await shop.control({ control: "webhooks", mode: "before_response" });
	await customer.confirm(clientSecret);
	expect(await statusOf(shop, clientSecret)).toBe("paid");
	for (const feed of feeds) expect(await feed.closed).toBe(signedOut);
});

test("a feed stays open while its session exists, whatever is notified", async () => {
	const customer = await newCustomer();
	const feed = await open(customer);
	await customer.fulfill(await customer.pay([book]));
	await customer.fulfill(await customer.pay([book]));
	expect(await heardBy([feed])).toEqual([["changed"]]);
});

describe("the feed hibernates, and forgets all but its sockets", () => {
	const hibernate = async (customer: Customer) => shop.evictFeed((await customer.userId()) ?? "", "hibernate");

	test("a change is told", async () => {
		const ada = await newCustomer();
		const feeds = await openSeveral(ada, 2);
		await hibernate(ada);
		await ada.fulfill(await ada.pay([speaker]));
		expect(await heardBy(feeds)).toEqual([["changed"], ["changed"]]);
	});

	test("the sixth feed of a session still closes the oldest", async () => {
		const ada = await newCustomer();
		const [first, ...rest] = await openSeveral(ada, 5);
		await hibernate(ada);
		rest.push(await open(ada));
		expect(await first?.closed).toBe(tooMany);
		expect(await heardBy(rest)).toHaveLength(5);
	});

	test("sign-out still closes its session's feeds, and no other's", async () => {
		const ada = await newCustomer();
		const [feed, other] = [await open(ada), await open(await otherBrowserOf(ada))];
		await hibernate(ada);
		await ada.signOut();
		expect(await feed.closed).toBe(signedOut);
		expect(await other.received()).toEqual([]);
	});

	test("the end of a session still closes its feeds", async () => {
		const ada = await newCustomer();
		const other = await open(await otherBrowserOf(ada));
		await leave(ada, 3);
		const feed = await open(ada);
		await hibernate(ada);
		expect(await feed.closed).toBe(signedOut);
		expect(await other.received()).toEqual([]);
	});

	test("a word still closes the feed", async () => {
		const ada = await newCustomer();
		const feed = await open(ada);
		await hibernate(ada);
		feed.send("hello");
		expect(await feed.closed).toBe(1003);
	});
});

test("the log of all this tells of no error", () => {
	expect(shop.logs()).not.toMatch(/"event":"(error|d1_failed)"|Uncaught|exception/i);
});
