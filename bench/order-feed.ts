// 1,000 pages of 100 customers follow their orders while 100 orders a second become paid: does every page hear of
// every order of its customer, how soon, and at what cost of memory? The orders are placed beforehand, and it is
// settle, asked as a browser asks it, that makes them paid and tells the feeds.
import { createHash, randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { openBareShop } from "../tests/support/bare-shop.ts";
import type { Shop } from "../tests/support/shop.ts";
import { upgrade } from "../tests/support/socket.ts";
import { memoryOfWorkerd } from "./memory.ts";
import { openStripe } from "./stripe.ts";
import { percentiles, table } from "./table.ts";

const customers = 100;
const sessionsEach = 2;
const socketsEach = 5;
const rate = 100;
const seconds = Number(process.argv[2] ?? 30);
const amount = 9899;

const stripe = await openStripe("half-dozen-local");
const shop = await openBareShop(stripe.secrets);
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
	const early = due - performance.now();
	if (early > 0) await setTimeout(early);
	settles.push(settle(index, secret));
	if (index % rate === rate - 1) memory.push(await memoryOfWorkerd());
}
await Promise.all(settles);
const took = (performance.now() - start) / 1000;
const expected = secrets.length * sessionsEach * socketsEach;
// what has not come by now has been lost: every settle was answered, and tells before it answers
await setTimeout(2000);
memory.push(await memoryOfWorkerd());

const megabytes = memory.map((bytes) => Math.round(bytes / 1e6));
console.info(
	table([
		["sockets", String(customers * sessionsEach * socketsEach)],
		["orders that became paid", `${secrets.length - failures.length} in ${took.toFixed(1)} s`],
		["messages delivered", `${delays.length} of ${expected}`],
		["from asking settle to the page (ms)", percentiles(delays)],
		["memory of workerd (MB)", `${megabytes[0]} before, ${Math.max(...megabytes)} at most, ${megabytes.at(-1)} after`],
		["memory on the way (MB)", megabytes.filter((_, second) => second % Math.ceil(seconds / 10) === 0).join(" ")],
	]),
);
if (failures.length > 0) console.info(`${failures.length} failed, the first: ${failures[0]}`);
await shop.close();
stripe.close();
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

/** Orders of every customer in turn, paid for at Stripe, and nobody has been told of it. */
async function placeOrders({ d1 }: Shop, people: Person[]): Promise<string[]> {
	const paid = Array.from({ length: rate * seconds }, () => stripe.pay(amount, now));
	const rows = JSON.stringify(paid.map(({ id }, index) => [id, people[index % customers]?.id]));
	await d1.batch([
		d1
			.prepare(
				`insert into orders (payment_intent_id, user_id, amount, status, created, placed_at, checked_at)
				select value ->> 0, value ->> 1, ?2, 'placed', ?3, ?3, ?3 from json_each(?1)`,
			)
			.bind(rows, amount, now),
		d1
			.prepare(
				`insert into order_items
				select value ->> 0, 0, p.id, title, image, price_cents, rating from json_each(?1), products p where price_cents = ?2`,
			)
			.bind(rows, amount),
	]);
	return paid.map(({ client_secret }) => String(client_secret));
}

/** Opens every socket, and notes how long after its cause each message comes. */
async function follow(shop: Shop, people: Person[]): Promise<void> {
	for (const { id, tokens } of people) {
		const pages = tokens.flatMap((token) => Array.from({ length: socketsEach }, () => token));
		await Promise.all(
			pages.map(async (token) => {
				const headers = { Cookie: `__Host-session=${token}`, Origin: shop.url.origin };
				const { webSocket, status } = await upgrade(shop, headers);
				if (!webSocket) throw new Error(`A page was refused the feed with ${status}.`);
				let heard = 0;
				webSocket.addEventListener("message", () => {
					const since = asked.get(id)?.[heard++];
					if (since !== undefined) delays.push(performance.now() - since);
				});
				webSocket.accept();
			}),
		);
	}
}

async function settle(index: number, clientSecret: string): Promise<void> {
	const id = people[index % customers]?.id ?? "";
	asked.get(id)?.push(performance.now());
	const answer = await shop
		.fetch("/payments/settle", {
			method: "POST",
			headers: { "Content-Type": "application/json", Origin: shop.url.origin },
			body: JSON.stringify({ clientSecret }),
		})
		.then(async (response) => `${response.status} ${await response.text()}`, String);
	if (answer !== '200 {"status":"paid"}') failures.push(answer);
}
