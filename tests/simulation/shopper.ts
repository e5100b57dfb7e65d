import * as z from "zod/mini";
import { type BasketItem, basketTotal, withoutPaid } from "#app/basket/basket.ts";
import { type Bought, buy } from "#app/payments/buy.ts";
import { askForIntent, outcomeOf } from "#app/payments/payment-api.ts";
import type { Browser } from "./browser.ts";
import type { Sentence } from "./invariants.ts";
import { currentScope } from "./scope.ts";
import { idOf, type Payer, stripeJs } from "./stripe-js.ts";
import type { World } from "./world.ts";

/** What a tab keeps in memory. */
export interface TabState {
	basket: BasketItem[];
	clientSecret: string | null;
	/** As create returned it. */
	signature?: string;
	user: { id: string; email: string } | null;
}

/** A tab that buys, by the rules of the payment page's hooks. */
export class Tab {
	readonly #world: World;
	readonly #name: string;
	readonly #browser: Browser;
	readonly state: TabState;

	constructor(world: World, name: string, browser: Browser, state: TabState) {
		this.#world = world;
		this.#name = name;
		this.#browser = browser;
		this.state = { ...state };
		this.#keep(state.clientSecret);
	}

	/** The payment page opens, or its total has changed: asks for an intent. False when an earlier payment is running. */
	async prepare(): Promise<boolean> {
		this.#connect();
		const never = new AbortController().signal;
		const asked = await askForIntent(basketTotal(this.state.basket), this.state.clientSecret, never);
		if ("clientSecret" in asked) {
			this.#keep(asked.clientSecret);
			return true;
		}
		if ("inProgress" in asked) await this.#check();
		return false;
	}

	/** Buy Now. */
	async buy(payer: Payer = { card: "pm_card_visa" }): Promise<void> {
		this.#connect();
		const { basket, clientSecret, user } = this.state;
		if (!clientSecret) return;
		const bought = await buy({
			stripe: stripeJs(this.#world, payer),
			card: JSON.parse("{}"),
			clientSecret,
			productIds: basket.map(({ id }) => id),
			customer: user,
		});
		await this.#finish(bought, basket);
	}

	/** Places the order as a first attempt, whatever comes of it. Returns the HTTP status. */
	async tryToPlace(): Promise<number> {
		this.#connect();
		const { basket, clientSecret, signature, user } = this.state;
		const productIds = basket.map(({ id }) => id);
		const body = JSON.stringify({ clientSecret, signature, attempt: 1, productIds, customer: user?.id ?? null });
		const init = { method: "POST", headers: { "Content-Type": "application/json" }, body };
		return this.#fetch("/payments/place", init).then(
			({ status }) => status,
			() => 0,
		);
	}

	/** Places the order; throws when it cannot. */
	async place(): Promise<void> {
		const status = await this.tryToPlace();
		if (status !== 200) throw new Error(`The order was not placed: ${status}.`);
	}

	/** Places the order and confirms the card, and never comes back. */
	async placeAndConfirm(payer?: Payer): Promise<void> {
		await this.place();
		await this.confirm(payer);
	}

	/** The shopper is back from confirming, and finds out what became of it. */
	async comeBack(): Promise<void> {
		this.#connect();
		await this.#check();
	}

	/** Confirms the card, whether or not the order has been placed. */
	async confirm(payer: Payer = { card: "pm_card_visa" }): Promise<void> {
		await stripeJs(this.#world, payer).confirmCardPayment(this.state.clientSecret ?? "");
	}

	/** Buy Now until it comes to something, at most twice. */
	async buyTwice(payer?: Payer): Promise<void> {
		await this.buy(payer);
		if (this.isNotCharged && (await this.prepare())) await this.buy(payer);
	}

	/** Whether the shopper has been told that nothing was charged. */
	get isNotCharged(): boolean {
		return this.#sentence === "not charged";
	}

	get #sentence(): Sentence | undefined {
		return this.#world.invariants.tab(this.#name).reads?.sentence;
	}

	async #finish(bought: Bought, paidFor: BasketItem[]): Promise<void> {
		if (bought === "checking") return this.#check();
		if (bought === "paid") {
			this.#says("paid");
			this.#world.invariants.emptied(this.#name, this.#intent);
			this.state.basket = withoutPaid(this.state.basket, paidFor);
			this.state.clientSecret = null;
		} else if (bought === "refunded") {
			this.#says("refunded");
			this.state.clientSecret = null;
		} else {
			this.#says("not charged");
			if ("prices" in bought) {
				const { prices } = bought;
				this.state.basket = this.state.basket.map((item) => ({
					...item,
					priceCents: prices[item.id] ?? item.priceCents,
				}));
			}
			if ("outdated" in bought && bought.outdated === "customer") this.state.user = this.#browser.customer;
		}
	}

	async #check(): Promise<void> {
		const { basket, clientSecret } = this.state;
		this.#says("checking");
		if (!clientSecret) return;
		const settled = await outcomeOf(clientSecret, new AbortController().signal);
		if (settled === "not_paid") return this.#finish({ problem: "The payment did not go through." }, basket);
		if (settled) await this.#finish(settled, basket);
	}

	#says(sentence: Sentence): void {
		this.#world.invariants.told(this.#name, this.#intent, sentence);
	}

	get #intent(): string {
		return idOf(this.state.clientSecret ?? "");
	}

	#keep(clientSecret: string | null): void {
		this.state.clientSecret = clientSecret;
		if (clientSecret) this.#world.invariants.tab(this.#name).intents.add(idOf(clientSecret));
	}

	readonly #fetch: typeof fetch = async (input, init) => {
		const response = await this.#browser.fetch(input, init);
		const { signature } = z.object({ signature: z.optional(z.string()) }).parse(await response.clone().json());
		if (signature) this.state.signature = signature;
		return response;
	};

	#connect(): void {
		this.#world.fetchOf.set(currentScope(), this.#fetch);
		currentScope().onDeath = () => {
			this.#world.invariants.tab(this.#name).open = false;
		};
	}
}
