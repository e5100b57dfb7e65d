// 1,000 pages of 100 customers follow their orders while 100 orders a second become paid: does every page hear of
// every order of its customer, how soon, and at what cost of memory? The orders are placed beforehand, and it is
// settle, asked as a browser asks it, that makes them paid and tells the feeds.
import { createHash, randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type Stripe from "stripe";
import { openShop, type Shop } from "../../tests/support/shop.ts";
import { upgrade } from "../../tests/support/socket.ts";
import { memoryOfWorkerd } from "./memory.ts";
import { openStripe } from "./stripe.ts";
import { type Measured, percentiles } from "./table.ts";

const customers = 100;
const sessionsEach = 2;
const socketsEach = 5;
const rate = 100;
const amount = 9899;

/** `seconds`: 30 are enough for the counts, and in 150 the memory levels off. */
export async function orderFeed(seconds = 30): Promise<Measured> {
	const stripe = await openStripe("half-dozen-local");
	const shop = await openShop({ secrets: stripe.secrets });
	const people = await signUp(shop);
	const paid = Array.from({ length: rate * seconds }, () => stripe.pay(amount, now()));
	const secrets = await placeOrders(shop, people, paid);
	const heard = await follow(shop, people);

	const memory = [await memoryOfWorkerd()];
	const start = performance.now();
	const settles: Promise<string | null>[] = [];
	for (const [index, secret] of secrets.entries()) {
		const due = start + (index * 1000) / rate;
		const early = due - performance.now();
		if (early > 0) await setTimeout(early);
		people[index % customers]?.asked.push(performance.now());
		settles.push(settle(shop, secret));
		if (index % rate === rate - 1) memory.push(await memoryOfWorkerd());
	}
	const failed = (await Promise.all(settles)).filter((failure) => failure !== null);
	const took = (performance.now() - start) / 1000;
	// what has not come by now has been lost: every settle was answered, and tells before it answers
	await setTimeout(2000);
	memory.push(await memoryOfWorkerd());
	await shop.close();
	stripe.close();

	const expected = secrets.length * sessionsEach * socketsEach;
	const megabytes = memory.map((bytes) => Math.round(bytes / 1e6));
	const failures = failed.slice(0, 1).map((answer) => `${failed.length} payments were not settled: ${answer}`);
	if (heard.length !== expected) failures.push(`${heard.length} of ${expected} messages were delivered.`);
	return {
		rows: [
			["sockets", String(customers * sessionsEach * socketsEach)],
			["orders that became paid", `${secrets.length - failed.length} in ${took.toFixed(1)} s`],
			["messages delivered", `${heard.length} of ${expected}`],
			["from asking settle to the page (ms)", percentiles(heard)],
			[
				"memory of workerd (MB)",
				`${megabytes[0]} before, ${Math.max(...megabytes)} at most, ${megabytes.at(-1)} after`,
			],
			["memory on the way (MB)", megabytes.filter((_, second) => second % Math.ceil(seconds / 10) === 0).join(" ")],
		],
		failures,
	};
}

const now = () => Math.floor(Date.now() / 1000);

interface Person {
	id: string;
	/** Session tokens, as cookies hold them. */
	tokens: string[];
	/** When their orders were asked about, in their order. */
	asked: number[];
}

/** Straight into the database: a password hash for each would take longer than the bench. */
async function signUp({ d1 }: Shop): Promise<Person[]> {
	const people = Array.from({ length: customers }, () => ({
		id: randomUUID(),
		tokens: Array.from({ length: sessionsEach }, () => randomUUID()),
		asked: [],
	}));
	const user = d1.prepare("insert into users (id, email, password_hash, created_at) values (?, ?, '', ?)");
	const session = d1.prepare("insert into sessions (id, user_id, expires_at, created_at) values (?, ?, ?, ?)");
	await d1.batch(people.map(({ id }) => user.bind(id, `${id}@example.com`, now())));
	await d1.batch(
		people.flatMap(({ id, tokens }) =>
			tokens.map((token) =>
				session.bind(createHash("sha256").update(token).digest("hex"), id, now() + 30 * 24 * 60 * 60, now()),
			),
		),
	);
	return people;
}

/** Orders of every customer in turn, paid for at Stripe, and nobody has been told of it. */
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
				`insert into order_items
				select value ->> 0, 0, p.id, title, image, price_cents, rating, 1 from json_each(?1), products p where price_cents = ?2`,
			)
			.bind(rows, amount),
	]);
	return paid.map(({ client_secret }) => String(client_secret));
}

/** Opens every socket. Answers a list that grows by each message, how long after its cause it came. */
async function follow(shop: Shop, people: Person[]): Promise<number[]> {
	const delays: number[] = [];
	for (const { tokens, asked } of people) {
		const pages = tokens.flatMap((token) => Array.from({ length: socketsEach }, () => token));
		await Promise.all(
			pages.map(async (token) => {
				const headers = { Cookie: `__Host-session=${token}`, Origin: shop.url.origin };
				const { webSocket, status } = await upgrade(shop, headers);
				if (!webSocket) throw new Error(`A page was refused the feed with ${status}.`);
				let heard = 0;
				webSocket.addEventListener("message", () => {
					const since = asked[heard++];
					if (since !== undefined) delays.push(performance.now() - since);
				});
				webSocket.accept();
			}),
		);
	}
	return delays;
}

/** Asks as the page does that is back from the card. Null, or what came instead of "paid". */
async function settle(shop: Shop, clientSecret: string): Promise<string | null> {
	const answer = await shop
		.fetch("/payments/fulfill", {
			method: "POST",
			headers: { "Content-Type": "application/json", Origin: shop.url.origin },
			body: JSON.stringify({ clientSecret }),
		})
		.then(async (response) => `${response.status} ${await response.text()}`, String);
	return answer === '200 {"status":"paid"}' ? null : answer;
}
