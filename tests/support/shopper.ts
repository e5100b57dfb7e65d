import { expect } from "vitest";
import { z } from "zod";
import { sixProducts } from "./catalogue.ts";
import type { Shop } from "./shop.ts";
import { Visitor } from "./visitor.ts";

const createdShape = z.object({ clientSecret: z.string(), signature: z.string() });
const prices = new Map(sixProducts.map(({ id, priceCents }) => [id, priceCents]));

/** What Buy Now stands beside. */
export const totalOf = (productIds: string[]) => productIds.reduce((sum, id) => sum + (prices.get(id) ?? 0), 0);
export const idOf = (clientSecret: string) => clientSecret.replace(/_secret_.*/, "");

/** A visitor who buys, by the requests that the payment page makes. */
export class Shopper extends Visitor {
	readonly #shop: Shop;
	/** What create returned with each client secret, and how often it was placed. */
	readonly #created = new Map<string, { signature: string; attempt: number }>();

	constructor(shop: Shop) {
		super(shop);
		this.#shop = shop;
	}

	/** POST /payments/create, with the intent that the tab already has. */
	askForIntent(cents: number, previous?: string): Promise<Response> {
		const headers = new Headers(previous ? { "previous-client-secret": previous } : {});
		return this.fetch(`/payments/create?total=${cents}`, { method: "POST", headers });
	}

	/** The client secret of a PaymentIntent. */
	async create(cents: number, previous?: string): Promise<string> {
		const response = await this.askForIntent(cents, previous);
		expect(response.status).toBe(200);
		const { clientSecret, signature } = createdShape.parse(await response.json());
		this.#created.set(clientSecret, { signature, attempt: 0, ...this.#created.get(clientSecret) });
		return clientSecret;
	}

	/** The id of this visitor's account; null for a guest. */
	async customer(): Promise<string | null> {
		return this.#shop.d1.prepare("select id from users where email = ?").bind(this.email).first("id");
	}

	async place(clientSecret: string, productIds: string[]): Promise<Response> {
		const customer = this.cookie("__Host-session") ? await this.customer() : null;
		const created = this.#created.get(clientSecret);
		if (created) created.attempt++;
		return this.postJson("/payments/place", { clientSecret, ...created, productIds, customer });
	}

	/** Confirms as the card frame would, at Stripe and nowhere else. */
	confirm(clientSecret: string, payment_method = "pm_card_visa") {
		return this.#shop.stripe.paymentIntents.confirm(idOf(clientSecret), { payment_method });
	}

	/** POST /payments/fulfill: the browser returns. */
	fulfill(clientSecret: string, options: { cancel?: true } = {}): Promise<Response> {
		const signature = this.#created.get(clientSecret)?.signature;
		return this.postJson("/payments/fulfill", { clientSecret, signature, ...options });
	}

	/** Everything up to the card: the client secret of an order that is placed. */
	async placeOrder(productIds: string[]): Promise<string> {
		const clientSecret = await this.create(totalOf(productIds));
		expect((await this.place(clientSecret, productIds)).status).toBe(200);
		return clientSecret;
	}

	/** The same with the card, and not a word of it to the shop. */
	async pay(productIds: string[], paymentMethod?: string): Promise<string> {
		const clientSecret = await this.placeOrder(productIds);
		await this.confirm(clientSecret, paymentMethod);
		return clientSecret;
	}
}

export function orderOf({ d1 }: Shop, clientSecret: string) {
	return d1.prepare("select * from orders where payment_intent_id = ?").bind(idOf(clientSecret)).first();
}

/** The items of an order, as its card lists them. */
export async function itemsOf({ d1 }: Shop, clientSecret: string) {
	const query =
		"select product_id, price_cents, quantity from order_items where payment_intent_id = ? order by position";
	const { results } = await d1.prepare(query).bind(idOf(clientSecret)).all();
	return results.flatMap(({ quantity, ...item }) => Array.from({ length: Number(quantity) }, () => item));
}

export async function statusOf(shop: Shop, clientSecret: string): Promise<unknown> {
	return (await orderOf(shop, clientSecret))?.["status"];
}

/** The row that says what is being given back. */
export function refundOf({ d1 }: Shop, clientSecret: string) {
	return d1.prepare("select * from refunds where payment_intent_id = ?").bind(idOf(clientSecret)).first();
}

/** What Stripe has given back, newest first. */
export async function refundsAt({ stripe }: Shop, clientSecret: string) {
	return (await stripe.refunds.list({ payment_intent: idOf(clientSecret) })).data;
}

/** Loses an order, as a crash or a restored database would. Answers a function that brings it back. */
export async function lose({ d1 }: Shop, clientSecret: string): Promise<() => Promise<void>> {
	const lost: D1PreparedStatement[] = [];
	for (const table of ["order_items", "orders"]) {
		const where = `from ${table} where payment_intent_id = ?`;
		const { results } = await d1.prepare(`select * ${where}`).bind(idOf(clientSecret)).all();
		await d1.prepare(`delete ${where}`).bind(idOf(clientSecret)).run();
		for (const row of results) {
			const marks = Object.keys(row).map(() => "?");
			const insert = d1.prepare(`insert into ${table} (${Object.keys(row)}) values (${marks})`);
			lost.unshift(insert.bind(...Object.values(row)));
		}
	}
	return async () => void (await d1.batch(lost));
}

/** A payment of ours that no order was ever placed for. */
export async function payForNothing(shop: Shop, cents = 1196): Promise<string> {
	const shopper = new Shopper(shop);
	const clientSecret = await shopper.create(cents);
	await shopper.confirm(clientSecret);
	return clientSecret;
}
