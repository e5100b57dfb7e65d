// Measures the response times of pages and purchases while each call to D1 and to Stripe takes at least 50 or 150 ms,
// and derives from the differences how many calls are made one after another.
import { book } from "../../tests/support/catalogue.ts";
import { Customer } from "../../tests/support/customer.ts";
import { openShop, type Shop } from "../../tests/support/shop.ts";
import { progress } from "../scripts/progress.ts";
import { repetitions } from "./short.ts";
import { median, type Report } from "./table.ts";

const rounds = repetitions(5);
const near = 50;
const far = 150;
const paths = ["/", `/product/${book.id}`, "/login", "/checkout", "/payment", "/orders"];

/** Milliseconds by the name of what is measured. */
type Times = Map<string, number>;

interface Round {
	near: Times;
	/** Only D1 is far. */
	d1: Times;
	/** Only Stripe is far. */
	stripe: Times;
	far: Times;
}

export async function distance(report: Report): Promise<string[]> {
	const shop = await openShop();
	// fulfill makes the orders paid, as if the webhooks arrived later
	await shop.disableWebhooks();
	const customer = new Customer(shop);
	await customer.createAccount();
	const measured: Round[] = [];
	const begin = progress(rounds + 1);
	// the first round is a warm-up, in which V8 compiles the code
	for (let round = 0; round <= rounds; round++) {
		begin(round === 0 ? "warm-up" : "round");
		const result = {
			near: await measure(shop, customer, { d1: near, stripe: near }),
			d1: await measure(shop, customer, { d1: far, stripe: near }),
			stripe: await measure(shop, customer, { d1: near, stripe: far }),
			far: await measure(shop, customer, { d1: far, stripe: far }),
		};
		if (round > 0) measured.push(result);
	}
	await shop.close();
	const names = [...(measured[0]?.near.keys() ?? [])];
	for (const name of names) report(name, describe(measured, name));
	return [];
}

async function measure(shop: Shop, customer: Customer, latency: { d1: number; stripe: number }): Promise<Times> {
	await shop.control({ control: "d1_latency", milliseconds: latency.d1 });
	await shop.control({ control: "latency", milliseconds: latency.stripe });
	const times: Times = new Map();
	const visitors = { guest: new Customer(shop), customer };
	for (const [name, visitor] of Object.entries(visitors)) {
		const time = async <Result>(step: string, work: () => Promise<Result>): Promise<Result> => {
			const start = performance.now();
			const result = await work();
			times.set(`${name}, ${step}`, performance.now() - start);
			return result;
		};
		for (const path of paths) await readRest(await time(path, () => firstByte(visitor, path)));
		const clientSecret = await time("create", () => visitor.create(book.priceCents));
		const start = performance.now();
		await time("place", () => visitor.place(clientSecret, [book.id]));
		await time("confirm (browser to Stripe)", () => visitor.confirm(clientSecret));
		const response = await time("return", () => visitor.fulfill(clientSecret));
		times.set(`${name}, click to paid`, performance.now() - start);
		if (response.status !== 200) throw new Error(`POST /payments/fulfill returned ${response.status}.`);
	}
	return times;
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

/** Describes the median times. The calls are derived from the minimum times, which other load on the machine changes
 *  least. */
function describe(measured: Round[], name: string): string {
	const timesAt = (latency: keyof Round) => measured.map((round) => round[latency].get(name) ?? 0);
	const calls = (latency: keyof Round) =>
		Math.round((Math.min(...timesAt(latency)) - Math.min(...timesAt("near"))) / (far - near));
	return [
		`${median(timesAt("near")).toFixed(0)} ms at ${near} ms`,
		`${median(timesAt("far")).toFixed(0)} ms at ${far} ms`,
		`calls in sequence: ${calls("d1")} D1, ${calls("stripe")} Stripe`,
	].join(", ");
}
