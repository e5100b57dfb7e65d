import * as z from "zod/mini";
import { type BasketItem, basketTotal } from "#app/basket/basket.ts";
import { withoutPaid } from "#app/checkout/basket-changes.ts";
import { type Checkout, createCheckout, type Outcome } from "#app/checkout/checkout.ts";
import { savePurchase } from "#app/checkout/saved-purchase.ts";
import type { Browser } from "./browser.ts";
import type { Sentence } from "./monitor.ts";
import { currentScope } from "./scope.ts";
import { paths } from "./shop.ts";
import { idOf, type Payer, stripeJs } from "./stripe-js.ts";
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
	/** The tab's sessionStorage, which a reload keeps and a duplicate copies. */
	readonly #stored: Map<string, string>;
	readonly state: TabState;
	#checkout: Checkout | undefined;
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

	/** Opens the payment page or changes its total. Resolves to whether Buy Now is enabled. */
	async prepare(): Promise<boolean> {
		const checkout = this.#open();
		const total = basketTotal(this.state.basket);
		checkout.prepare(total);
		await this.#until(() => {
			const state = checkout.getState();
			return checkout.canBuy(total) || checkout.isPaying() || (state.phase === "idle" && state.failure !== null);
		});
		return checkout.canBuy(total);
	}

	/** Clicks Buy Now. Resolves when it is enabled again or the payment is finished. */
	async buy(payer: Payer = { card: "pm_card_visa" }): Promise<void> {
		if (!(await this.prepare())) return;
		const checkout = this.#open();
		const { basket, user } = this.state;
		const stripe = stripeJs(this.#world, payer, this.#name);
		checkout.buy({ stripe, card: JSON.parse("{}"), items: basket, customer: user });
		await this.#until(() => !checkout.isPaying());
	}

	/** Buys, and retries once if the page shows "not charged". */
	async buyTwice(payer?: Payer): Promise<void> {
		await this.buy(payer);
		if (this.isNotCharged) await this.buy(payer);
	}

	/** Reloads the page while a payment is in progress. */
	async returnToShop(): Promise<void> {
		const { basket, created } = this.state;
		if (created) {
			const intent = { ...created, total: basketTotal(basket), attempt: 1, items: basket };
			savePurchase(this.#storage, intent);
		}
		await this.resume();
	}

	/** Reloads the page. Resolves when the outcome of the payment in progress, if any, is shown. */
	async resume(): Promise<void> {
		const checkout = this.#open();
		await this.#until(() => !checkout.isPaying());
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
		await stripeJs(this.#world, payer, this.#name).confirmCardPayment(this.state.created?.clientSecret ?? "");
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

	#open(): Checkout {
		if (this.#checkout) return this.#checkout;
		const view = this.#world.monitor.tab(this.#name);
		const page = currentScope();
		view.open = true;
		page.onDeath = () => {
			view.open = false;
			this.#browser.releaseLocks(page);
		};
		const locks = this.#browser.locksOf(page);
		const checkout = createCheckout({ fetch: this.#fetch, saved: this.#storage, locks });
		checkout.subscribe(() => this.#read(checkout));
		checkout.onOutcome((outcome) => this.#act(outcome));
		this.#read(checkout);
		this.#checkout = checkout;
		return checkout;
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

	/** Reports to the monitor what the payment page shows. */
	#read(checkout: Checkout): void {
		const state = checkout.getState();
		this.#world.monitor.tab(this.#name).isPaying = checkout.isPaying();
		if (state.phase !== "paid" && state.intent) this.#intent = idOf(state.intent.clientSecret);
		if (state.phase === "checking") this.#shows("checking");
		if (state.phase === "idle" && state.intent && state.failure?.includes("not been charged"))
			this.#shows("not charged");
	}

	#act(outcome: Outcome): void {
		if (outcome.type === "paid") {
			this.#shows("paid");
			this.#world.monitor.emptiesBasket(this.#name, outcome.orderId);
			this.state.basket = withoutPaid(this.state.basket, outcome.items);
		} else if (outcome.type === "not_bought") {
			this.#shows(outcome.notice.includes("refunded") ? "refunded" : "not charged");
			if (outcome.basket) this.state.basket = outcome.basket;
			if (outcome.identityChanged) this.state.user = this.#browser.customer;
		}
	}

	#shows(sentence: Sentence): void {
		this.#world.monitor.shows(this.#name, this.#intent, sentence);
	}

	/** Resolves when the condition holds and the outcome has been handled. */
	#until(condition: () => boolean): Promise<void> {
		const checkout = this.#open();
		return new Promise((resolve) => {
			const check = () => {
				if (!condition()) return;
				stop();
				resolve();
			};
			const stop = checkout.subscribe(check);
			check();
		});
	}
}
