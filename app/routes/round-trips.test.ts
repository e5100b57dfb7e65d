import { beforeEach, describe, expect, test, vi } from "vitest";
import { hashToken } from "#app/auth/lucia.server.ts";
import { openPrimary } from "#app/http/databases.server.ts";
import { handleEvent } from "#app/payments/events.server.ts";
import { openPayments } from "#app/payments/payments.server.ts";
import { sign } from "#app/payments/signature.server.ts";
import { loader as shell } from "#app/shell/shop.tsx";
import { d1On, Sqlite } from "../../tests/simulation/database.ts";
import { book } from "../../tests/support/catalogue.ts";
import { openRequest, stripe } from "../../tests/support/unit-request.ts";
import { loader as home } from "./home.tsx";
import { action as logout } from "./logout.ts";
import { loader as notFound } from "./not-found.tsx";
import { middleware, loader as orders } from "./orders.tsx";
import { action as create } from "./payments.create.ts";
import { action as fulfill } from "./payments.fulfill.ts";
import { action as place } from "./payments.place.ts";
import { loader as product } from "./product.tsx";

// The sequential round trips of every page and of every step of a purchase, which docs/scale.md relies on.

// browser code, which reads window.location
vi.mock("#app/shell/keep-shop.client.ts", () => ({ keepShop: null, forgetCustomer: null, forgetPage: null }));

const id = "pi_1";
const clientSecret = "pi_1_secret_1";
const [session, guest] = ["session-of-ada", "g".repeat(40)];

let sqlite: Sqlite;
/** The replica that serves sessions and the catalog. */
let replica: Sqlite;
let intent: { id: string; object: string; amount: number; amount_received: number; status: string };
let now = 1_800_000_000;

beforeEach(() => {
	for (const method of ["info", "warn", "error"] as const) vi.spyOn(console, method).mockReturnValue();
	sqlite = Sqlite.ofShop();
	sqlite.exec("insert into users values ('ada', 'ada@example.com', '', 0)");
	sqlite.all("insert into sessions values (?, 'ada', ?, ?)", [hashToken(session), now + 29 * 86_400, now]);
	replica = sqlite;
	intent = {
		id,
		object: "payment_intent",
		amount: book.priceCents,
		amount_received: 0,
		status: "requires_payment_method",
	};
	// no catalog is cached
	now += 3600;
});

/** Calls that wait for each other. All calls made by the time that no code can continue are one round. */
class Rounds {
	/** The services called in each round, such as ["D1 D1", "Stripe"]. */
	readonly made: string[] = [];
	#waiting: { service: string; go: () => void }[] = [];

	async call<Result>(service: string, make: () => Result): Promise<Result> {
		await new Promise<void>((go) => {
			this.#waiting.push({ service, go });
			if (this.#waiting.length === 1) void this.#take();
		});
		return make();
	}

	async #take(): Promise<void> {
		// reading a response takes several turns of the event loop
		for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
		const waiting = this.#waiting;
		this.#waiting = [];
		this.made.push(waiting.map(({ service }) => service).join(" "));
		for (const { go } of waiting) go();
	}
}

/** Opens a request whose calls to D1, Stripe and the feed are made in rounds. */
function open(path: string, cookies: Record<string, string>, body?: object) {
	const rounds = new Rounds();
	const account = {
		...stripe,
		fetch: () =>
			rounds.call("Stripe", () =>
				Response.json({
					...intent,
					currency: "usd",
					created: now,
					client_secret: clientSecret,
					metadata: { shop: "half-dozen" },
				}),
			),
	};
	const feed = () => rounds.call("feed", () => undefined);
	const limiter = { limit: async () => ({ success: true }) };
	const cookie = Object.entries(cookies).map(([name, value]) => `__Host-${name}=${value}`);
	const { services, args } = openRequest(path, cookie.join("; "), body, {
		now: () => now,
		d1: d1On(sqlite, replica, ({ make }) => rounds.call("D1", make)),
		stripe: account,
		orderFeed: () => ({ fetch: async () => new Response(), notify: feed, disconnect: feed }),
		rateLimits: { address: limiter, account: limiter, order: limiter },
	});
	return { rounds, services, stripe: account, args };
}

type Args = ReturnType<typeof open>["args"];
type Page = (args: Args) => Promise<unknown>;

const customer = { session };

/** Returns the rounds of a page's loaders, which React Router runs concurrently, after the middleware. */
async function roundsOf(path: string, cookies: Record<string, string>, page: Page): Promise<string[]> {
	const { rounds, args } = open(path, cookies);
	// the page first, because it runs its middleware at once
	await Promise.all([page(args), shell({ ...args, pattern: "/" })]);
	return rounds.made;
}

const showOrders: Page = async (args) => {
	const page = { ...args, pattern: "/orders" as const };
	const next = async () => new Response();
	const [response] = middleware.map((run) => run(page, next));
	expect(response).toBeUndefined();
	return orders(page);
};

describe("a page makes at most one sequential round trip to D1, even without a cached catalog:", () => {
	test.each<[string, Page, string[], string[]]>([
		["/", (args) => home({ ...args, pattern: "/" }), ["D1"], ["D1 D1"]],
		["/product/1", (args) => product({ ...args, params: { id: "1" }, pattern: "/product/:id" }), ["D1"], ["D1 D1"]],
		["/nothing", (args) => notFound({ ...args, params: { "*": "nothing" }, pattern: "/*" }), ["D1"], ["D1 D1"]],
		["/login, /checkout and /payment", async () => undefined, [], ["D1"]],
		["/orders", showOrders, [], ["D1"]],
	])("%s", async (path, page, ofGuest, ofCustomer) => {
		expect(await roundsOf(path, {}, page)).toEqual(ofGuest);
		now += 3600;
		expect(await roundsOf(path, customer, page)).toEqual(ofCustomer);
	});

	test("/orders with a guest cookie, whether it claims orders or not", async () => {
		expect(await roundsOf("/orders", { guest }, showOrders)).toEqual(["D1"]);
		expect(await roundsOf("/orders", { ...customer, guest }, showOrders)).toEqual(["D1"]);
		await placeAs(null, { guest });
		markAsPaid();
		expect(await roundsOf("/orders", { ...customer, guest }, showOrders)).toEqual(["D1", "feed"]);
		expect(orderRow()).toMatchObject({ user_id: "ada", guest_token_hash: null });
	});

	test("/orders while a payment is being checked: two more if it fulfills the order", async () => {
		await placeAs("ada", customer);
		expect(await roundsOf("/orders", customer, showOrders)).toEqual(["D1", "Stripe"]);
		pay();
		expect(await roundsOf("/orders", customer, showOrders)).toEqual(["D1", "Stripe", "D1", "feed", "D1"]);
	});
});

function pay(): void {
	intent = { ...intent, status: "succeeded", amount_received: intent.amount };
}

const markAsPaid = () => sqlite.exec("update orders set status = 'paid'");
const orderRow = () => sqlite.all("select * from orders")[0];

/** Sends a place request. Returns its rounds and its response. */
async function placeAs(customer: string | null, cookies: Record<string, string>) {
	const { rounds, stripe, args } = open("/payments/place", cookies, {});
	const signature = sign(stripe, clientSecret, { amount: book.priceCents, created: now });
	const body = JSON.stringify({ clientSecret, signature, productIds: [book.id], customer });
	const request = new Request(args.request, { body });
	const response = await place({ ...args, request, pattern: "/payments/place" });
	return { rounds: rounds.made, response };
}

async function fulfillAs(cookies: Record<string, string>) {
	const { rounds, stripe, args } = open("/payments/fulfill", cookies, {});
	const signature = sign(stripe, clientSecret, { amount: book.priceCents, created: now });
	const request = new Request(args.request, { body: JSON.stringify({ clientSecret, signature }) });
	expect((await fulfill({ ...args, request, pattern: "/payments/fulfill" })).status).toBe(200);
	return rounds.made;
}

/** Handles the event of the payment, as the webhook does. */
async function receiveEvent() {
	const { rounds, services } = open("/stripe/webhook", {});
	const object = { id, metadata: { shop: "half-dozen" } };
	const payments = openPayments(services, openPrimary(services.d1));
	await handleEvent(payments, { type: "payment_intent.succeeded", data: { object } });
	return rounds.made;
}

describe("the sequential round trips of a purchase:", () => {
	test("create calls only Stripe, unless no catalog is cached", async () => {
		const rounds = [];
		for (const _ of ["cold", "warm"]) {
			const { rounds: made, args } = open(`/payments/create?total=${book.priceCents}`, customer, {});
			expect((await create({ ...args, pattern: "/payments/create" })).status).toBe(200);
			rounds.push(made.made);
		}
		expect(rounds).toEqual([["D1", "Stripe"], ["Stripe"]]);
	});

	test.each([
		["a customer", "ada", customer, "D1 D1", "feed"],
		["a guest", null, { guest }, "D1", null],
	])("place, return and webhook of %s", async (_, owner, cookies, d1, feed) => {
		const notified = feed ? [feed] : [];
		expect(await placeAs(owner, cookies)).toMatchObject({ rounds: [d1, "Stripe"], response: { status: 200 } });
		pay();
		expect(await fulfillAs(cookies)).toEqual([d1, "Stripe", "D1", ...notified]);
		expect(await receiveEvent()).toEqual(["D1", ...notified]);
		expect(await fulfillAs(cookies)).toEqual([d1, ...notified]);
		sqlite.exec("update orders set status = 'placed'");
		expect(await receiveEvent()).toEqual(["D1", "Stripe", "D1", ...notified]);
	});

	test("a return that assigns the order to its browser makes one more", async () => {
		await placeAs(null, { guest });
		pay();
		expect(await fulfillAs(customer)).toEqual(["D1 D1", "Stripe", "D1", "D1", "feed"]);
		expect(orderRow()).toMatchObject({ status: "paid", user_id: "ada", guest_token_hash: null });
	});
});

test.each([
	["two sequential round trips to D1", customer, ["D1", "D1", "feed"]],
	["one more with a guest cookie", { ...customer, guest }, ["D1", "D1", "D1", "feed"]],
])("sign-out makes %s", async (_, cookies, made) => {
	const { rounds, args } = open("/logout", cookies, {});
	await logout({ ...args, pattern: "/logout" });
	expect(rounds.made).toEqual(made);
});

describe("with a session that has ended, but not yet at the replica that authenticates the request,", () => {
	beforeEach(() => {
		replica = sqlite.copy();
		sqlite.exec("delete from sessions");
	});

	test("place stores nothing and returns identity_changed", async () => {
		const { rounds, response } = await placeAs("ada", customer);
		expect(await response.json()).toMatchObject({ error: { code: "identity_changed" } });
		expect(rounds).toEqual(["D1 D1"]);
		expect(orderRow()).toBeUndefined();
	});

	test("/orders shows no order and claims none", async () => {
		await placeAs(null, { guest });
		markAsPaid();
		const { args } = open("/orders", { ...customer, guest });
		expect(await showOrders(args)).toMatchObject({
			customerId: null,
			orders: [],
			unclaimed: [id],
		});
		expect(orderRow()).toMatchObject({ user_id: null });
	});
});

test("a repeated place request changes no line item if the price has changed or the session is not the owner's", async () => {
	await placeAs("ada", customer);
	const stored = sqlite.all("select * from order_items");
	expect(stored).toMatchObject([{ product_id: book.id, price_cents: book.priceCents }]);
	sqlite.all("update products set title = 'Another title' where id = ?", [book.id]);
	expect(await (await placeAs("ada", {})).response.json()).toMatchObject({ error: { code: "identity_changed" } });
	expect(sqlite.all("select * from order_items")).toEqual(stored);
	sqlite.all("update products set price_cents = price_cents + 100 where id = ?", [book.id]);
	const { response } = await placeAs("ada", customer);
	expect(await response.json()).toMatchObject({
		error: { code: "price_changed" },
		prices: { [book.id]: book.priceCents + 100 },
	});
	expect(sqlite.all("select * from order_items")).toEqual(stored);
});

test("place as a customer without that customer's session stores nothing", async () => {
	const cookies: Record<string, string>[] = [{}, { guest }, { session: "session-of-ben" }];
	for (const sent of cookies) {
		const { response } = await placeAs("ada", sent);
		expect(await response.json()).toMatchObject({ error: { code: "identity_changed" } });
	}
	const asGuest = await placeAs(null, customer);
	expect(await asGuest.response.json()).toMatchObject({ error: { code: "identity_changed" } });
	expect(orderRow()).toBeUndefined();
});
