import { afterEach, describe, expect, test } from "vitest";
import { hashToken, sessionCookieName } from "#app/auth/sessions.server.ts";
import { book, speaker } from "../support/catalogue.ts";
import { Customer, idOf, orderOf, outcomeOf, statusOf, totalOf } from "../support/customer.ts";
import { read } from "../support/response.ts";
import { type OpenFeed, ofOwnPage, openFeed, openSleepingFeed, startFeed, upgrade } from "../support/socket.ts";
import { newCustomer, openCalmShop } from "./setup.ts";

// Notifications to a customer's open pages. Rejected upgrades are tested in bad-requests.test.ts.

const shop = await openCalmShop();
afterEach(() => {
	expect(shop.logs()).not.toMatch(/"event":"(error|d1_failed)"|Uncaught|exception/i);
});

const day = 24 * 60 * 60;
const signedOut = 4001;

/** Signs `browser` in to the account of another visitor. */
function signInAs({ email, password }: Customer, browser: Customer): Promise<Response> {
	return browser.submit("/login", { email, password });
}

const hibernate = async (customer: Customer) => shop.evictFeed((await customer.userId()) ?? "", "hibernate");

/** Signs the customer in on another browser, with a new session. */
async function otherBrowserOf(customer: Customer): Promise<Customer> {
	const browser = new Customer(shop);
	await signInAs(customer, browser);
	return browser;
}

const open = (visitor: Customer, path?: string) => openFeed(shop, visitor, path);

/** Returns the distinct messages that each feed has received. Duplicates are harmless. */
const heardBy = (feeds: OpenFeed[]) => Promise.all(feeds.map(async (feed) => [...new Set(await feed.received())]));

const sessionId = (visitor: Customer) => hashToken(visitor.cookie(sessionCookieName) ?? "");

type Happening = (shopper: Customer, clientSecret: string) => Promise<unknown>;

test.each<[string, Happening]>([
	["the return", (shopper, secret) => shopper.fulfill(secret)],
	[
		"a return whose Worker dies right after the UPDATE, then the webhook",
		async (shopper, secret) => {
			// the first call reads the session, and the second reads the order
			const dies = { path: "/payments/fulfill", service: "d1", call: 3, fault: "crash" } as const;
			await shop.control({ control: "shop_fault", ...dies });
			expect(await outcomeOf(await shopper.fulfill(secret))).toEqual([202, "checking"]);
			await shop.control({ control: "release" });
		},
	],
])("after %s, all of the customer's pages are notified, and then show the order", async (_, happen) => {
	const [ada, ben] = [await newCustomer(shop), await newCustomer(shop)];
	const adas = [await open(ada), await open(ada), await open(await otherBrowserOf(ada))];
	const bens = await open(ben);
	await shop.control({ control: "webhooks", mode: "hold" });
	const clientSecret = await ada.pay([speaker.id]);
	expect(await heardBy(adas)).toEqual([[], [], []]);
	const seen = adas[0]?.next().then(async () => [await statusOf(shop, clientSecret), await ada.page("/orders")]);

	await happen(ada, clientSecret);
	expect(await heardBy([...adas, bens])).toEqual([["changed"], ["changed"], ["changed"], []]);
	expect(await seen).toEqual(["paid", expect.stringContaining(idOf(clientSecret))]);
});

test.each<[string, boolean, (guest: Customer, ada: Customer, clientSecret: string) => Promise<unknown>]>([
	["at sign-in", false, (guest, ada) => signInAs(ada, guest)],
	["by loading /orders after an order placed during sign-in", true, (guest) => guest.page("/orders")],
	["at sign-out after an order placed during sign-in", true, (guest) => guest.signOut()],
	[
		"by a signed-in return without the guest cookie",
		false,
		async (_, ada, clientSecret) => (await otherBrowserOf(ada)).postJson("/payments/fulfill", { clientSecret }),
	],
])("after a claim %s, only the customer's pages are notified", async (_, isDuringSignIn, claim) => {
	const [ada, ben, guest] = [await newCustomer(shop), await newCustomer(shop), new Customer(shop)];
	const [first, second, bens] = [await open(ada), await open(ada), await open(ben)];
	const clientSecret = await guest.create(totalOf([speaker.id]));
	// sends only the guest cookie, as if before the sign-in
	const earlier = new Customer(shop).addGuests(...guest.guestTokens);
	if (isDuringSignIn) await signInAs(ada, guest);
	expect((await earlier.place(clientSecret, [speaker.id])).status).toBe(200);
	await earlier.confirm(clientSecret);
	expect(await outcomeOf(await earlier.fulfill(clientSecret))).toEqual([200, "paid"]);
	expect(await heardBy([first, second])).toEqual([[], []]);
	await claim(guest, ada, clientSecret);
	expect(await orderOf(shop, clientSecret)).toMatchObject({ status: "paid", user_id: await ada.userId() });
	expect(await heardBy([first, second, bens])).toEqual([["changed"], ["changed"], []]);
});

describe("GET /orders/feed", () => {
	test("returns 101 with the security headers, and never renews the session", async () => {
		const ada = await newCustomer(shop);
		const soon = shop.d1.prepare("update sessions set expires_at = unixepoch() + ? where id = ?");
		await soon.bind(14 * day, sessionId(ada)).run();
		const response = await upgrade(shop, ofOwnPage(shop, ada));
		await read(response);
		expect([response.status, response.headers.getSetCookie()]).toEqual([101, []]);
	});

	test("ignores the query string and opens only the session's own feed", async () => {
		const [ada, ben] = [await newCustomer(shop), await newCustomer(shop)];
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

	test("returns 503 if the feed does not respond", async () => {
		const ada = await newCustomer(shop);
		await shop.control({ control: "timeouts", timeouts: { feed: 100 } });
		await shop.control({ control: "shop_fault", path: "/orders/feed", service: "feed", call: 1, fault: "never" });
		const response = await upgrade(shop, ofOwnPage(shop, ada));
		const error = { code: "unavailable", message: expect.stringContaining("Live updates are unavailable") };
		expect([response.status, await response.json()]).toEqual([503, { error }]);
		expect(response.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
		await shop.control({ control: "calm" });
		expect(await (await open(ada)).received()).toEqual([]);
	});
});

test("a message other than ping closes only its own feed, with code 1003, also after hibernation", async () => {
	const ada = await newCustomer(shop);
	const [text, bytes, other] = [await open(ada), await open(ada), await open(ada)];
	await hibernate(ada);
	text.send("PING");
	bytes.send(new TextEncoder().encode("ping"));
	expect(await Promise.all([text.closed, bytes.closed])).toEqual([1003, 1003]);
	expect(await other.received()).toEqual([]);
});

test("a client that never completes the closing handshake does not block notifications to others", async () => {
	const ada = await newCustomer(shop);
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

// a feed that nothing closes would wait for minutes
describe("the end of a session", { timeout: 40_000 }, () => {
	test("sign-out during a payment closes its feeds, and the customer's other browser is notified of the order", async () => {
		const ada = await newCustomer(shop);
		const [first, second, other] = [await open(ada), await open(ada), await open(await otherBrowserOf(ada))];
		const clientSecret = await ada.placeOrder([speaker.id]);
		await hibernate(ada);
		await ada.signOut();
		expect(await Promise.all([first.closed, second.closed])).toEqual([signedOut, signedOut]);
		await ada.confirm(clientSecret);
		expect(await outcomeOf(await ada.fulfill(clientSecret))).toEqual([200, "paid"]);
		expect(await other.received()).toEqual(["changed"]);
		await expect(open(ada)).rejects.toThrow("401");
	});

	test("signing in as another customer in the same browser closes its feeds and no other session's", async () => {
		const [ada, ben] = [await newCustomer(shop), await newCustomer(shop)];
		const [feed, other, bens] = [await open(ada), await open(await otherBrowserOf(ada)), await open(ben)];
		await signInAs(ben, ada);
		expect(await feed.closed).toBe(signedOut);
		expect(await heardBy([other, bens])).toEqual([[], []]);
		expect(await (await open(ada)).received()).toEqual([]);
	});

	test("expiry closes its own feeds and no other session's, also after hibernation", async () => {
		const ada = await newCustomer(shop);
		const [second, third] = [await otherBrowserOf(ada), await otherBrowserOf(ada)];
		const other = await open(third);
		const feeds: OpenFeed[] = [];
		// one alarm after the other. A busy machine may need seconds to open a feed, and an expired session is refused
		for (const [index, browser] of [ada, second].entries()) {
			const expire = shop.d1.prepare("update sessions set expires_at = ? where id = ?");
			await expire.bind((await shop.emulator()).now + 5 + index, sessionId(browser)).run();
			feeds.push(await startFeed(shop, browser));
		}
		await hibernate(ada);
		for (const feed of feeds) expect(await feed.closed).toBe(signedOut);
		expect(await other.received()).toEqual([]);
	});
});

describe("fault 18: the Durable Object fails to notify or is evicted", () => {
	test("the webhook fulfills the order, and a reload shows it", async () => {
		const ada = await newCustomer(shop);
		await open(ada);
		await shop.control({ control: "webhooks", mode: "hold" });
		const clientSecret = await ada.pay([speaker.id]);
		const fails = { path: "/stripe/webhook", service: "feed", call: "every", fault: "before" } as const;
		await shop.control({ control: "shop_fault", ...fails });
		const logged = shop.logs().length;
		await shop.control({ control: "release" });
		expect((await shop.emulator()).shopFaults).toEqual([]);
		expect(await statusOf(shop, clientSecret)).toBe("paid");
		expect(await ada.page("/orders")).toContain(idOf(clientSecret));
		const log = shop.logs().slice(logged);
		expect(log).toContain('"event":"feed_failed","message":"Error: Network connection lost."');
		expect(log).not.toContain('"event":"webhook_failed"');
	});

	test("a notification that fails once is sent again", async () => {
		const ada = await newCustomer(shop);
		const feed = await open(ada);
		const clientSecret = await ada.pay([speaker.id]);
		await shop.control({ control: "shop_fault", path: "/payments/fulfill", service: "feed", call: 1, fault: "before" });
		await ada.fulfill(clientSecret);
		expect((await shop.emulator()).shopFaults).toEqual([]);
		expect(await feed.received()).toEqual(["changed"]);
	});

	test("after an eviction, a page that reconnects shows the order and is notified of the next one", async () => {
		const ada = await newCustomer(shop);
		const feed = await open(ada);
		await shop.evictFeed((await ada.userId()) ?? "", "close");
		await feed.closed;
		const clientSecret = await ada.pay([speaker.id]);
		expect(await outcomeOf(await ada.fulfill(clientSecret))).toEqual([200, "paid"]);
		const back = await open(ada);
		expect(await ada.page("/orders")).toContain(idOf(clientSecret));
		await hibernate(ada);
		await ada.fulfill(await ada.pay([book.id]));
		expect(await back.received()).toEqual(["changed"]);
	});
});
