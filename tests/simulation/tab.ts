import * as z from "zod/mini";
import { runPurchases } from "#app/checkout/purchase-work.ts";
import { savePurchase } from "#app/checkout/saved-purchase.ts";
import { type BasketItem, basketTotal } from "#app/tab/basket.ts";
import { guest } from "#app/tab/owner.ts";
import { canBuy, isPaying } from "#app/tab/purchase.ts";
import { createTab, type Tab as ShopTab } from "#app/tab/tab.ts";
import type { TabState as PageState } from "#app/tab/tab-state.ts";
import type { Browser } from "./browser.ts";
import type { Sentence } from "./monitor.ts";
import { currentScope } from "./scope.ts";
import { paths } from "./shop.ts";
import { confirmCardPayment, idOf, type Payer } from "./stripe-js.ts";
import type { World } from "./world.ts";

const createdShape = z.object({ clientSecret: z.string(), signature: z.string() });

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
	readonly #browser: Browser;
	/** The tab's sessionStorage. */
	readonly #stored: Map<string, string>;
	readonly state: TabState;
	#tab: ShopTab | undefined;
	/** The response to the first create request, if the tab starts with an intent. */
	#given: string | null;
	#intent = "";

	constructor(world: World, name: string, browser: Browser, state: TabState, stored = new Map<string, string>()) {
		this.#world = world;
		this.#name = name;
		this.#browser = browser;
		this.#stored = stored;
		this.state = { ...state };
		this.#given = state.created && JSON.stringify(state.created);
		if (state.created) this.#keep(state.created);
	}

	/** Opens the payment page. Resolves to whether Buy Now is enabled. */
	async prepare(): Promise<boolean> {
		const tab = this.#open();
		tab.dispatch({ type: "SET_USER", user: this.state.user });
		if (tab.getState().basket !== this.state.basket) {
			tab.dispatch({ type: "form_left" });
			tab.dispatch({ type: "EMPTY_BASKET" });
			for (const item of this.state.basket) tab.dispatch({ type: "ADD_TO_BASKET", item });
			this.state.basket = tab.getState().basket;
		}
		tab.dispatch({ type: "form_shown" });
		await this.#until(({ purchase }) => this.#canBuy || isPaying(purchase) || this.#failure !== null);
		return this.#canBuy;
	}

	get #canBuy(): boolean {
		const { purchase, basket } = this.#open().getState();
		return canBuy(purchase, basketTotal(basket));
	}

	get #failure(): string | null {
		const { purchase } = this.#open().getState();
		return purchase.phase === "idle" ? purchase.failure : null;
	}

	/** Clicks Buy Now. Resolves when it is enabled again or the payment is finished. */
	async buy(payer: Payer = { card: "pm_card_visa" }): Promise<void> {
		if (!(await this.prepare())) return;
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
			const intent = { ...created, total: basketTotal(basket), attempt: 1, items: basket, owner: guest, round: 0 };
			savePurchase(this.#storage, intent);
		}
		await this.resume();
	}

	/** Opens the page. Resolves when the outcome of the payment in progress, if any, is shown. */
	async resume(): Promise<void> {
		await this.#until(({ purchase }) => !isPaying(purchase));
	}

	/** Reloads the page. Its code stops, but requests that it has already sent continue. Returns the new page. */
	async reload(): Promise<Tab> {
		const { scheduler } = this.#world;
		await scheduler.call(currentScope(), {
			label: () => "the shopper reloads the page",
			touches: null,
			make: () => {
				const page = [...scheduler.scopes].find(({ name }) => name === this.#name);
				if (page?.alive) scheduler.kill(page);
			},
		});
		return this.#withStorage(this.#name, this.#stored);
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

	#withStorage(name: string, stored: Map<string, string>): Tab {
		return new Tab(this.#world, name, this.#browser, { ...this.state, basket: [], created: null }, stored);
	}

	/** Places the order. Returns the HTTP status, or 0 for a network error. */
	async tryToPlace(): Promise<number> {
		const { basket, created, user } = this.state;
		const productIds = basket.map(({ id }) => id);
		const body = JSON.stringify({ ...created, productIds, customer: user?.id ?? null });
		const init = { method: "POST", headers: { "Content-Type": "application/json" }, body };
		return this.#browser.fetch(paths.place, init).then(
			({ status }) => status,
			() => 0,
		);
	}

	/** Confirms the card, as the page does after placing the order. */
	async confirm(payer: Payer = { card: "pm_card_visa" }): Promise<void> {
		await confirmCardPayment(this.#world, payer, this.#name)(this.state.created?.clientSecret ?? "");
	}

	/** Confirms the card outside the payment page. */
	confirmElsewhere(): Promise<void> {
		this.#world.monitor.confirmsElsewhere(idOf(this.state.created?.clientSecret ?? ""));
		return this.confirm();
	}

	/** Whether the page shows "not charged". */
	get isNotCharged(): boolean {
		return this.#world.monitor.tab(this.#name).reads?.sentence === "not charged";
	}

	get #storage() {
		return {
			getItem: (key: string) => this.#stored.get(key) ?? null,
			setItem: (key: string, value: string) => void this.#stored.set(key, value),
			removeItem: (key: string) => void this.#stored.delete(key),
		};
	}

	#open(): ShopTab {
		if (this.#tab) return this.#tab;
		const view = this.#world.monitor.tab(this.#name);
		const page = currentScope();
		view.open = true;
		page.onDeath = () => {
			view.open = false;
			this.#browser.releaseLocks(page);
		};
		const tab = createTab();
		this.#tab = tab;
		tab.subscribe(() => this.#read(tab.getState()));
		runPurchases(tab, { fetch: this.#fetch, saved: this.#storage, lock: this.#browser.lockOf(page) });
		this.#read(tab.getState());
		return tab;
	}

	readonly #fetch: typeof fetch = async (input, init) => {
		const given = this.#given;
		this.#given = null;
		if (given && String(input).startsWith(paths.create)) return new Response(given);
		if (String(init?.body).includes('"cancel":true')) this.#world.monitor.cancels(this.#name, this.#intent);
		const response = await this.#browser.fetch(input, init);
		const created = createdShape.safeParse(await response.clone().json()).data;
		if (created) this.#keep(created);
		return response;
	};

	#keep(created: TabState["created"]): void {
		this.state.created = created;
		if (created) this.#world.monitor.tab(this.#name).intents.add(idOf(created.clientSecret));
	}

	/** Reports to the monitor what the page shows, and shows the outcome of a purchase. */
	#read({ purchase, outcome, basket }: PageState): void {
		this.#world.monitor.tab(this.#name).isPaying = isPaying(purchase);
		if (purchase.intent) this.#intent = idOf(purchase.intent.clientSecret);
		if (purchase.phase === "checking") this.#shows("checking");
		if (purchase.phase === "idle" && purchase.intent && purchase.failure?.includes("not been charged"))
			this.#shows("not charged");
		if (!outcome) return;
		this.state.basket = basket;
		if (outcome.type === "paid") {
			this.#shows("paid");
			this.#world.monitor.emptiesBasket(this.#name, outcome.order.id);
		} else if (outcome.type === "not_bought") {
			this.#shows(outcome.notice.includes("refunded") ? "refunded" : "not charged");
			if (outcome.identityChanged) this.state.user = this.#browser.customer;
		}
		this.#open().dispatch({ type: "outcome_shown" });
	}

	#shows(sentence: Sentence): void {
		this.#world.monitor.shows(this.#name, this.#intent, sentence);
	}

	/** Resolves when the condition holds and the outcome has been shown. */
	#until(condition: (state: PageState) => boolean): Promise<void> {
		const tab = this.#open();
		return new Promise((resolve) => {
			const check = () => {
				if (!condition(tab.getState())) return;
				stop();
				resolve();
			};
			const stop = tab.subscribe(check);
			check();
		});
	}
}
