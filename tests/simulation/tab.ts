import * as z from "zod/mini";
import { currency } from "#app/brand.ts";
import { runPurchases } from "#app/checkout/purchase-work.ts";
import { type BasketItem, basketTotal } from "#app/tab/basket.ts";
import { guest } from "#app/tab/buyer.ts";
import { canBuy, idle, isPaying, mustStay } from "#app/tab/purchase.ts";
import { textOf, writeSaved } from "#app/tab/saved.ts";
import { openTab, type Tab as ShopTab } from "#app/tab/tab.ts";
import { emptyTab, type TabState as PageState } from "#app/tab/tab-state.ts";
import type { Browser } from "./browser.ts";
import type { Sentence } from "./monitor.ts";
import { currentScope, type Scope } from "./scope.ts";
import { paths } from "./shop.ts";
import { confirmCardPayment, idOf, type Payer } from "./stripe-js.ts";
import type { World } from "./world.ts";

const createdShape = z.object({ clientSecret: z.string(), signature: z.string() });
const responseShape = z.object({
	status: z.optional(z.string()),
	intentStatus: z.optional(z.string()),
	error: z.optional(z.object({ code: z.string() })),
});

/** The initial state of a tab. */
export interface TabState {
	basket: BasketItem[];
	/** The response to the tab's create request. */
	created: z.infer<typeof createdShape> | null;
	user: { id: string; email: string } | null;
}

/** A simulated tab that makes purchases with the payment page's state machine. */
export class Tab {
	readonly #world: World;
	readonly #name: string;
	readonly browser: Browser;
	/** The tab's sessionStorage. */
	readonly #stored: Map<string, string>;
	readonly state: TabState;
	/** The currency in which the tab's build shows prices. */
	currency = currency;
	/** The store of the current document. */
	#tab: ShopTab | undefined;
	/** The code of the page. */
	#page: Scope | undefined;
	readonly #listeners = new Set<() => void>();
	/** What must be in the basket when the next document opens, if another document precedes it. */
	#expected: BasketItem[] | null = null;
	/** Whether the next document is a reload. */
	#isReload = false;
	/** Whether the first request, if it creates an intent, returns the one with which the tab starts. */
	#hasIntent: boolean;
	#intent = "";

	constructor(world: World, name: string, browser: Browser, state: TabState, stored = new Map<string, string>()) {
		this.#world = world;
		this.#name = name;
		this.browser = browser;
		this.#stored = stored;
		this.state = { ...state };
		this.#hasIntent = state.created !== null;
		if (state.created) this.#keep(state.created);
	}

	/** The id of the PaymentIntent. */
	get id(): string {
		return idOf(this.state.created?.clientSecret ?? "");
	}

	/** Opens the payment page. Resolves to whether Buy Now is enabled. */
	async prepare(): Promise<boolean> {
		const tab = this.#open();
		tab.dispatch({ type: "SET_USER", user: this.state.user });
		tab.dispatch({ type: "buyer_changed", buyer: this.state.user?.id ?? guest });
		if (tab.getState().basket !== this.state.basket) {
			tab.dispatch({ type: "form_left" });
			tab.dispatch({ type: "EMPTY_BASKET" });
			for (const item of this.state.basket) tab.dispatch({ type: "ADD_TO_BASKET", item });
			this.state.basket = tab.getState().basket;
		}
		tab.dispatch({ type: "form_shown" });
		const isEnabled = (state: PageState) => canBuy(state.purchase, state);
		const hasFailed = ({ purchase }: PageState) => purchase.phase === "idle" && purchase.request?.hasFailed === true;
		await this.#until((state) => isEnabled(state) || isPaying(state.purchase) || hasFailed(state));
		return isEnabled(this.#open().getState());
	}

	/** Clicks Buy Now. Resolves when it is enabled again or the payment is finished. */
	async buy(payer: Payer = { card: "pm_card_visa" }): Promise<void> {
		if (!(await this.prepare())) return;
		const shown = { amount: basketTotal(this.state.basket), currency: this.currency };
		this.#world.monitor.tab(this.#name).shown = shown;
		this.#open().dispatch({ type: "buy", confirm: confirmCardPayment(this.#world, payer, this.#name) });
		await this.#until(({ purchase }) => !isPaying(purchase));
	}

	/** Buys, and retries once if the page shows "not charged". */
	async buyTwice(payer?: Payer): Promise<void> {
		await this.buy(payer);
		if (this.isNotCharged) await this.buy(payer);
	}

	/** Opens the page while its payment is in progress. */
	async returnToShop(): Promise<void> {
		const { basket, created } = this.state;
		if (created) {
			const bought = { items: basket, buyer: guest, currency, total: basketTotal(basket) };
			const payment = { ...created, ...bought, round: 0 };
			writeSaved(this.#storage, textOf({ ...emptyTab, payment }));
		}
		await this.resume();
	}

	/** Opens the page. Resolves when the outcome of the payment in progress, if any, is shown. */
	async resume(): Promise<void> {
		await this.#until(({ purchase }) => !isPaying(purchase));
	}

	/** Reloads the page. Its code stops, but requests that it has already sent continue. Returns the new page, whose
	 *  basket is empty. */
	async reload(): Promise<Tab> {
		const next = await this.#leave("the shopper reloads the page", []);
		next.#isReload = true;
		return next;
	}

	/** Loads a document as the shop does, which takes the basket over. Returns the new page. */
	loadDocument(): Promise<Tab> {
		return this.#leave("the shop loads a document");
	}

	async #leave(label: string, basket?: BasketItem[]): Promise<Tab> {
		const { scheduler } = this.#world;
		let left = this.state.basket;
		await scheduler.call(currentScope(), {
			label: () => label,
			touches: null,
			make: () => {
				const tab = this.#tab?.getState();
				if (!basket) this.#tab?.handOver();
				left = basket ?? tab?.basket ?? [];
				const page = [...scheduler.scopes].find(({ name }) => name === this.#name);
				if (page?.alive) scheduler.kill(page);
			},
		});
		return this.#withStorage(this.#name, this.#stored, left);
	}

	/** Returns the page of another document of this tab, which `showAfter` opens. */
	later(): Tab {
		return this.#withStorage(this.#name, this.#stored);
	}

	/** Shows this page's document in place of another one, which the browser keeps as it is: another document of the tab,
	 *  which takes the basket over if `handsOver`, or the one that was shown before. */
	async showAfter(other: Tab, handsOver = false): Promise<void> {
		const label = this.#tab ? "the shopper goes back" : "another document opens";
		await this.#world.scheduler.call(currentScope(), {
			label: () => label,
			touches: null,
			ready: () => other.#page?.frozen === false && this.#page?.frozen !== false,
			make: () => {
				const left = other.#tab?.getState();
				if (handsOver) other.#tab?.handOver();
				this.#expected = handsOver && left ? left.basket : [];
				other.#freeze();
				if (this.#page) this.#showAgain(this.#page);
			},
		});
		if (!this.#page) this.#open();
	}

	#freeze(): void {
		if (!this.#page || !this.#tab) return;
		this.#page.frozen = true;
		if (!mustStay(this.#tab.getState().purchase)) this.browser.releaseLocks(this.#page);
	}

	/** Shows the document again that the browser has kept. It must know what the other one has left. */
	#showAgain(page: Scope): void {
		const left = this.#stored.get("tab") ?? "{}";
		page.frozen = false;
		page.note(left);
		page.run(() => {
			const tab = this.#open();
			tab.dispatch({ type: "online" });
			this.state.basket = tab.getState().basket;
			this.#world.monitor.opensWith(this.#name, this.state.basket, JSON.parse(left).basket ?? []);
			this.#read(tab.getState());
		});
	}

	/** Goes from another document to this one, waits for the outcome of the payment in progress, and buys what is then in
	 *  the basket. */
	async buyAfter(other: Tab): Promise<void> {
		await this.showAfter(other);
		const page = this.#page;
		if (!page) return;
		page.done = false;
		await page.run(async () => {
			await this.resume();
			this.state.basket = this.#open().getState().basket;
			if (this.state.basket.length > 0) await this.buy();
		});
		page.done = true;
	}

	/** Duplicates the tab as soon as its sessionStorage contains a purchase. */
	async duplicate(name: string): Promise<Tab> {
		await this.#world.scheduler.call(currentScope(), {
			label: () => "the shopper duplicates the tab",
			touches: null,
			ready: () => this.#stored.size > 0,
			make: () => undefined,
		});
		return this.#withStorage(name, new Map(this.#stored));
	}

	#withStorage(name: string, stored: Map<string, string>, basket: BasketItem[] = []): Tab {
		const tab = new Tab(this.#world, name, this.browser, { ...this.state, basket, created: null }, stored);
		tab.#expected = basket;
		return tab;
	}

	/** Places the order. `changed` replaces parts of the request. */
	tryToPlace(changed: { productIds?: string[]; signature?: string } = {}) {
		const { basket, user } = this.state;
		const productIds = basket.map(({ id }) => id);
		return this.#post(paths.place, { productIds, customer: user?.id ?? null, ...changed });
	}

	tryToFulfill() {
		return this.#post(paths.fulfill, {});
	}

	/** Returns the HTTP status, or 0 for a network error, and the status or the error's code in the response. */
	async #post(path: string, fields: object) {
		const body = JSON.stringify({ ...this.state.created, ...fields });
		const init = { method: "POST", headers: { "Content-Type": "application/json" }, body };
		const response = await this.browser.fetch(path, init).catch(() => null);
		if (!response) return { status: 0 };
		const { error, status, intentStatus } = responseShape.parse(await response.json());
		return { status: response.status, outcome: error?.code ?? status, intentStatus };
	}

	/** Confirms the card, as the page does after placing the order. */
	async confirm(payer: Payer = { card: "pm_card_visa" }): Promise<void> {
		await confirmCardPayment(this.#world, payer, this.#name)(this.state.created?.clientSecret ?? "");
	}

	/** Confirms the card outside the payment page. */
	confirmElsewhere(): Promise<void> {
		this.#world.monitor.confirmsElsewhere(this.id);
		return this.confirm();
	}

	/** Whether the page shows "not charged". */
	get isNotCharged(): boolean {
		return this.#world.monitor.tab(this.#name).reads?.sentence === "not charged";
	}

	get #storage() {
		return {
			getItem: (key: string) => this.#stored.get(key) ?? null,
			setItem: (key: string, value: string) => void this.#stored.set(key, this.#inCurrency(value)),
			removeItem: (key: string) => void this.#stored.delete(key),
		};
	}

	#open(): ShopTab {
		if (this.#tab) return this.#tab;
		const view = this.#world.monitor.tab(this.#name);
		const page = currentScope();
		this.#page = page;
		view.open = true;
		page.onDeath = () => {
			view.open = false;
			this.browser.releaseLocks(page);
		};
		return this.#load(page);
	}

	/** Opens a document, which takes over what the previous one has saved. */
	#load(page: Scope): ShopTab {
		const loadDocument = () => {
			tab.handOver();
			this.#expected = tab.getState().basket;
			this.#isReload = false;
			this.browser.releaseLocks(page);
			this.#load(page);
		};
		const opened = openTab(this.#storage, loadDocument, this.#isReload);
		// the previous document's code has stopped
		const isShown = () => this.#tab === tab;
		const tab: ShopTab = { ...opened, dispatch: (event) => void (isShown() && opened.dispatch(event)) };
		this.#tab = tab;
		tab.subscribe(() => {
			if (!isShown()) return;
			this.#read(tab.getState());
			for (const listener of this.#listeners) listener();
		});
		const { basket } = tab.getState();
		if (this.#expected) {
			this.#world.monitor.opensWith(this.#name, basket, this.#expected);
			this.state.basket = basket;
		}
		runPurchases({ tab, fetch: this.#fetch, lock: this.browser.lockOf(page), loadDocument });
		this.#read(tab.getState());
		return tab;
	}

	readonly #fetch: typeof fetch = async (input, init) => {
		const hasIntent = this.#hasIntent;
		this.#hasIntent = false;
		if (hasIntent && String(input).startsWith(paths.create)) return Response.json(this.state.created);
		if (String(init?.body).includes('"cancel":true')) this.#world.monitor.cancels(this.#name, this.#intent);
		const { headers, body, ...others } = init ?? {};
		const shown = {
			headers: new Headers(headers),
			...(body && { body: this.#inCurrency(String(body)) }),
		};
		shown.headers.set("currency", this.currency);
		const response = await this.browser.fetch(input, { ...others, ...shown });
		const created = createdShape.safeParse(await response.clone().json()).data;
		if (created) this.#keep(created);
		return response;
	};

	/** Returns what a build with the tab's currency would send or save. */
	#inCurrency(text: string): string {
		return text.replaceAll(/(?<="currency":")[a-z]+/g, this.currency);
	}

	#keep(created: TabState["created"]): void {
		this.state.created = created;
		if (created) this.#world.monitor.tab(this.#name).intents.add(idOf(created.clientSecret));
	}

	/** Reports to the monitor what the page shows, and shows the outcome of a purchase. */
	#read({ purchase, outcome, basket }: PageState): void {
		this.#world.monitor.tab(this.#name).isPaying = isPaying(purchase);
		if (purchase.intent) this.#intent = idOf(purchase.intent.clientSecret);
		if (purchase.phase === "checking") this.#shows("checking");
		const { request, message } = purchase.phase === "idle" ? purchase : idle;
		if (purchase.intent && request?.hasFailed && message?.text.includes("not been charged")) this.#shows("not charged");
		if (!outcome) return;
		this.state.basket = basket;
		if (outcome.type === "paid") {
			this.#shows("paid");
			const { id, items } = outcome.order;
			const kept = basket.filter((item) => items.some(({ id }) => id === item.id));
			this.#world.monitor.emptiesBasket(this.#name, id, kept);
		} else if (outcome.type === "not_bought") {
			this.#shows(outcome.text.includes("refunded") ? "refunded" : "not charged");
			if (outcome.identityChanged) this.state.user = this.browser.customer;
		}
		this.#open().dispatch({ type: "outcome_shown" });
	}

	#shows(sentence: Sentence): void {
		this.#world.monitor.shows(this.#name, this.#intent, sentence);
	}

	/** Resolves when the condition holds and the outcome has been shown. */
	#until(condition: (state: PageState) => boolean): Promise<void> {
		return new Promise((resolve) => {
			const check = () => {
				if (!condition(this.#open().getState())) return;
				this.#listeners.delete(check);
				resolve();
			};
			this.#listeners.add(check);
			check();
		});
	}
}
