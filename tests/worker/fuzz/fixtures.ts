import { createHash, randomUUID } from "node:crypto";
import { generateIdFromEntropySize } from "lucia";
import Stripe from "stripe";
import { WEBHOOK_SECRET } from "stripe-emulator/keys.ts";
import { book } from "../../support/catalogue.ts";
import { Customer, idOf } from "../../support/customer.ts";
import type { RawRequest } from "../../support/raw-request.ts";
import { insertOrders } from "../../support/seed-data.ts";
import type { Shop } from "../../support/shop.ts";

/** Unix seconds. */
const longAgo = 1e9;
const hash = (token: string) => createHash("sha256").update(token).digest("hex");
/** Returns a new session token or guest token. */
const newToken = () => generateIdFromEntropySize(25);
const now = () => Math.floor(Date.now() / 1000);
const { webhooks } = new Stripe("sk_test_unused");

/** The accounts and payments that the requests of requests.ts refer to. */
export interface FuzzFixtures {
	/** Replaces the placeholders in a request. Sessions and payments are created for each request, so that requests do not
	 *  depend on each other. */
	fill(request: RawRequest): Promise<RawRequest>;
	/** Returns the strings that the response must not contain: secrets of the victim and of the customer, except those
	 *  that the request itself refers to. */
	secretsFrom(request: RawRequest): string[];
	/** Reads the rows that no request may change: the accounts, the victim's sessions and orders, and the products. */
	readProtectedRows(): Promise<unknown>;
}

export async function createFuzzFixtures(shop: Shop): Promise<FuzzFixtures> {
	const { d1, stripe, url } = shop;
	/** Client secrets of orders that can be canceled when their owner has too many unpaid orders. */
	const unpaid: string[] = [];
	const guest = newToken();
	const customer = await newAccount();
	// no generated request contains this password
	const victimPassword = randomUUID();
	const victim = await newAccount(victimPassword);
	const victimOrder = await placed(victim.client, victim.id);
	const victimAsGuest = new Customer(shop);
	const victimGuestOrder = await victimAsGuest.placeOrder([book.id]);
	const victimGuestToken = victimAsGuest.cookie("__Host-guest") ?? "";
	const victimSession = victim.client.cookie("__Host-session") ?? "";
	const history = Array.from({ length: 25 }, (_, index) => longAgo + index);
	for (const { id } of [customer, victim]) await insertOrders(shop, id, history);

	const settled = await paid();
	await new Customer(shop).postJson("/payments/fulfill", { clientSecret: settled });
	const canceled = await payable();
	await stripe.paymentIntents.cancel(idOf(canceled));
	const orphan = await confirm(await payable());
	const foreign = await payable("other");
	unpaid.length = 0;

	const signedIn = async () => new Customer(shop, { "__Host-session": await newSession() });
	/** Functions that return a client secret, by payment placeholder. */
	const payments: Record<string, () => string | Promise<string>> = {
		payable: () => payable(),
		placed: () => placed(),
		"placed by customer": async () => placed(await signedIn(), customer.id),
		paid: () => paid(),
		"paid by customer": async () => paid(await signedIn(), customer.id),
		asking: async () => confirm(await placed(), "pm_card_authenticationRequired"),
		bystander: () => paid(new Customer(shop)),
		settled: () => settled,
		canceled: () => canceled,
		orphan: () => orphan,
		foreign: () => foreign,
	};
	const values: Record<string, () => string | Promise<string>> = {
		host: () => url.host,
		origin: () => url.origin,
		session: () => newSession(),
		"expired session": () => newSession(now() - 1),
		"unknown session": newToken,
		guest: () => guest,
		"unknown guest": newToken,
		customer: () => customer.id,
		"customer email": () => customer.client.email,
		"customer password": () => customer.client.password,
		"new email": () => new Customer(shop).email,
		"order key": () => `${longAgo + 10}-pi_${customer.id}10`,
		"victim user": () => victim.id,
		"victim email": () => victim.client.email,
		"victim id": () => idOf(victimOrder),
		"victim guest id": () => idOf(victimGuestOrder),
		"victim order key": () => `${longAgo + 10}-pi_${victim.id}10`,
		"victim hash": () => hash(victimSession),
		"victim guest hash": () => hash(victimGuestToken),
	};

	return { fill, secretsFrom, readProtectedRows };

	async function fill(request: RawRequest): Promise<RawRequest> {
		const found = new Map<string, string>();
		for (const [, name = ""] of JSON.stringify(request).matchAll(/<<([a-z ]+)>>/g)) {
			const [, payment = "", part] = /^(.*?)( id| tail)?$/.exec(name) ?? [];
			if (values[name]) found.set(name, await values[name]());
			else if (payments[payment]) {
				const secret = found.get(payment) ?? (await payments[payment]());
				found.set(payment, secret);
				if (part) found.set(name, part === " id" ? idOf(secret) : secret.replace(/.*_secret_/, ""));
			}
		}
		const sessionCustomer = found.has("session") ? JSON.stringify(customer.id) : "null";
		const put = (text: string) =>
			text
				.replaceAll('"<<session customer>>"', sessionCustomer)
				.replaceAll(/<<([a-z ]+)>>/g, (unknown, name: string) => found.get(name) ?? unknown);
		const body = put(request.body);
		const headers = request.headers.map(
			async ([name, value]): Promise<[string, string]> => [name, await sign(put(value), body)],
		);
		return { ...request, target: put(request.target), headers: await Promise.all(headers), body };
	}

	function secretsFrom(request: RawRequest): string[] {
		const text = JSON.stringify(request);
		const named = (pattern: RegExp, then: string[], otherwise: string[]) => (pattern.test(text) ? then : otherwise);
		return [
			...[victimPassword, victimSession, hash(victimSession), victimGuestToken, hash(victimGuestToken)],
			...[victimOrder, victimGuestOrder, idOf(victimOrder), idOf(victimGuestOrder)],
			// the /login page echoes the email and the query string
			...named(/<<victim email>>/, [], [victim.client.email]),
			...named(/<<victim order key>>/, [`pi_${victim.id}9`, `pi_${victim.id}0`], [victim.id]),
			...named(/<<session>>|<<customer|<<order key>>/, [], [customer.id, customer.client.email]),
		];
	}

	async function readProtectedRows(): Promise<unknown> {
		const victimOrders = "select payment_intent_id from orders where user_id = ?1 or guest_token_hash = ?2";
		const rows = await d1.batch([
			d1.prepare("select * from users where id in (?, ?) order by id").bind(customer.id, victim.id),
			d1.prepare("select * from sessions where user_id = ?").bind(victim.id),
			...["orders", "order_items"].map((table) =>
				d1
					.prepare(`select * from ${table} where payment_intent_id in (${victimOrders}) order by payment_intent_id`)
					.bind(victim.id, hash(victimGuestToken)),
			),
			d1.prepare("select * from products order by id"),
		]);
		return rows.map(({ results }) => results);
	}

	async function newAccount(password?: string) {
		const client = new Customer(shop);
		await client.createAccount(password);
		const id = await client.userId();
		if (!id) throw new Error("POST /login created no account.");
		return { client, id };
	}

	/** Creates a session for the customer and returns its token. */
	async function newSession(expires = now() + 86_400 * 30): Promise<string> {
		const token = newToken();
		await d1
			.prepare("insert into sessions (id, user_id, expires_at, created_at) values (?, ?, ?, ?)")
			.bind(hash(token), customer.id, expires, now())
			.run();
		return token;
	}

	async function payable(shopId = "half-dozen-local"): Promise<string> {
		const metadata = { shop: shopId };
		const { client_secret } = await stripe.paymentIntents.create({
			amount: book.priceCents,
			currency: "usd",
			allowed_payment_method_types: ["card"],
			metadata,
		});
		return client_secret ?? "";
	}

	async function placed(
		client = new Customer(shop, { "__Host-guest": guest }),
		customerId: string | null = null,
	): Promise<string> {
		const clientSecret = await payable();
		const order = { clientSecret, productIds: [book.id], customer: customerId };
		const place = () => client.postJson("/payments/place", order);
		let { status } = await place();
		if (status === 429) {
			// earlier requests left the owner with too many unpaid orders
			const cancel = (secret: string) =>
				new Customer(shop).postJson("/payments/fulfill", { clientSecret: secret, cancel: true });
			await Promise.all(unpaid.splice(0).map(cancel));
			({ status } = await place());
		}
		unpaid.push(clientSecret);
		if (status !== 200) throw new Error(`Placing a valid order returned ${status}.`);
		return clientSecret;
	}

	async function paid(client?: Customer, customerId?: string): Promise<string> {
		return confirm(await placed(client, customerId));
	}

	async function confirm(clientSecret: string, payment_method = "pm_card_visa"): Promise<string> {
		await stripe.paymentIntents.confirm(idOf(clientSecret), { payment_method });
		return clientSecret;
	}
}

/** Replaces a signature placeholder with a signature of the body. */
async function sign(value: string, body: string): Promise<string> {
	const [, kind] = /<<(.*)signature>>/.exec(value) ?? [];
	if (kind === undefined) return value;
	const timestamp = kind === "old " ? now() - 301 : now();
	const secret = kind === "other " ? "whsec_other" : WEBHOOK_SECRET;
	// the body is a binary string, and the signature covers its bytes
	const payload = Buffer.from(body, "latin1").toString();
	return webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp });
}
