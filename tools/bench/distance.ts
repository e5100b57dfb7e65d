// Measures the response times of pages and purchases while each call to D1 and to Stripe takes at least 50 or 150 ms,
// and derives from the difference how many calls are made one after another.
import { book } from "../../tests/support/catalogue.ts";
import { Customer } from "../../tests/support/customer.ts";
import { openShop } from "../../tests/support/shop.ts";
import { progress } from "../scripts/progress.ts";
import { limits, repetitions } from "./limits.ts";
import type { Report } from "./table.ts";

const rounds = repetitions(8);
const [near, far] = [50, 150];
const paths = ["/", `/product/${book.id}`, "/login", "/checkout", "/payment", "/orders"];

/** The minimum milliseconds by the name of what is measured. Other load on the machine changes the minimum least. */
type Times = Map<string, number>;

export async function distance(report: Report): Promise<void> {
	const shop = await openShop();
	// fulfill makes the orders paid, as if the webhooks arrived later
	await shop.disableWebhooks();
	const visitors = { guest: new Customer(shop), customer: new Customer(shop) };
	await visitors.customer.createAccount();
	const [timesNear, timesFar]: [Times, Times] = [new Map(), new Map()];
	const begin = progress(rounds);
	for (let round = 0; round < rounds; round++) {
		begin("round");
		for (const [times, milliseconds] of [[timesNear, near] as const, [timesFar, far] as const]) {
			await shop.control({ control: "d1_latency", milliseconds });
			await shop.control({ control: "latency", milliseconds });
			for (const [name, visitor] of Object.entries(visitors)) await measure(name, visitor, times);
		}
	}
	await shop.close();
	for (const [name, time] of timesFar) {
		const timeNear = timesNear.get(name) ?? Number.NaN;
		const calls = Math.round((time - timeNear) / (far - near));
		const text = `${timeNear.toFixed(0)} ms at ${near} ms, ${time.toFixed(0)} ms at ${far} ms, calls in sequence: ${calls}`;
		if (name.endsWith("click to paid")) report(name, text, [[limits.purchaseTime, time]]);
		else report(name, text, [[/place|return/.test(name) ? limits.orderCalls : limits.calls, calls]]);
	}
}

/** Requests the pages and buys, and keeps the minimum times. */
async function measure(name: string, visitor: Customer, times: Times): Promise<void> {
	const minimum = (step: string) => times.get(`${name}, ${step}`) ?? Number.POSITIVE_INFINITY;
	const time = async <Result>(step: string, work: () => Promise<Result>): Promise<Result> => {
		const start = performance.now();
		const result = await work();
		times.set(`${name}, ${step}`, Math.min(performance.now() - start, minimum(step)));
		return result;
	};
	for (const path of paths) await readRest(await time(path, () => firstByte(visitor, path)));
	const clientSecret = await time("create", () => visitor.create(book.priceCents));
	await time("place", () => visitor.place(clientSecret, [book.id]));
	await time("confirm", () => visitor.confirm(clientSecret));
	const response = await time("return", () => visitor.fulfill(clientSecret));
	if (response.status !== 200) throw new Error(`POST /payments/fulfill returned ${response.status}.`);
	times.set(`${name}, click to paid`, minimum("place") + minimum("confirm") + minimum("return"));
}

/** Requests a page. Resolves to the rest of its body as soon as the first bytes are received. */
async function firstByte(visitor: Customer, path: string) {
	const reader = (await visitor.fetch(path)).body?.getReader();
	await reader?.read();
	return reader;
}

async function readRest(reader: Awaited<ReturnType<typeof firstByte>>): Promise<void> {
	while (reader && !(await reader.read()).done);
}
