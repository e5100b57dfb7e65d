import { vi } from "vitest";
import { currency } from "#app/brand.ts";
import type { lock as acquire } from "#app/checkout/lock.ts";
import { runPurchases } from "#app/checkout/purchase-work.ts";
import type { BasketItem } from "#app/tab/basket.ts";
import type { Confirmation } from "#app/tab/purchase.ts";
import { openTab } from "#app/tab/tab.ts";
import type { TabState } from "#app/tab/tab-state.ts";

export const speaker = { id: "1", title: "Smart speaker", priceCents: 9899, rating: 5, image: "/1.webp" };
export const mixer = { id: "2", title: "Stand mixer", priceCents: 23900, rating: 4, image: "/2.webp" };
export const book = { id: "3", title: "Book", priceCents: 500, rating: 4, image: "/3.webp" };
export const total = 9899;
export const secret = "pi_1_secret_1";
export const minute = 60_000;

type Reply = Response | Error | "lost" | Promise<Response>;

interface Sent {
	path: string;
	method: unknown;
	headers: unknown;
	body: Record<string, unknown>;
	at: number;
}

/** A fake shop with a queue of responses per path. Repeats the last response of a queue. */
export class FakeShop {
	readonly requests: Sent[] = [];
	readonly replies: Record<string, (() => Reply)[]> = {
		create: [() => created(secret), () => created("pi_2_secret_2")],
		place: [() => Response.json({ status: "placed" })],
		fulfill: [fulfilled],
	};

	/** The address that a browser's extension blocks. */
	blocked: string | undefined;

	readonly fetch: typeof fetch = async (url, init) => {
		init?.signal?.throwIfAborted();
		const [, address = ""] = /^\/payments\/(\w+)/.exec(String(url)) ?? [];
		// polls have two addresses
		const path = address === "outcome" ? "fulfill" : address;
		const body = typeof init?.body === "string" ? JSON.parse(init.body) : { url };
		this.requests.push({ path, method: init?.method, headers: init?.headers, body, at: Date.now() });
		if (address === this.blocked) throw new TypeError("Failed to fetch");
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

	/** The requests that cancel the payment. */
	get cancels() {
		return this.sent("fulfill").filter(({ body }) => body["cancel"]);
	}
}

export class FakeStorage {
	readonly entries: Map<string, string>;

	constructor(entries: Iterable<[string, string]> = []) {
		this.entries = new Map(entries);
	}

	getItem = (key: string) => this.entries.get(key) ?? null;
	setItem = (key: string, value: string) => void this.entries.set(key, value);
	removeItem = (key: string) => void this.entries.delete(key);

	/** The payment that a reload would resume. */
	get payment(): unknown {
		return JSON.parse(this.getItem("tab") ?? "{}").payment;
	}
}

/** Web Locks that several tabs share. A lock is held until its tab is closed. */
class FakeLocks {
	/** The requests of each lock, first the tab that holds it. */
	readonly #locks = new Map<string, { tab: object; grant: () => void }[]>();

	/** Returns the `lock` of one tab. */
	of(tab: object): typeof acquire {
		return (name, _mayLeave, { steal = false } = {}) =>
			new Promise((grant) => {
				const requests = this.#locks.get(name) ?? [];
				this.#locks.set(name, requests);
				if (steal) requests.splice(0, 1, { tab, grant });
				else requests.push({ tab, grant });
				if (requests[0]?.grant === grant) grant();
			});
	}

	close(tab: object): void {
		for (const [name, requests] of this.#locks) {
			const left = requests.filter((request) => request.tab !== tab);
			this.#locks.set(name, left);
			if (requests[0] !== left[0]) left[0]?.grant();
		}
	}
}

export const created = (clientSecret: string) => Response.json({ clientSecret, signature: `signed ${clientSecret}` });
export const refusal = (status: number, code: string, more = {}) =>
	Response.json({ error: { code, message: `Because of ${code}.` }, ...more }, { status });
export const notPaid = (intentStatus: string) => refusal(409, "not_paid", { intentStatus });
export const checking = () => Response.json({ status: "checking" }, { status: 202 });
export const declined = { error: { type: "card_error", code: "card_declined", message: "Your card was declined." } };
export const declinedNotice = "Your card was declined. Nothing was charged; try another card.";
export const notBought = (text: string) => ({ type: "not_bought", text, identityChanged: false });
export const canceled = notBought("Your payment did not go through. You have not been charged.");
export const resumed = { type: "resumed" };
export const buyer = "u1";
export const order = { id: "pi_1", amount: total, currency, created: 1_764_000_000, items: [speaker], buyer };
export const paid = { type: "paid", order };
/** The response for a paid order. */
export const fulfilled = () => Response.json({ status: "paid", created: order.created });

/** Opens a payment page with these items in the basket, whose outcomes are shown unless `isLoading`. */
export async function openPage({
	shop = new FakeShop(),
	saved = new FakeStorage(),
	locks = new FakeLocks(),
	lock = undefined as typeof acquire | undefined,
	items = [speaker],
	isLoading = false,
	loadDocument = vi.fn<() => void>() as (() => void) | null,
} = {}) {
	const page = {};
	const tab = openTab(saved, vi.fn());
	tab.dispatch({ type: "buyer_changed", buyer });
	const outcomes: NonNullable<TabState["outcome"]>[] = [];
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
	runPurchases({ tab, fetch: shop.fetch, lock: lock ?? locks.of(page), loadDocument });
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
	tab.dispatch({ type: "SET_USER", user: { id: buyer, email: "ada@example.com" } });
	await fill(...items);
	return {
		shop,
		saved,
		tab,
		loadDocument,
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

/** Opens a page whose shop sends these responses, and clicks Buy Now. */
export async function openPaying(replies: FakeShop["replies"] = {}) {
	const page = await openPage();
	Object.assign(page.shop.replies, replies);
	await page.buy();
	return page;
}

/** Advances the fake clock and runs due timers. */
export async function pass(milliseconds: number): Promise<void> {
	await vi.advanceTimersByTimeAsync(milliseconds);
}

export const succeeded = { paymentIntent: { status: "succeeded" } };
