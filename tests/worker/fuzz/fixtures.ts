import { randomUUID } from "node:crypto";
import { generateIdFromEntropySize } from "lucia";
import { WEBHOOK_SECRET } from "stripe-emulator/keys.ts";
import { hashToken, sessionCookieName } from "#app/auth/sessions.server.ts";
import { currency } from "#app/brand.ts";
import { guestCookieName } from "#app/orders/owner.server.ts";
import { book } from "../../support/catalogue.ts";
import { Customer, idOf, payWithoutOrder } from "../../support/customer.ts";
import type { RawRequest } from "../../support/raw-request.ts";
import { insertOrders } from "../../support/seed-data.ts";
import type { Shop } from "../../support/shop.ts";

/** Unix seconds. */
const longAgo = 1e9;
const now = () => Math.floor(Date.now() / 1000);
const hash = (token = "") => hashToken(token);
/** Returns a new session token or guest token. */
const newToken = () => generateIdFromEntropySize(25);
const guestCookie = (token: string) => `${guestCookieName(token)}=${token}`;

/** Creates the accounts and payments that the requests of requests.ts refer to. */
export async function createFuzzFixtures(shop: Shop) {
	const { d1, stripe, url } = shop;
	const guest = newToken();
	const customer = new Customer(shop);
	const [victim, victimAsGuest] = [new Customer(shop), new Customer(shop)];
	// no generated request contains this password
	const victimPassword = randomUUID();
	await Promise.all([customer.createAccount(), victim.createAccount(victimPassword)]);
	const [customerId, victimId] = [(await customer.userId()) ?? "", (await victim.userId()) ?? ""];
	const history = Array.from({ length: 25 }, (_, index) => longAgo + index);
	for (const id of [customerId, victimId]) await insertOrders(shop, id, history);
	const victimOrder = await victim.placeOrder([book.id]);
	const victimGuestOrder = await victimAsGuest.placeOrder([book.id]);
	const orphan = await payWithoutOrder(shop);
	const asGuest = () => new Customer(shop).addGuests(guest);
	const [victimSession, [victimGuest]] = [victim.cookie(sessionCookieName), victimAsGuest.guestTokens];

	/** Functions that return a client secret, by payment placeholder. Most create it for each request, so that requests do
	 *  not depend on each other. */
	const payments: Record<string, () => string | Promise<string>> = {
		payable: () => new Customer(shop).create(book.priceCents),
		placed: () => asGuest().placeOrder([book.id]),
		"placed by customer": () => customer.placeOrder([book.id]),
		paid: () => asGuest().pay([book.id]),
		orphan: () => orphan,
		foreign,
		victim: () => victimOrder,
		"victim guest": () => victimGuestOrder,
	};
	const values: Record<string, () => string | Promise<string>> = {
		host: () => url.host,
		origin: () => url.origin,
		session: () => session(),
		"expired session": () => session(now() - 1),
		"unknown session": newToken,
		guest: () => guestCookie(guest),
		"unknown guest": () => guestCookie(newToken()),
		"customer email": () => customer.email,
		"customer password": () => customer.password,
		"new email": () => new Customer(shop).email,
		"order key": () => `${longAgo + 10}-pi_${customerId}10`,
		"victim user": () => victimId,
		"victim email": () => victim.email,
		"victim order key": () => `${longAgo + 10}-pi_${victimId}10`,
		"victim hash": () => hash(victimSession),
		"victim guest hash": () => guestCookie(hash(victimGuest)),
	};

	async function session(expires = now() + 86_400 * 30): Promise<string> {
		const token = newToken();
		const insert = d1.prepare("insert into sessions (id, user_id, expires_at) values (?, ?, ?)");
		await insert.bind(hash(token), customerId, expires).run();
		return token;
	}

	async function foreign(): Promise<string> {
		const intent = { amount: book.priceCents, currency, metadata: { shop: "other" } };
		return (await stripe.paymentIntents.create(intent)).client_secret ?? "";
	}

	/** Returns the signature of a body, which is a binary string. */
	function sign(body: string): string {
		return stripe.webhooks.generateTestHeaderString({
			payload: Buffer.from(body, "latin1").toString(),
			secret: WEBHOOK_SECRET,
		});
	}

	return {
		/** Replaces the placeholders in a request. */
		async fill(request: RawRequest): Promise<RawRequest> {
			const found = new Map([["session customer", ""]]);
			for (const [, name = ""] of JSON.stringify(request).matchAll(/<<([a-z ]+)>>/g)) {
				const [, payment = "", part] = /^(.*?)( id| tail)?$/.exec(name) ?? [];
				const secret = found.get(payment) ?? (await payments[payment]?.());
				if (secret) found.set(payment, secret);
				if (secret && part) found.set(name, part === " id" ? idOf(secret) : secret.replace(/.*_secret_/, ""));
				else if (!secret) found.set(name, (await values[name]?.()) ?? name);
			}
			const put = (text: string) =>
				text
					.replaceAll('"<<session customer>>"', found.has("session") ? JSON.stringify(customerId) : "null")
					.replaceAll(/<<([a-z ]+)>>/g, (unknown, name: string) => found.get(name) ?? unknown);
			const body = put(request.body);
			const signed = (value: string) => (value === "<<signature>>" ? sign(body) : put(value));
			const headers = request.headers.map(([name, value]): [string, string] => [name, signed(value)]);
			return { ...request, target: put(request.target), headers, body };
		},

		/** Returns the strings that the response must not contain: secrets of the victim and of the customer, except those
		 *  that the request itself refers to. */
		secretsFrom(request: RawRequest): string[] {
			const text = JSON.stringify(request);
			const unlessNamed = (pattern: RegExp, ...secrets: string[]) => (pattern.test(text) ? [] : secrets);
			return [
				...[victimPassword, victimSession ?? "", hash(victimSession), victimGuest ?? "", hash(victimGuest)],
				...[victimOrder, victimGuestOrder, `pi_${victimId}9`],
				...unlessNamed(/<<victim (guest )?id>>/, idOf(victimOrder), idOf(victimGuestOrder)),
				// the /login page echoes the email and the query string
				...unlessNamed(/<<victim email>>/, victim.email),
				...unlessNamed(/<<victim (order key|user)>>/, victimId),
				...unlessNamed(/<<session>>|<<customer|<<order key>>/, customerId, customer.email),
			];
		},

		/** Reads the rows that no request may change: the accounts, the victim's sessions and orders, and the products. */
		async readProtectedRows(): Promise<unknown> {
			const victimOrders = "select payment_intent_id from orders where user_id = ?1 or guest_token_hash = ?2";
			const byVictim = (query: string) => d1.prepare(query).bind(victimId, hash(victimGuest));
			const rows = await d1.batch([
				d1.prepare("select * from users where id in (?, ?) order by id").bind(customerId, victimId),
				d1.prepare("select * from sessions where user_id = ?").bind(victimId),
				byVictim(`select * from orders where payment_intent_id in (${victimOrders}) order by payment_intent_id`),
				byVictim(`select * from order_items where payment_intent_id in (${victimOrders}) order by payment_intent_id`),
				d1.prepare("select * from products order by id"),
			]);
			return rows.map(({ results }) => results);
		},
	};
}
