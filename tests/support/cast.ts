import { createHash, randomUUID } from "node:crypto";
import { generateIdFromEntropySize } from "lucia";
import Stripe from "stripe";
import { WEBHOOK_SECRET } from "stripe-emulator/keys.ts";
import { insertOrders } from "./order-history.ts";
import type { RawRequest } from "./raw-request.ts";
import type { Shop } from "./shop.ts";
import { idOf, Shopper } from "./shopper.ts";
import { Visitor } from "./visitor.ts";

const book = ["12321341"];
const price = 1196;
/** Unix seconds. */
const longAgo = 1e9;
const hash = (token: string) => createHash("sha256").update(token).digest("hex");
/** What a browser holds of a session, or of what it bought as a guest. */
const newToken = () => generateIdFromEntropySize(25);
const now = () => Math.floor(Date.now() / 1000);
const { webhooks } = new Stripe("sk_test_unused");

/** The people whom the requests of any-request.ts come from and are about. */
export interface Cast {
	/** Puts into a request what it names. What a request may change, a session or a payment, is made anew for each that
	 *  names it, so that none depends on those before it. */
	fill(asked: RawRequest): Promise<RawRequest>;
	/** What the answer to a request must not hold: all that is the victim's, and the customer's unless they ask. */
	secretsFrom(asked: RawRequest): string[];
	/** The victim's rows, and all accounts that were there from the beginning. */
	untouchable(): Promise<unknown>;
}

export async function assembleCast(shop: Shop): Promise<Cast> {
	const { d1, stripe, url } = shop;
	const unpaid: string[] = [];
	const guest = newToken();
	const customer = await newAccount();
	// one that no request guesses, and no answer holds
	const victimsPassword = randomUUID();
	const victim = await newAccount(victimsPassword);
	const victimsOrder = await placed(victim.visitor, victim.id);
	const victimAsGuest = new Shopper(shop);
	const victimsGuestOrder = await victimAsGuest.placeOrder(book);
	const victimsGuestToken = victimAsGuest.cookie("__Host-guest") ?? "";
	const victimsSession = victim.visitor.cookie("__Host-session") ?? "";
	const history = Array.from({ length: 25 }, (_, place) => longAgo + place);
	for (const { id } of [customer, victim]) await insertOrders(shop, id, history);

	const over = {
		settled: await paid(),
		canceled: await payable(),
		orphan: await payable(),
		foreign: await payable("other"),
	};
	await new Visitor(shop).postJson("/payments/fulfill", { clientSecret: over.settled });
	await stripe.paymentIntents.cancel(idOf(over.canceled));
	await confirm(over.orphan);

	// the orders above stay; those below may be canceled to make room
	unpaid.length = 0;
	const payments: Record<string, () => string | Promise<string>> = {
		payable: () => payable(),
		placed: () => placed(as({ "__Host-guest": guest }), null),
		"placed by customer": async () => placed(as({ "__Host-session": await newSession() }), customer.id),
		paid: () => paid(),
		"paid by customer": async () => paid(as({ "__Host-session": await newSession() }), customer.id),
		asking: async () => {
			const clientSecret = await placed(as({ "__Host-guest": guest }), null);
			return confirm(clientSecret, "pm_card_authenticationRequired");
		},
		bystander: () => paid(new Visitor(shop)),
		settled: () => over.settled,
		canceled: () => over.canceled,
		orphan: () => over.orphan,
		foreign: () => over.foreign,
	};
	const facts: Record<string, () => string | Promise<string>> = {
		host: () => url.host,
		origin: () => url.origin,
		session: () => newSession(),
		"session over": () => newSession(now() - 1),
		"session of nobody": newToken,
		guest: () => guest,
		"guest of nobody": newToken,
		customer: () => customer.id,
		"customer email": () => customer.visitor.email,
		"customer password": () => customer.visitor.password,
		"new email": () => new Visitor(shop).email,
		"order key": () => `${longAgo + 10}-pi_${customer.id}10`,
		"victim user": () => victim.id,
		"victim email": () => victim.visitor.email,
		"victim id": () => idOf(victimsOrder),
		"victim guest id": () => idOf(victimsGuestOrder),
		"victim order key": () => `${longAgo + 10}-pi_${victim.id}10`,
		"victim hash": () => hash(victimsSession),
		"victim guest hash": () => hash(victimsGuestToken),
	};

	return { fill, secretsFrom, untouchable };

	async function fill(asked: RawRequest): Promise<RawRequest> {
		const values = new Map<string, string>();
		for (const [, name = ""] of JSON.stringify(asked).matchAll(/<<([a-z ]+)>>/g)) {
			const [, payment = "", part] = /^(.*?)( id| tail)?$/.exec(name) ?? [];
			if (facts[name]) values.set(name, await facts[name]());
			else if (payments[payment]) {
				const secret = values.get(payment) ?? (await payments[payment]());
				values.set(payment, secret);
				if (part) values.set(name, part === " id" ? idOf(secret) : secret.replace(/.*_secret_/, ""));
			}
		}
		const whoAsks = values.has("session") ? JSON.stringify(customer.id) : "null";
		const put = (text: string) =>
			text
				.replaceAll('"<<who asks>>"', whoAsks)
				.replaceAll(/<<([a-z ]+)>>/g, (unknown, name: string) => values.get(name) ?? unknown);
		const body = put(asked.body);
		const headers = asked.headers.map(
			async ([name, value]): Promise<[string, string]> => [name, await sign(put(value), body)],
		);
		return { ...asked, target: put(asked.target), headers: await Promise.all(headers), body };
	}

	function secretsFrom(asked: RawRequest): string[] {
		const text = JSON.stringify(asked);
		const { email } = victim.visitor;
		return [
			...[victimsPassword, victimsSession, hash(victimsSession), victimsGuestToken, hash(victimsGuestToken)],
			...[victimsOrder, victimsGuestOrder, idOf(victimsOrder), idOf(victimsGuestOrder)],
			// the form on /login keeps the e-mail that was typed, and the query of its address
			...(text.includes("<<victim email>>") ? [] : [email]),
			...(text.includes("<<victim order key>>") ? [`pi_${victim.id}9`, `pi_${victim.id}0`] : [victim.id]),
			...(/<<session>>|<<customer|<<order key>>/.test(text) ? [] : [customer.id, customer.visitor.email]),
		];
	}

	async function untouchable(): Promise<unknown> {
		const theirs = "select payment_intent_id from orders where user_id = ?1 or guest_token_hash = ?2";
		const rows = await d1.batch([
			d1.prepare("select * from users where id in (?, ?) order by id").bind(customer.id, victim.id),
			d1.prepare("select * from sessions where user_id = ?").bind(victim.id),
			...["orders", "order_items"].map((table) =>
				d1
					.prepare(`select * from ${table} where payment_intent_id in (${theirs}) order by payment_intent_id`)
					.bind(victim.id, hash(victimsGuestToken)),
			),
			d1.prepare("select * from products order by id"),
		]);
		return rows.map(({ results }) => results);
	}

	async function newAccount(password?: string) {
		const visitor = new Visitor(shop);
		const { email, password: usual } = visitor;
		await visitor.submit("/login", { email, password: password ?? usual, intent: "create-account" });
		const id = await d1.prepare("select id from users where email = ?").bind(visitor.email).first<string>("id");
		if (!id) throw new Error("There is no account for the tests; does Create account still work?");
		return { visitor, id };
	}

	/** The token of a session of the customer's. */
	async function newSession(expires = now() + 86_400 * 30): Promise<string> {
		const token = newToken();
		await d1
			.prepare("insert into sessions (id, user_id, expires_at, created_at) values (?, ?, ?, ?)")
			.bind(hash(token), customer.id, expires, now())
			.run();
		return token;
	}

	/** The browser that has these cookies, at an address of its own. */
	function as(cookies: Record<string, string>): Visitor {
		const visitor = new Visitor(shop);
		for (const [name, value] of Object.entries(cookies)) visitor.setCookie(name, value);
		return visitor;
	}

	async function payable(shopId = "half-dozen-local"): Promise<string> {
		const metadata = { shop: shopId };
		const { client_secret } = await stripe.paymentIntents.create({ amount: price, currency: "usd", metadata });
		return client_secret ?? "";
	}

	async function placed(visitor: Visitor, customerId: string | null): Promise<string> {
		const clientSecret = await payable();
		const order = { clientSecret, productIds: book, customer: customerId };
		const place = () => visitor.postJson("/payments/place", order);
		let { status } = await place();
		if (status === 429) {
			// the owner has too many unpaid orders, of earlier requests
			const cancel = (secret: string) =>
				new Visitor(shop).postJson("/payments/fulfill", { clientSecret: secret, cancel: true });
			await Promise.all(unpaid.splice(0).map(cancel));
			({ status } = await place());
		}
		unpaid.push(clientSecret);
		if (status !== 200) throw new Error(`An order that nothing is wrong with was answered with ${status}.`);
		return clientSecret;
	}

	async function paid(visitor = as({ "__Host-guest": guest }), customerId: string | null = null): Promise<string> {
		return confirm(await placed(visitor, customerId));
	}

	async function confirm(clientSecret: string, payment_method = "pm_card_visa"): Promise<string> {
		await stripe.paymentIntents.confirm(idOf(clientSecret), { payment_method });
		return clientSecret;
	}
}

/** A header that names a signature gets one over the very body, good or bad. */
async function sign(value: string, body: string): Promise<string> {
	const [, kind] = /<<(.*)signature>>/.exec(value) ?? [];
	if (kind === undefined) return value;
	const timestamp = kind === "old " ? now() - 301 : now();
	const secret = kind === "other " ? "whsec_other" : WEBHOOK_SECRET;
	// what is signed are the bytes
	const payload = Buffer.from(body, "latin1").toString();
	return webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp });
}
