import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { BasketItem } from "#app/tab/basket.ts";
import type { Confirmation } from "#app/tab/purchase.ts";
import { createTab } from "#app/tab/tab.ts";
import type { Outcome } from "#app/tab/tab-state.ts";
import { runPayments } from "./payments.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const speaker = { id: "1", title: "Smart speaker", priceCents: 9899, rating: 5, image: "/1.webp" };
const mixer = { id: "2", title: "Stand mixer", priceCents: 23900, rating: 4, image: "/2.webp" };
const book = { id: "3", title: "Book", priceCents: 500, rating: 4, image: "/3.webp" };
const total = 9899;
const secret = "pi_1_secret_1";
const minute = 60_000;

type Reply = Response | Error | "lost" | Promise<Response>;

/** A fake shop with a queue of responses per path. Repeats the last response of a queue. */
class FakeShop {
	readonly requests: { path: string; method: unknown; headers: unknown; body: Record<string, unknown>; at: number }[] =
		[];
	readonly replies: Record<string, (() => Reply)[]> = {
		create: [() => created(secret)],
		place: [() => Response.json({ status: "placed" })],
		fulfill: [() => Response.json({ status: "paid" })],
	};

	readonly fetch: typeof fetch = async (url, init) => {
		const path = /^\/payments\/(\w+)/.exec(String(url))?.[1] ?? "";
		const body = typeof init?.body === "string" ? JSON.parse(init.body) : { url };
		this.requests.push({ path, method: init?.method, headers: init?.headers, body, at: Date.now() });
		const queue = this.replies[path] ?? [];
		const reply = (queue.length > 1 ? queue.shift() : queue[0])?.();
		if (reply instanceof Error) throw reply;
		const aborted = new Promise<Response>((_, reject) => {
			init?.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
		});
		return reply === "lost" || !reply ? aborted : Promise.race([reply, aborted]);
	};

	sent(path: string) {
		return this.requests.filter((request) => request.path === path);
	}
}

class FakeStorage {
	readonly entries = new Map<string, string>();
	getItem = (key: string) => this.entries.get(key) ?? null;
	setItem = (key: string, value: string) => void this.entries.set(key, value);
	removeItem = (key: string) => void this.entries.delete(key);
}

/** Web Locks that several tabs share. A lock is held until its tab is closed. */
class FakeLocks {
	#queue: { tab: object; grant: () => void }[] = [];

	/** Returns the locks as one tab uses them. */
	of(tab: object) {
		return {
			request: (_name: string, hold: () => Promise<never>) => {
				this.#queue.push({ tab, grant: () => void hold() });
				if (this.#queue.length === 1) this.#queue[0]?.grant();
				return new Promise<never>(() => undefined);
			},
		};
	}

	close(tab: object): void {
		const [holder] = this.#queue;
		this.#queue = this.#queue.filter((request) => request.tab !== tab);
		if (holder?.tab === tab) this.#queue[0]?.grant();
	}
}

const created = (clientSecret: string) => Response.json({ clientSecret, signature: `signed ${clientSecret}` });
const refusal = (status: number, code: string, more = {}) =>
	Response.json({ error: { code, message: `Because of ${code}.` }, ...more }, { status });
const notPaid = (intentStatus: string) => refusal(409, "not_paid", { intentStatus });
const checking = () => Response.json({ status: "checking" }, { status: 202 });
const declined = { error: { type: "card_error", code: "card_declined", message: "Your card was declined." } };
const declinedNotice = "Your card was declined. Nothing was charged; try another card.";
const notBought = (notice: string) => ({ type: "not_bought", notice, identityChanged: false });
const canceled = notBought("Your payment did not go through. You have not been charged.");
const resumed = { type: "resumed" };
const paid = { type: "paid", orderId: "pi_1", amount: total, items: [speaker] };

/** Opens a payment page with these items in the basket, whose outcomes are shown unless `isLoading`. */
async function openPage({
	shop = new FakeShop(),
	saved = new FakeStorage(),
	locks = new FakeLocks(),
	items = [speaker],
	isLoading = false,
} = {}) {
	const page = {};
	const tab = createTab();
	const outcomes: Outcome[] = [];
	function showOutcomes() {
		const show = () => {
			const { outcome } = tab.getState();
			if (!outcome) return;
			outcomes.push(outcome);
			tab.dispatch({ type: "outcome_shown" });
		};
		tab.subscribe(show);
		show();
	}
	if (!isLoading) showOutcomes();
	runPayments(tab, { fetch: shop.fetch, saved, locks: locks.of(page) });
	const confirmations: PromiseWithResolvers<Confirmation>[] = [];
	const confirm = vi.fn((_clientSecret: string) => {
		const confirmation = Promise.withResolvers<Confirmation>();
		confirmations.push(confirmation);
		return confirmation.promise;
	});
	/** Replaces the basket as another page does. */
	async function fill(...items: BasketItem[]) {
		tab.dispatch({ type: "form_left" });
		tab.dispatch({ type: "EMPTY_BASKET" });
		for (const item of items) tab.dispatch({ type: "ADD_TO_BASKET", item });
		tab.dispatch({ type: "form_shown" });
		await pass(0);
	}
	tab.dispatch({ type: "SET_USER", user: { id: "u1", email: "ada@example.com" } });
	await fill(...items);
	return {
		shop,
		saved,
		tab,
		outcomes,
		showOutcomes,
		fill,
		confirmCardPayment: confirm,
		async buy() {
			tab.dispatch({ type: "buy", confirm });
			await pass(0);
		},
		async confirm(result: Confirmation | Error) {
			const confirmation = confirmations.shift();
			if (result instanceof Error) confirmation?.reject(result);
			else confirmation?.resolve(result);
			await pass(0);
		},
		purchase: () => tab.getState().purchase,
		phase: () => tab.getState().purchase.phase,
		locks,
		close: () => locks.close(page),
	};
}

/** Advances the fake clock and runs due timers. */
async function pass(milliseconds: number): Promise<void> {
	await vi.advanceTimersByTimeAsync(milliseconds);
}

const succeeded = { paymentIntent: { status: "succeeded" } };

describe("preparing", () => {
	test("an intent is requested once per total, and the next request sends the previous client secret", async () => {
		const { shop, purchase, fill } = await openPage();
		await fill(speaker);
		expect(shop.sent("create")).toHaveLength(1);
		shop.replies["create"] = [() => created("pi_2_secret_2")];
		await fill(book);
		expect(shop.sent("create")).toMatchObject([
			{ headers: undefined, body: { url: "/payments/create?total=9899" } },
			{ headers: { "previous-client-secret": secret }, body: { url: "/payments/create?total=500" } },
		]);
		expect(purchase()).toMatchObject({ intent: { clientSecret: "pi_2_secret_2", total: 500, attempt: 0 } });
	});

	test("a newer request aborts the older request and ignores its late response", async () => {
		const { shop, purchase, fill } = await openPage();
		const late = Promise.withResolvers<Response>();
		shop.replies["create"] = [() => late.promise, () => created("pi_3_secret_3")];
		await fill(book);
		await fill(mixer);
		late.resolve(created("pi_2_secret_2"));
		await pass(0);
		expect(purchase()).toMatchObject({
			preparing: null,
			intent: { clientSecret: "pi_3_secret_3", total: mixer.priceCents },
		});
	});

	test.each([
		["no response in ten seconds", () => "lost" as const, "We couldn't reach the shop. You have not been charged."],
		["a network error", () => new TypeError("Failed"), "We couldn't reach the shop. You have not been charged."],
		["an HTML response", () => new Response("<html>"), "We couldn't reach the shop. You have not been charged."],
		["an error response", () => refusal(503, "unavailable"), "Because of unavailable. You have not been charged."],
	])("after %s, the page shows the reason and can try again", async (_, reply, failure) => {
		const shop = new FakeShop();
		shop.replies["create"] = [reply, () => created(secret)];
		const { tab, purchase, buy } = await openPage({ shop });
		await pass(10_000);
		expect(purchase()).toMatchObject({ phase: "idle", failure });
		await buy();
		expect(purchase().phase).toBe("idle");
		expect(shop.sent("create")).toHaveLength(1);
		tab.dispatch({ type: "try_again" });
		await pass(0);
		await buy();
		expect(purchase().phase).toBe("confirming");
	});

	test("a previous intent whose payment is in progress is polled and reported as paid with its own items", async () => {
		const { shop, outcomes, buy, confirm, fill } = await openPage();
		await buy();
		await confirm(declined);
		shop.replies["create"] = [() => refusal(409, "payment_in_progress")];
		await fill(speaker, book);
		expect(outcomes.at(-1)).toEqual(paid);
	});

	test("no intent is requested for an empty basket, or while the card form is not shown", async () => {
		const { shop, tab, fill } = await openPage();
		await fill();
		tab.dispatch({ type: "form_left" });
		tab.dispatch({ type: "ADD_TO_BASKET", item: book });
		await pass(0);
		expect(shop.sent("create")).toHaveLength(1);
	});

	test("a request continues when the shopper leaves the page, because it may have canceled the previous intent", async () => {
		const { shop, tab, purchase, fill } = await openPage();
		const slow = Promise.withResolvers<Response>();
		shop.replies["create"] = [() => slow.promise];
		await fill(book);
		tab.dispatch({ type: "form_left" });
		slow.resolve(created("pi_2_secret_2"));
		await pass(0);
		expect(purchase()).toMatchObject({ intent: { clientSecret: "pi_2_secret_2", total: book.priceCents } });
	});
});

test("a purchase places the order, confirms the card and is reported as paid once fulfill returns paid", async () => {
	const { shop, outcomes, confirmCardPayment, buy, confirm, phase } = await openPage();
	const signature = `signed ${secret}`;
	await buy();
	const headers = { "Content-Type": "application/json" };
	expect(shop.sent("place")).toMatchObject([
		{ headers, body: { clientSecret: secret, signature, productIds: ["1"], customer: "u1" } },
	]);
	expect(confirmCardPayment.mock.calls).toEqual([[secret]]);
	expect(phase()).toBe("confirming");
	await confirm(succeeded);
	expect(shop.sent("fulfill").map(({ body }) => body)).toEqual([{ clientSecret: secret, signature }]);
	expect(outcomes).toEqual([paid]);
	expect(phase()).toBe("paid");
	await pass(minute);
	expect(shop.requests.map(({ method }) => method)).toEqual(["POST", "POST", "POST"]);
});

test("a guest's order has no customer", async () => {
	const { shop, tab, buy } = await openPage();
	tab.dispatch({ type: "SET_USER", user: null });
	await buy();
	expect(shop.sent("place")).toMatchObject([{ body: { customer: null } }]);
});

test("Buy Now starts no second purchase, and none while another intent is requested", async () => {
	const shop = new FakeShop();
	const slow = Promise.withResolvers<Response>();
	shop.replies["create"] = [() => slow.promise];
	const { confirmCardPayment, buy } = await openPage({ shop });
	await buy();
	expect(shop.sent("place")).toHaveLength(0);
	slow.resolve(created(secret));
	await pass(0);
	await Promise.all([buy(), buy()]);
	await buy();
	expect(shop.sent("place")).toHaveLength(1);
	expect(confirmCardPayment).toHaveBeenCalledOnce();
});

describe("an order that cannot be placed", () => {
	test.each([
		["503", () => refusal(503, "unavailable"), "Because of unavailable. You have not been charged."],
		["lost", () => "lost" as const, "We couldn't reach the shop. You have not been charged."],
	])(
		"a failed place request (%s) never confirms the card, and the next attempt places the order again",
		async (_, reply, notice) => {
			const { shop, purchase, outcomes, confirmCardPayment, buy } = await openPage();
			shop.replies["place"] = [reply, () => Response.json({ status: "placed" })];
			await buy();
			await pass(10_000);
			expect(outcomes).toEqual([notBought(notice)]);
			expect(confirmCardPayment).not.toHaveBeenCalled();
			await buy();
			expect(purchase().phase).toBe("confirming");
			expect(shop.sent("place").map(({ body }) => body["clientSecret"])).toEqual([secret, secret]);
			expect(shop.sent("create")).toHaveLength(1);
		},
	);

	test("when place returns price_changed, the notice lists the changed products, and the basket has the new prices", async () => {
		const shop = new FakeShop();
		shop.replies["place"] = [() => refusal(409, "price_changed", { prices: { "1": 9999, "3": 500 } })];
		const { tab, purchase, outcomes, buy } = await openPage({ shop, items: [speaker, mixer, book, speaker, mixer] });
		await buy();
		const notice = "Smart speaker now costs $99.99. Stand mixer is no longer available. You have not been charged.";
		const cheaper = { ...speaker, priceCents: 9999 };
		expect(outcomes).toEqual([notBought(notice)]);
		expect(tab.getState().basket).toEqual([cheaper, book, cheaper]);
		expect(purchase()).toMatchObject({ phase: "idle", notice });
		expect(shop.sent("create").at(-1)?.body).toEqual({ url: "/payments/create?total=20498" });
	});

	test("when place returns price_changed without prices, the basket is kept", async () => {
		const { shop, tab, outcomes, buy } = await openPage();
		shop.replies["place"] = [() => refusal(409, "price_changed")];
		await buy();
		expect(outcomes).toEqual([notBought("Because of price_changed. You have not been charged.")]);
		expect(tab.getState().basket).toEqual([speaker]);
	});

	test("when place returns identity_changed, the outcome reports it and the intent is kept", async () => {
		const { shop, purchase, outcomes, buy } = await openPage();
		shop.replies["place"] = [() => refusal(409, "identity_changed")];
		await buy();
		const notice = "Because of identity_changed. You have not been charged.";
		expect(outcomes).toEqual([{ type: "not_bought", notice, identityChanged: true }]);
		expect(purchase()).toMatchObject({ intent: { clientSecret: secret, attempt: 1 } });
	});

	test.each([
		["payment_intent_gone", 409],
		["unknown_payment_intent", 404],
	])("when place returns %s, a new intent is requested", async (code, status) => {
		const { shop, purchase, outcomes, buy } = await openPage();
		shop.replies["create"] = [() => created("pi_2_secret_2")];
		shop.replies["place"] = [() => refusal(status, code)];
		await buy();
		expect(outcomes).toEqual([notBought(`Because of ${code}. You have not been charged.`)]);
		expect(purchase()).toMatchObject({ intent: { clientSecret: "pi_2_secret_2", attempt: 0 } });
	});

	test.each([
		["already_paid", undefined],
		["another_order", true],
	])("when place returns %s, the payment is polled instead of confirmed, and canceled: %s", async (code, cancel) => {
		const { shop, outcomes, confirmCardPayment, buy } = await openPage();
		shop.replies["place"] = [() => refusal(409, code)];
		await buy();
		expect(confirmCardPayment).not.toHaveBeenCalled();
		expect(shop.sent("fulfill").map(({ body }) => body["cancel"])).toEqual([cancel]);
		expect(outcomes).toEqual([paid]);
	});

	test("after another_order, the payment is canceled and the next attempt has another intent", async () => {
		const { shop, purchase, outcomes, buy } = await openPage();
		shop.replies["place"] = [() => refusal(409, "another_order")];
		shop.replies["fulfill"] = [() => refusal(409, "canceled")];
		shop.replies["create"] = [() => created("pi_2_secret_2")];
		await buy();
		expect(outcomes).toEqual([notBought("Your payment did not go through. You have not been charged.")]);
		expect(purchase()).toMatchObject({ phase: "idle", intent: { clientSecret: "pi_2_secret_2" } });
		expect(shop.sent("create").at(-1)?.headers).toBeUndefined();
	});
});

describe("a declined card", () => {
	test.each<[string, Confirmation, string]>([
		["card_declined", declined, declinedNotice],
		[
			"incorrect_cvc",
			{
				error: { type: "card_error", code: "incorrect_cvc", message: "Your card's security code is incorrect." },
			},
			"Your card's security code is incorrect. You have not been charged.",
		],
		[
			"validation_error",
			{ error: { type: "validation_error", message: "Your card number is incomplete." } },
			"Your card number is incomplete. You have not been charged.",
		],
		[
			"failed authentication",
			{ error: { type: "invalid_request_error", payment_intent: { status: "requires_payment_method" } } },
			"Your payment did not go through. You have not been charged.",
		],
	])(
		"a decline (%s) is reported as not charged, and the same intent can be paid with another card",
		async (_, result, notice) => {
			const { shop, purchase, outcomes, saved, buy, confirm } = await openPage();
			await buy();
			await confirm(result);
			expect(outcomes).toEqual([notBought(notice)]);
			expect(purchase()).toMatchObject({ phase: "idle", notice, intent: { clientSecret: secret } });
			expect(shop.sent("fulfill")).toHaveLength(0);
			expect(saved.entries.size).toBe(0);
			await buy();
			await confirm(succeeded);
			expect(shop.sent("place").at(-1)?.body["clientSecret"]).toBe(secret);
			expect(outcomes.at(-1)).toEqual(paid);
		},
	);
});

const unclear: [string, Confirmation | Error][] = [
	["a connection error", { error: { type: "api_connection_error", message: "No connection." } }],
	["a Stripe error", { error: { type: "api_error", message: "Oops." } }],
	[
		"a Stripe error with an older state",
		{ error: { type: "api_error", payment_intent: { status: "requires_payment_method" } } },
	],
	[
		"a lock timeout of type invalid_request_error",
		{
			error: {
				type: "invalid_request_error",
				code: "lock_timeout",
				message: "This object cannot be accessed right now.",
				payment_intent: { status: "requires_payment_method" },
			},
		},
	],
	["a lock timeout of type card_error", { error: { type: "card_error", code: "lock_timeout", message: "Locked." } }],
	["a rate limit of type card_error", { error: { type: "card_error", code: "rate_limit", message: "Slow down." } }],
	["an invalid request", { error: { type: "invalid_request_error" } }],
	[
		"an error whose payment has succeeded",
		{ error: { type: "invalid_request_error", payment_intent: { status: "succeeded" } } },
	],
	["a processing payment", { paymentIntent: { status: "processing" } }],
	["an empty result", {}],
	["a thrown error", new Error("IntegrationError")],
];

describe.each(unclear)("a payment whose confirmation ends with %s", (_, result) => {
	beforeEach(() => {
		const log = vi.spyOn(console, "error").mockReturnValue();
		return () => log.mockRestore();
	});

	test("is checked until it is paid", async () => {
		const { shop, outcomes, buy, confirm, phase } = await openPage();
		shop.replies["fulfill"] = [() => notPaid("requires_payment_method"), () => Response.json({ status: "paid" })];
		await buy();
		await confirm(result);
		expect(phase()).toBe("checking");
		expect(outcomes).toEqual([]);
		await pass(1000);
		expect(outcomes).toEqual([paid]);
	});

	test("is canceled after 15 seconds, and only then reported as not charged", async () => {
		const { shop, purchase, outcomes, saved, buy, confirm, phase } = await openPage();
		shop.replies["fulfill"] = [() => notPaid("requires_payment_method")];
		shop.replies["create"] = [() => created("pi_2_secret_2")];
		await buy();
		await confirm(result);
		await pass(14_999);
		expect(shop.sent("fulfill").some(({ body }) => "cancel" in body)).toBe(false);
		expect(saved.entries.size).toBe(1);
		shop.replies["fulfill"] = [() => refusal(409, "canceled")];
		await pass(1);
		expect(shop.sent("fulfill").at(-1)?.body).toMatchObject({ clientSecret: secret, cancel: true });
		expect(outcomes).toEqual([canceled]);
		expect(saved.entries.size).toBe(0);
		expect(purchase()).toMatchObject({ phase: "idle", intent: { clientSecret: "pi_2_secret_2" } });
		await buy();
		expect(phase()).toBe("confirming");
	});
});

describe("polling", () => {
	test.each<[string, () => Reply]>([
		["202", checking],
		["409 not_paid", () => notPaid("requires_payment_method")],
		["500", () => new Response("<html>", { status: 500 })],
		["an HTML 404", () => new Response("<html>", { status: 404 })],
		["429", () => refusal(429, "rate_limited")],
		["a network error", () => new TypeError("Failed")],
	])(
		"continues at increasing intervals after %s and never cancels a payment that Stripe.js reported as succeeded",
		async (_, reply) => {
			const { shop, outcomes, buy, confirm, phase } = await openPage();
			shop.replies["fulfill"] = [reply];
			await buy();
			const start = Date.now();
			await confirm(succeeded);
			await pass(2 * minute);
			expect(shop.sent("fulfill").map(({ at }) => at - start)).toEqual([
				0, 1e3, 3e3, 7e3, 15e3, 30e3, 60e3, 90e3, 120e3,
			]);
			expect(shop.sent("fulfill").some(({ body }) => "cancel" in body)).toBe(false);
			expect(phase()).toBe("checking");
			expect(outcomes).toEqual([]);
		},
	);

	test("times out after ten seconds, and an event aborts the poll in flight and polls immediately", async () => {
		const { shop, tab, buy, confirm } = await openPage();
		shop.replies["fulfill"] = [() => "lost"];
		await buy();
		const start = Date.now();
		await confirm(succeeded);
		tab.dispatch({ type: "online" });
		await pass(25_000);
		expect(shop.sent("fulfill").map(({ at }) => at - start)).toEqual([0, 0, 11_000, 23_000]);
	});

	test("a refund is reported and prepares a new intent", async () => {
		const { shop, purchase, outcomes, buy, confirm } = await openPage();
		shop.replies["fulfill"] = [() => Response.json({ status: "refunded" })];
		shop.replies["create"] = [() => created("pi_2_secret_2")];
		await buy();
		await confirm(succeeded);
		expect(outcomes).toEqual([notBought("Your payment was refunded and no order was placed.")]);
		expect(purchase()).toMatchObject({ intent: { clientSecret: "pi_2_secret_2" } });
	});

	test("a payment that the shop does not know is being checked, also after it should have been canceled (fault 41)", async () => {
		const { shop, outcomes, buy, confirm, phase } = await openPage();
		shop.replies["fulfill"] = [() => refusal(404, "unknown_payment_intent")];
		await buy();
		await confirm({});
		await pass(10 * minute);
		expect(phase()).toBe("checking");
		expect(outcomes).toEqual([]);
		shop.replies["fulfill"] = [() => Response.json({ status: "paid" })];
		await pass(30_000);
		expect(outcomes).toEqual([paid]);
	});

	test("a slow poll of a declined payment does not delay the poll of the next payment (fault 39)", async () => {
		const { shop, outcomes, buy, confirm, fill } = await openPage();
		const slow = Promise.withResolvers<Response>();
		shop.replies["fulfill"] = [() => slow.promise, () => Response.json({ status: "paid" })];
		shop.replies["create"] = [() => created("pi_2_secret_2")];
		await buy();
		await pass(8000);
		await confirm(declined);
		await fill(mixer);
		await buy();
		await confirm(succeeded);
		slow.resolve(notPaid("requires_payment_method"));
		await pass(minute);
		expect(outcomes.at(-1)).toEqual({ type: "paid", orderId: "pi_2", amount: mixer.priceCents, items: [mixer] });
	});

	test("continues while the result of a cancellation is unknown", async () => {
		const { shop, outcomes, buy, confirm, phase } = await openPage();
		shop.replies["fulfill"] = [checking];
		await buy();
		await confirm({});
		await pass(10 * minute);
		expect(phase()).toBe("checking");
		expect(outcomes).toEqual([]);
		shop.replies["fulfill"] = [() => Response.json({ status: "paid" })];
		await pass(30_000);
		expect(outcomes).toEqual([paid]);
	});
});

describe("a payment whose confirmation takes longer than eight seconds", () => {
	/** Opens a page whose confirmation is pending and whose polls return not_paid. */
	async function openSilentPage() {
		const page = await openPage();
		page.shop.replies["fulfill"] = [() => notPaid("requires_payment_method")];
		await page.buy();
		await pass(7999);
		expect(page.phase()).toBe("confirming");
		expect(page.shop.sent("fulfill")).toHaveLength(0);
		await pass(1);
		expect(page.phase()).toBe("checking");
		expect(page.shop.sent("fulfill")).toHaveLength(1);
		return page;
	}

	test("is checked, and a late success triggers an immediate poll", async () => {
		const { shop, outcomes, confirm } = await openSilentPage();
		await pass(minute);
		expect(outcomes).toEqual([]);
		shop.replies["fulfill"] = [() => Response.json({ status: "paid" })];
		await confirm(succeeded);
		expect(outcomes).toEqual([paid]);
	});

	test("a confirmation that succeeds while a poll is in flight triggers another poll", async () => {
		const { shop, outcomes, confirm } = await openSilentPage();
		const slow = Promise.withResolvers<Response>();
		shop.replies["fulfill"] = [() => slow.promise, () => Response.json({ status: "paid" })];
		await pass(1000);
		await confirm(succeeded);
		expect(shop.sent("fulfill")).toHaveLength(3);
		expect(outcomes).toEqual([paid]);
	});

	test("a late decline is reported as not charged and stops polling", async () => {
		const { shop, outcomes, confirm, phase } = await openSilentPage();
		await pass(minute);
		await confirm(declined);
		expect(outcomes).toEqual([notBought(declinedNotice)]);
		expect(phase()).toBe("idle");
		const polls = shop.sent("fulfill").length;
		await pass(minute);
		expect(shop.sent("fulfill")).toHaveLength(polls);
	});

	test("a payment with an inconclusive late result is canceled after 15 seconds", async () => {
		const { shop, outcomes, confirm } = await openSilentPage();
		await pass(minute);
		await confirm({ error: { type: "api_connection_error" } });
		await pass(14_999);
		expect(shop.sent("fulfill").some(({ body }) => "cancel" in body)).toBe(false);
		shop.replies["fulfill"] = [() => refusal(409, "canceled")];
		await pass(1);
		expect(outcomes).toEqual([canceled]);
	});

	test("the poll that cancels is sent on time, even if the next poll would be later", async () => {
		const { shop, tab, confirm } = await openSilentPage();
		await confirm({});
		await pass(5000);
		tab.dispatch({ type: "online" });
		await pass(9999);
		expect(shop.sent("fulfill").some(({ body }) => "cancel" in body)).toBe(false);
		await pass(1);
		expect(shop.sent("fulfill").at(-1)?.body).toMatchObject({ cancel: true });
	});

	test("a payment without a result is canceled after two minutes, and a later result is ignored", async () => {
		const { shop, purchase, outcomes, confirm } = await openSilentPage();
		shop.replies["create"] = [() => created("pi_2_secret_2")];
		await pass(2 * minute - 1);
		expect(shop.sent("fulfill").some(({ body }) => "cancel" in body)).toBe(false);
		shop.replies["fulfill"] = [() => refusal(409, "canceled")];
		await pass(1);
		expect(shop.sent("fulfill").at(-1)?.body).toMatchObject({ cancel: true });
		expect(outcomes).toEqual([canceled]);
		await confirm(declined);
		expect(outcomes).toEqual([canceled]);
		expect(purchase()).toMatchObject({ phase: "idle", intent: { clientSecret: "pi_2_secret_2" } });
	});

	test("a payment with an open bank dialog is canceled after 15 minutes", async () => {
		const { shop, outcomes } = await openSilentPage();
		shop.replies["fulfill"] = [() => notPaid("requires_action")];
		await pass(15 * minute - 1);
		expect(shop.sent("fulfill").some(({ body }) => "cancel" in body)).toBe(false);
		expect(outcomes).toEqual([]);
		shop.replies["fulfill"] = [() => refusal(409, "canceled")];
		await pass(1);
		expect(shop.sent("fulfill").at(-1)?.body).toMatchObject({ cancel: true });
		expect(outcomes).toEqual([canceled]);
	});

	test("failed polls never cancel a payment whose bank dialog may be open", async () => {
		const { shop, outcomes } = await openSilentPage();
		shop.replies["fulfill"] = [() => "lost"];
		await pass(5 * minute);
		expect(shop.sent("fulfill").some(({ body }) => "cancel" in body)).toBe(false);
		shop.replies["fulfill"] = [() => notPaid("requires_action"), () => "lost"];
		await pass(5 * minute);
		expect(shop.sent("fulfill").some(({ body }) => "cancel" in body)).toBe(false);
		expect(outcomes).toEqual([]);
	});
});

test("a poll that was sent before a decline and returns canceled after it triggers a request for a new intent", async () => {
	const { shop, purchase, outcomes, buy, confirm } = await openPage();
	const slow = Promise.withResolvers<Response>();
	shop.replies["fulfill"] = [() => slow.promise];
	shop.replies["create"] = [() => created("pi_2_secret_2")];
	await buy();
	await pass(8000);
	await confirm(declined);
	slow.resolve(refusal(409, "canceled"));
	await pass(0);
	expect(outcomes).toEqual([notBought(declinedNotice)]);
	expect(purchase()).toMatchObject({ notice: declinedNotice, intent: { clientSecret: "pi_2_secret_2" } });
});

describe("a reload", () => {
	const bought = { clientSecret: secret, signature: `signed ${secret}`, total, items: [speaker] };

	test("resumes checking a started confirmation and reports the outcome", async () => {
		const { saved, shop, buy } = await openPage();
		expect(saved.entries.size).toBe(0);
		await buy();
		expect([...saved.entries.values()].map((entry) => JSON.parse(entry))).toEqual([bought]);

		shop.replies["fulfill"] = [checking, () => Response.json({ status: "paid" })];
		const { outcomes, phase, purchase } = await openPage({ saved, shop });
		expect(outcomes).toEqual([resumed]);
		expect(phase()).toBe("checking");
		expect(purchase()).toMatchObject({ intent: { clientSecret: secret } });
		await pass(1000);
		expect(outcomes).toEqual([resumed, paid]);
		expect(saved.entries.size).toBe(0);
	});

	test("cancels an unpaid payment after 15 seconds, even if it requires action, because the bank's dialog is gone", async () => {
		const saved = new FakeStorage();
		saved.setItem("purchase", JSON.stringify(bought));
		const shop = new FakeShop();
		shop.replies["fulfill"] = [() => notPaid("requires_action")];
		const { outcomes } = await openPage({ saved, shop });
		await pass(14_999);
		expect(outcomes).toEqual([resumed]);
		shop.replies["fulfill"] = [() => refusal(409, "canceled")];
		await pass(1);
		expect(outcomes.at(-1)).toEqual(canceled);
		expect(saved.entries.size).toBe(0);
	});

	test.each([
		...["", "{", "null", "{}"],
		JSON.stringify({ ...bought, clientSecret: 1 }),
		JSON.stringify({ ...bought, signature: 1 }),
		JSON.stringify({ ...bought, total: "1" }),
		JSON.stringify({ ...bought, items: "1" }),
	])("ignores %j in storage", async (entry) => {
		const saved = new FakeStorage();
		saved.setItem("purchase", entry);
		const { outcomes, phase } = await openPage({ saved });
		expect(outcomes).toEqual([]);
		expect(phase()).toBe("idle");
	});

	test("ignores items without an id", async () => {
		const saved = new FakeStorage();
		saved.setItem("purchase", JSON.stringify({ ...bought, items: [null, 1, {}, { id: 1 }, speaker] }));
		const { outcomes } = await openPage({ saved });
		expect(outcomes.at(-1)).toEqual(paid);
	});

	test("keeps the stored purchase until the page has shown the outcome", async () => {
		const saved = new FakeStorage();
		saved.setItem("purchase", JSON.stringify(bought));
		const { outcomes, phase, showOutcomes } = await openPage({ saved, items: [], isLoading: true });
		expect(phase()).toBe("paid");
		expect(saved.entries.size).toBe(1);
		showOutcomes();
		expect(outcomes).toEqual([paid]);
		expect(saved.entries.size).toBe(0);
	});

	test("purchases succeed if storage is unavailable", async () => {
		const saved = new FakeStorage();
		const unavailable = () => {
			throw new DOMException("Denied", "SecurityError");
		};
		Object.assign(saved, { getItem: unavailable, setItem: unavailable, removeItem: unavailable });
		const { outcomes, buy, confirm } = await openPage({ saved });
		await buy();
		await confirm(succeeded);
		expect(outcomes).toEqual([paid]);
	});
});

describe("a duplicated tab (fault 40)", () => {
	/** Opens a page whose confirmation has been open for eight seconds, and a copy of its tab. */
	async function openCopy() {
		const page = await openPage();
		page.shop.replies["fulfill"] = [() => notPaid("requires_action")];
		await page.buy();
		await pass(8000);
		const saved = new FakeStorage();
		for (const [key, value] of page.saved.entries) saved.setItem(key, value);
		const shop = new FakeShop();
		shop.replies["fulfill"] = [() => notPaid("requires_action")];
		return { page, copy: await openPage({ shop, saved, locks: page.locks }) };
	}

	test("checks the payment and never cancels it", async () => {
		const { copy } = await openCopy();
		await pass(60 * minute);
		expect(copy.shop.sent("fulfill").length).toBeGreaterThan(100);
		expect(copy.shop.sent("fulfill").some(({ body }) => "cancel" in body)).toBe(false);
		expect(copy.outcomes).toEqual([resumed]);
		copy.shop.replies["fulfill"] = [() => Response.json({ status: "paid" })];
		await pass(30_000);
		expect(copy.outcomes).toEqual([resumed, paid]);
	});

	test("reports a decline in the other tab only once the payment is canceled", async () => {
		const { page, copy } = await openCopy();
		await page.confirm(declined);
		copy.shop.replies["fulfill"] = [() => notPaid("requires_payment_method")];
		await pass(5 * minute);
		expect(copy.outcomes).toEqual([resumed]);
		copy.shop.replies["fulfill"] = [() => refusal(409, "canceled")];
		await pass(30_000);
		expect(copy.outcomes).toEqual([resumed, canceled]);
	});

	test("cancels the payment 15 seconds after the other tab was closed", async () => {
		const { page, copy } = await openCopy();
		await pass(minute);
		page.close();
		const closedAt = Date.now();
		await pass(minute);
		const [canceling] = copy.shop.sent("fulfill").filter(({ body }) => "cancel" in body);
		expect(canceling?.at).toBeGreaterThanOrEqual(closedAt + 15_000);
	});

	test("never cancels the payment if the browser denies access to locks", async () => {
		const { saved, buy } = await openPage();
		await buy();
		const shop = new FakeShop();
		shop.replies["fulfill"] = [() => notPaid("requires_action")];
		const locks = { request: async () => Promise.reject(new DOMException("Denied", "SecurityError")) };
		runPayments(createTab(), { fetch: shop.fetch, saved, locks });
		await pass(60 * minute);
		expect(shop.sent("fulfill").length).toBeGreaterThan(100);
		expect(shop.sent("fulfill").some(({ body }) => "cancel" in body)).toBe(false);
	});
});

test("a purchase whose outcome is not shown yet stays stored, and a new attempt replaces it", async () => {
	const { saved, tab, buy, confirm } = await openPage({ isLoading: true });
	await buy();
	await confirm(declined);
	expect(saved.entries.size).toBe(1);
	await buy();
	expect(tab.getState().outcome).toBeNull();
	expect([...saved.entries.values()].map((entry) => JSON.parse(entry).items)).toEqual([[speaker]]);
});
