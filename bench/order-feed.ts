// 1,000 pages of 100 customers follow their orders while 100 orders a second become paid: does every page hear of
// every order of its customer, how soon, and at what cost of memory? The orders are placed beforehand, and it is
// settle, asked as a browser asks it, that makes them paid and tells the feeds.
import { createHash, randomUUID } from "node:crypto";
import { openBareShop } from "../tests/support/bare-shop.ts";
import type { Shop } from "../tests/support/shop.ts";
import { memoryOfWorkerd } from "./memory.ts";
import { percentiles, table } from "./table.ts";

const customers = 100;
const sessionsEach = 2;
const socketsEach = 5;
const rate = 100;
const seconds = 30;
const amount = 9899;

const shop = await openBareShop();
const now = Math.floor(Date.now() / 1000);
const people = await signUp(shop);
const secrets = await placeOrders(shop, people);
/** When each customer's orders were asked about, in their order. */
const asked = new Map(people.map(({ id }) => [id, [] as number[]]));
const delays: number[] = [];
await follow(shop, people);

const memory = [await memoryOfWorkerd()];
const failures: string[] = [];
const start = performance.now();
const settles: Promise<void>[] = [];
for (const [index, secret] of secrets.entries()) {
	const due = start + (index * 1000) / rate;
	if (due > performance.now()) await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
	settles.push(settle(index, secret));
	if (index % rate === rate - 1) memory.push(await memoryOfWorkerd());
}
await Promise.all(settles);
const took = (performance.now() - start) / 1000;
const expected = secrets.length * sessionsEach * socketsEach;
// what has not come by now has been lost: every settle was answered, and tells before it answers
await new Promise((resolve) => setTimeout(resolve, 2000));
memory.push(await memoryOfWorkerd());

const megabytes = memory.map((bytes) => Math.round(bytes / 1e6));
console.info(
	table([
		["sockets", String(customers * sessionsEach * socketsEach)],
		["orders that became paid", `${secrets.length - failures.length} in ${took.toFixed(1)} s`],
		["messages delivered", `${delays.length} of ${expected}`],
		["from asking settle to the page (ms)", percentiles(delays)],
		["memory of workerd (MB)", `${megabytes[0]} before, ${Math.max(...megabytes)} at most, ${megabytes.at(-1)} after`],
		["memory, every 5 seconds (MB)", megabytes.filter((_, second) => second % 5 === 0).join(" ")],
	]),
);
if (failures.length > 0) console.info(`${failures.length} failed, the first: ${failures[0]}`);
await shop.close();
process.exit(delays.length === expected && failures.length === 0 ? 0 : 1);

interface Person {
	id: string;
	/** Session tokens, as cookies hold them. */
	tokens: string[];
}

/** Straight into the database: a password hash for each would take longer than the bench. */
async function signUp({ d1 }: Shop): Promise<Person[]> {
	const people = Array.from({ length: customers }, () => ({
		id: randomUUID(),
		tokens: Array.from({ length: sessionsEach }, () => randomUUID()),
	}));
	const user = d1.prepare("insert into users (id, email, password_hash, created_at) values (?, ?, '', ?)");
	const session = d1.prepare("insert into sessions (id, user_id, expires_at, created_at) values (?, ?, ?, ?)");
	await d1.batch(people.map(({ id }) => user.bind(id, `${id}@example.com`, now)));
	await d1.batch(
		people.flatMap(({ id, tokens }) =>
			tokens.map((token) =>
				session.bind(createHash("sha256").update(token).digest("hex"), id, now + 30 * 24 * 60 * 60, now),
			),
		),
	);
	return people;
}

/** Orders of every customer in turn, their payments made, and nobody told of it. */
async function placeOrders({ d1, stripe, control }: Shop, people: Person[]): Promise<string[]> {
	await control({ control: "webhooks", mode: "drop" });
	const secrets: string[] = [];
	const order = d1.prepare(
		"insert into orders (payment_intent_id, user_id, amount, status, created, placed_at, checked_at) values (?1, ?2, ?3, 'placed', ?4, ?4, ?4)",
	);
	const item = d1.prepare(
		"insert into order_items select ?, 0, id, title, image, price_cents, rating from products where price_cents = ?",
	);
	const rows: D1PreparedStatement[] = [];
	while (secrets.length < rate * seconds) {
		const intent = await stripe.paymentIntents.create({
			...{ amount, currency: "usd", payment_method: "pm_card_visa", confirm: true },
			...{ allowed_payment_method_types: ["card"], metadata: { shop: "half-dozen-local" } },
		});
		const owner = people[secrets.length % customers];
		if (!intent.client_secret || !owner) throw new Error("An intent has a secret, and a customer is there.");
		secrets.push(intent.client_secret);
		rows.push(order.bind(intent.id, owner.id, amount, now), item.bind(intent.id, amount));
	}
	await d1.batch(rows);
	return secrets;
}

/** Opens every socket, and notes how long after its cause each message comes. */
async function follow({ url }: Shop, people: Person[]): Promise<void> {
	const feed = new URL("/orders/feed", url.href.replace("http", "ws"));
	for (const { id, tokens } of people) {
		const opened = tokens.flatMap((token) =>
			Array.from({ length: socketsEach }, () => {
				let heard = 0;
				const socket = new WebSocket(feed, { headers: { Cookie: `__Host-session=${token}`, Origin: url.origin } });
				socket.addEventListener("message", () => {
					const since = asked.get(id)?.[heard++];
					if (since !== undefined) delays.push(performance.now() - since);
				});
				return new Promise((resolve, reject) => {
					socket.addEventListener("open", resolve);
					socket.addEventListener("close", ({ code }) => reject(new Error(`A socket was closed: ${code}`)));
				});
			}),
		);
		await Promise.all(opened);
	}
}

async function settle(index: number, clientSecret: string): Promise<void> {
	const id = people[index % customers]?.id ?? "";
	asked.get(id)?.push(performance.now());
	const response = await shop.fetch("/payments/settle", {
		method: "POST",
		headers: { "Content-Type": "application/json", Origin: shop.url.origin },
		body: JSON.stringify({ clientSecret }),
	});
	const text = await response.text();
	if (!text.includes('"paid"')) failures.push(`${response.status} ${text}`);
}
