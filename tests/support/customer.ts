import { expect } from "vitest";
import { z } from "zod";
import { sessionCookieName } from "#app/auth/sessions.server.ts";
import { guestCookieName, guestCookiePrefix } from "#app/orders/owner.server.ts";
import { book, products } from "./catalogue.ts";
import { read, readProblem } from "./response.ts";
import type { Shop } from "./shop.ts";

const createdShape = z.object({ clientSecret: z.string(), signature: z.string() });
const prices = new Map(products.map(({ id, priceCents }) => [id, priceCents]));
const outcomeShape = z.strictObject({ status: z.string(), created: z.optional(z.number()) });
let count = 0;

/** Returns the total price of the products, in cents. */
export const totalOf = (productIds: string[]) => productIds.reduce((sum, id) => sum + (prices.get(id) ?? 0), 0);
export const idOf = (clientSecret: string) => clientSecret.replace(/_secret_.*/, "");

/** Checks the response of place or fulfill, or the error response of create. Returns its status code, and its outcome
 *  or error code. */
export async function outcomeOf(response: Response): Promise<[number, string]> {
	if (!response.ok) return [response.status, await readProblem(response)];
	return [response.status, outcomeShape.parse(JSON.parse(await read(response))).status];
}

/** An HTTP client that sends what a browser sends: cookies, the Origin header, and the payment page's requests. Each
 *  customer has its own IP address and is a guest until `createAccount` or `signIn` is called. */
export class Customer {
	readonly #shop: Shop;
	readonly #cookies = new Map<string, string>();
	readonly #address = `10.${Math.floor(++count / 250)}.${count % 250}.${process.pid % 250}`;
	/** The signatures returned by create, by client secret. */
	readonly #signatures = new Map<string, string>();
	readonly email = `customer-${crypto.randomUUID()}@example.com`;
	readonly password = "correct horse battery";
	keepsCookies = true;

	constructor(shop: Shop, cookies: Record<string, string> = {}) {
		this.#shop = shop;
		for (const [name, value] of Object.entries(cookies)) this.setCookie(name, value);
	}

	async fetch(path: string, init: RequestInit = {}): Promise<Response> {
		// the page of the form sets a cookie
		if (init.method === "POST" && path.startsWith("/login") && this.#cookies.size === 0) await this.fetch("/login");
		const headers = new Headers(init.headers);
		const cookies = [...this.#cookies].map(([name, value]) => `${name}=${value}`);
		if (cookies.length > 0) headers.set("Cookie", cookies.join("; "));
		if (init.method === "POST" && !headers.has("Origin")) headers.set("Origin", this.#shop.url.origin);
		headers.set("CF-Connecting-IP", this.#address);
		const response = await this.#shop.fetch(path, { ...init, headers });
		if (this.keepsCookies) this.storeCookies(response);
		return response;
	}

	/** Stores the cookies of a response, again if it is to be the latest one. */
	storeCookies({ headers }: Response): void {
		for (const cookie of headers.getSetCookie()) {
			const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
			if (/Max-Age=0\b/i.test(cookie)) this.#cookies.delete(name);
			else this.#cookies.set(name, value);
		}
	}

	/** Submits a form. Pass pairs to send a field more than once. */
	submit(path: string, fields: Record<string, string> | [string, string][]): Promise<Response> {
		return this.fetch(path, { method: "POST", body: new URLSearchParams(fields) });
	}

	postJson(path: string, body: unknown): Promise<Response> {
		const headers = { "Content-Type": "application/json" };
		return this.fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
	}

	async page(path: string): Promise<string> {
		return (await this.fetch(path)).text();
	}

	createAccount(password = this.password): Promise<Response> {
		return this.submit("/login", { email: this.email, password, intent: "create-account" });
	}

	signIn(): Promise<Response> {
		return this.submit("/login", { email: this.email, password: this.password });
	}

	signOut(): Promise<Response> {
		return this.submit("/logout", {});
	}

	cookie(name: string): string | undefined {
		return this.#cookies.get(name);
	}

	/** The guest tokens that the browser sends, oldest first. */
	get guestTokens(): string[] {
		return [...this.#cookies].flatMap(([name, value]) => (name.startsWith(guestCookiePrefix) ? [value] : []));
	}

	/** Adds guest tokens to the browser. */
	addGuests(...tokens: string[]): this {
		for (const token of tokens) this.setCookie(guestCookieName(token), token);
		return this;
	}

	deleteCookies(): void {
		this.#cookies.clear();
	}

	setCookie(name: string, value: string): void {
		this.#cookies.set(name, value);
	}

	/** Returns the id of this customer's account, or null for a guest. */
	async userId(): Promise<string | null> {
		return this.#shop.d1.prepare("select id from users where email = ?").bind(this.email).first("id");
	}

	/** Sends POST /payments/create. `previous` is the client secret of the tab's current intent. */
	requestIntent(cents: number, previous?: string): Promise<Response> {
		const headers = new Headers(previous ? { "previous-client-secret": previous } : {});
		return this.fetch(`/payments/create?total=${cents}`, { method: "POST", headers });
	}

	/** Creates a PaymentIntent. Returns its client secret. */
	async create(cents: number, previous?: string): Promise<string> {
		const response = await this.requestIntent(cents, previous);
		expect(response.status).toBe(200);
		const { clientSecret, signature } = createdShape.parse(await response.json());
		this.#signatures.set(clientSecret, signature);
		return clientSecret;
	}

	async place(clientSecret: string, productIds: string[]): Promise<Response> {
		const customer = this.cookie(sessionCookieName) ? await this.userId() : null;
		const signature = this.#signatures.get(clientSecret);
		return this.postJson("/payments/place", { clientSecret, signature, productIds, customer });
	}

	/** Confirms the payment at Stripe, without notifying the shop. */
	confirm(clientSecret: string, payment_method = "pm_card_visa") {
		return this.#shop.stripe.paymentIntents.confirm(idOf(clientSecret), { payment_method });
	}

	/** Sends POST /payments/fulfill, as the browser does after confirming the payment. */
	fulfill(clientSecret: string, options: { cancel?: true } = {}): Promise<Response> {
		const signature = this.#signatures.get(clientSecret);
		return this.postJson("/payments/fulfill", { clientSecret, signature, ...options });
	}

	/** Creates an intent and places its order. Returns the client secret. */
	async placeOrder(productIds: string[]): Promise<string> {
		const clientSecret = await this.create(totalOf(productIds));
		expect((await this.place(clientSecret, productIds)).status).toBe(200);
		return clientSecret;
	}

	/** Places an order and confirms its payment, without notifying the shop. Returns the client secret. */
	async pay(productIds: string[], paymentMethod?: string): Promise<string> {
		const clientSecret = await this.placeOrder(productIds);
		await this.confirm(clientSecret, paymentMethod);
		return clientSecret;
	}
}

export const orderOf = ({ d1 }: Shop, clientSecret: string) =>
	d1.prepare("select * from orders where payment_intent_id = ?").bind(idOf(clientSecret)).first();

/** Returns an order's items as its card lists them: one entry per unit. */
export async function itemsOf({ d1 }: Shop, clientSecret: string) {
	const query =
		"select product_id, price_cents, quantity from order_items where payment_intent_id = ? order by position";
	const { results } = await d1.prepare(query).bind(idOf(clientSecret)).all();
	return results.flatMap(({ quantity, ...item }) => Array.from({ length: Number(quantity) }, () => item));
}

export async function statusOf(shop: Shop, clientSecret: string): Promise<unknown> {
	return (await orderOf(shop, clientSecret))?.["status"];
}

/** Pays without placing an order. Returns the client secret. */
export async function payWithoutOrder(shop: Shop): Promise<string> {
	const customer = new Customer(shop);
	const clientSecret = await customer.create(book.priceCents);
	await customer.confirm(clientSecret);
	return clientSecret;
}
