// Load-tests the order feed: 1,000 sockets of 100 customers, while 100 orders a second are marked as paid. Measures
// whether every socket receives all of its customer's messages, the delay, and the memory. The orders are placed first.
// POST /payments/fulfill then marks them as paid and notifies the feeds.

import { createHash, randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type Stripe from "stripe";
import { openShop, type Shop, shopId } from "../../tests/support/shop.ts";
import { upgrade } from "../../tests/support/socket.ts";
import { progress } from "../scripts/progress.ts";
import { memoryOfWorkerd } from "./memory.ts";
import { repetitions } from "./short.ts";
import { createStripe } from "./stripe.ts";
import { percentiles, type Report } from "./table.ts";

const customers = 100;
const sessionsEach = 2;
const socketsEach = 5;
const rate = 100;
const amount = 9899;

/** `seconds` is the duration. 30 seconds are enough for the counts; memory levels off after 150 seconds. */
export async function orderFeed(report: Report, seconds = repetitions(30)): Promise<string[]> {
	const stripe = createStripe(shopId);
	const shop = await openShop({ secrets: stripe.secrets, outbound: stripe.outbound });
	const people = await signUp(shop);
	const paid = Array.from({ length: rate * seconds }, () => stripe.pay(amount, now()));
	const secrets = await placeOrders(shop, people, paid);
	const delays = await follow(shop, people);

	const begin = progress(seconds);
	const memory = [await memoryOfWorkerd()];
	const start = performance.now();
	const fulfillments: Promise<string | null>[] = [];
	for (const [index, secret] of secrets.entries()) {
		const due = start + (index * 1000) / rate;
		const early = due - performance.now();
		if (early > 0) await setTimeout(early);
		people[index % customers]?.sentAt.push(performance.now());
		fulfillments.push(fulfill(shop, secret));
		if (index % rate === 0) begin(`${rate} orders`);
		if (index % rate === rate - 1) memory.push(await memoryOfWorkerd());
	}
	const failed = (await Promise.all(fulfillments)).filter((failure) => failure !== null);
	const took = (performance.now() - start) / 1000;
	// fulfill notifies the feed before it responds, so a message that takes longer than this is lost
	await setTimeout(2000);
	memory.push(await memoryOfWorkerd());
	await shop.close();

	const expected = secrets.length * sessionsEach * socketsEach;
	const megabytes = memory.map((bytes) => Math.round(bytes / 1e6));
	const failures = failed.slice(0, 1).map((response) => `${failed.length} payments were not fulfilled: ${response}`);
	if (delays.length !== expected) failures.push(`${delays.length} of ${expected} messages were delivered.`);
	report("sockets", String(customers * sessionsEach * socketsEach));
	report("orders marked as paid", `${secrets.length - failed.length} in ${took.toFixed(1)} s`);
	report("messages delivered", `${delays.length} of ${expected}`);
	report("from the fulfill request to the message (ms)", percentiles(delays));
	report("memory of workerd (MB)", `${megabytes[0]} before, ${Math.max(...megabytes)} max, ${megabytes.at(-1)} after`);
	report("memory over time (MB)", megabytes.filter((_, second) => second % Math.ceil(seconds / 10) === 0).join(" "));
	return failures;
}

const now = () => Math.floor(Date.now() / 1000);

interface Person {
	id: string;
	/** Session tokens, as stored in cookies. */
	tokens: string[];
	/** When each fulfill request was sent, in milliseconds. */
	sentAt: number[];
}

/** Inserts the customers into D1, because hashing 100 passwords would take longer than the benchmark. */
async function signUp({ d1 }: Shop): Promise<Person[]> {
	const people = Array.from({ length: customers }, () => ({
		id: randomUUID(),
		tokens: Array.from({ length: sessionsEach }, () => randomUUID()),
		sentAt: [],
	}));
	const user = d1.prepare("insert into users (id, email, password_hash, created_at) values (?, ?, '', ?)");
	const session = d1.prepare("insert into sessions (id, user_id, expires_at) values (?, ?, ?)");
	await d1.batch(people.map(({ id }) => user.bind(id, `${id}@example.com`, now())));
	await d1.batch(
		people.flatMap(({ id, tokens }) =>
			tokens.map((token) =>
				session.bind(createHash("sha256").update(token).digest("hex"), id, now() + 30 * 24 * 60 * 60),
			),
		),
	);
	return people;
}

/** Inserts a placed order for each payment, assigned to the customers in turn. The shop has not recorded the payments
 *  yet. */
async function placeOrders({ d1 }: Shop, people: Person[], paid: Stripe.PaymentIntent[]): Promise<string[]> {
	const rows = JSON.stringify(paid.map(({ id }, index) => [id, people[index % customers]?.id]));
	await d1.batch([
		d1
			.prepare(
				`insert into orders (payment_intent_id, user_id, amount, status, created, placed_at, due_at)
				select value ->> 0, value ->> 1, ?2, 'placed', ?3, ?3, ?3 from json_each(?1)`,
			)
			.bind(rows, amount, now()),
		d1
			.prepare(
				`insert into order_items (payment_intent_id, position, product_id, title, image, price_cents, rating)
				select value ->> 0, 0, p.id, title, image, price_cents, rating from json_each(?1), products p where price_cents = ?2`,
			)
			.bind(rows, amount),
	]);
	return paid.map(({ client_secret }) => String(client_secret));
}

/** Opens every socket. Returns a list to which each message adds its delay in milliseconds. */
async function follow(shop: Shop, people: Person[]): Promise<number[]> {
	const delays: number[] = [];
	for (const { tokens, sentAt } of people) {
		const pages = tokens.flatMap((token) => Array.from({ length: socketsEach }, () => token));
		await Promise.all(
			pages.map(async (token) => {
				const headers = { Cookie: `__Host-session=${token}`, Origin: shop.url.origin };
				const { webSocket, status } = await upgrade(shop, headers);
				if (!webSocket) throw new Error(`The feed returned ${status}.`);
				let received = 0;
				webSocket.addEventListener("message", () => {
					const sent = sentAt[received++];
					if (sent !== undefined) delays.push(performance.now() - sent);
				});
				webSocket.accept();
			}),
		);
	}
	return delays;
}

/** Sends the payment page's fulfill request. Returns null if the order is paid, otherwise the response. */
async function fulfill(shop: Shop, clientSecret: string): Promise<string | null> {
	const result = await shop
		.fetch("/payments/fulfill", {
			method: "POST",
			headers: { "Content-Type": "application/json", Origin: shop.url.origin },
			body: JSON.stringify({ clientSecret }),
		})
		.then(async (response) => `${response.status} ${await response.text()}`, String);
	return result.startsWith('200 {"status":"paid"') ? null : result;
}
