import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { book, products } from "./support/catalogue.ts";

// The arithmetic of docs/scale.md. Limits are rounded down.

const page = readFileSync("docs/scale.md", "utf8");
const text = page.replace(/\s+/g, " ");
const number = "\\d[\\d,]*(?:\\.\\d+)?";
const parse = (digits: string) => Number(digits.replaceAll(",", ""));

/** Returns the numbers of a sentence of the page, in which each `#` stands for a number. */
function read(sentence: string): number[] {
	const pattern = sentence.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("#", `(${number})`);
	const found = new RegExp(pattern).exec(text);
	if (!found) throw new Error(`docs/scale.md does not contain the sentence "${sentence}".`);
	return found.slice(1).map(parse);
}

/** Checks the numbers of a sentence of the page. */
function states(sentence: string, ...numbers: number[]): void {
	expect(read(sentence), sentence).toEqual(numbers);
}

/** Returns the only number of a sentence of the page. */
const readOne = (sentence: string) => read(sentence)[0] ?? Number.NaN;

/** Returns the rows of the table below a heading, without its header. */
function table(heading: string): string[][] {
	const [, section = ""] = page.split(`\n## ${heading}\n`);
	const [, , ...rows] = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("|"));
	return rows.map((row) =>
		row
			.replaceAll("**", "")
			.split("|")
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
}

/** Evaluates a sum of products and quotients. */
function evaluate(sum: string): number {
	return sum
		.split(" + ")
		.map((term) =>
			term
				.split(" × ")
				.map((factor) =>
					factor
						.split(" / ")
						.map(parse)
						.reduce((a, b) => a / b),
				)
				.reduce((a, b) => a * b),
		)
		.reduce((a, b) => a + b);
}

test("every equation on the page is correct", () => {
	const equations = [...text.matchAll(new RegExp(`(${number}(?: [×/+] ${number})+) = (${number})`, "g"))];
	expect(equations.length).toBeGreaterThan(15);
	for (const [equation, left = "", right = ""] of equations) {
		const unit = 10 ** (right.split(".")[1]?.length ?? 0);
		const exact = evaluate(left) * unit;
		expect([Math.floor(exact + 1e-9), Math.round(exact)], equation).toContain(Math.round(parse(right) * unit));
	}
});

test("the totals of the table of queries are the sums of its rows", () => {
	const rows = table("D1 queries per order");
	const [customers = [], guests = []] = rows.splice(-2);
	/** Adds up a column: numbers, or terms like "6 + n". "2; 1 for a guest" is 2 for a customer and 1 for a guest. */
	function total(column: number, isGuest: boolean): string {
		const sums = new Map<string, number>();
		for (const row of rows) {
			const cell = row[column] ?? "";
			for (const term of (isGuest ? cell.split("; ").at(-1)?.replace(" for a guest", "") : cell.split(";")[0])?.split(
				" + ",
			) ?? []) {
				const [, count = "", name = ""] = /^(\d*)(n?)$/.exec(term) ?? [];
				sums.set(name, (sums.get(name) ?? 0) + Number(count || 1));
			}
		}
		const perItem = sums.get("n");
		return perItem ? `${sums.get("")} + ${perItem > 1 ? perItem : ""}n` : String(sums.get(""));
	}
	expect(customers).toEqual(["a customer's order", ...[1, 2, 3].map((column) => total(column, false))]);
	expect(guests).toEqual(["a guest's order", ...[1, 2, 3].map((column) => total(column, true))]);
});

const [stripeLimit = 0, endpointLimit = 0] = read(
	"allows # calls a second for an account in live mode, and # for each endpoint",
);

test("the limits follow from the counts and the prices of a query", () => {
	const [, queries, writes] = table("D1 queries per order").at(-2)?.map(Number) ?? [];
	const reads = Number(queries) - Number(writes);
	states("The limit per endpoint allows # / 1 = #", endpointLimit, endpointLimit);
	states("the limit per account would allow # / 3 = #", stripeLimit, Math.floor(stripeLimit / 3));
	const [testLimit = 0] = read("Test mode allows # calls a second in total");
	states("in total, enough for # orders", Math.floor(testLimit / 3));
	states("**Stripe, at about # orders a second.**", endpointLimit);

	const [perSecond = 0, read1 = 0] = read("it can process about # a second if each takes # ms");
	expect(perSecond).toBe(1000 / read1);
	const [read2 = 0, write = 0] = read("If a query takes # ms and a write # ms");
	expect(read2).toBe(read1);
	const cost = reads * read1 + Number(writes) * write;
	states("a customer's order takes # × # + # × # = # ms", reads, read1, Number(writes), write, cost);
	states("the limit is # / # = # orders a second", 1000, cost, Math.floor(1000 / cost));
	states("**D1's primary, at about # orders a second.**", Math.floor(1000 / cost));
	const slowWrite = readOne("If a write takes # ms, the limit");
	const slow = reads * read1 + Number(writes) * slowWrite;
	states("If a write takes # ms, the limit is # / # = #.", slowWrite, 1000, slow, Math.floor(1000 / slow));

	const gigabytes = readOne("A database has at most # GB");
	const [order = 0, account = 0] = read("takes about # bytes with its indexes, an account about # and");
	const millions = Math.floor((gigabytes * 1000) / order);
	states("**D1's size, at about # million orders.**", millions);
	states("creates an account, the limit is # million", Math.floor((gigabytes * 1000) / (order + account)));
	const perDay = 86_400 * endpointLimit;
	states("are 86,400 × # = # a day", endpointLimit, perDay);
	states("fill the database in # / # = # days", millions, perDay / 1e6, Math.floor((millions * 1e6) / perDay));
});

test("reconcile's throughput follows from its calls and their durations", () => {
	const [interval = 0, budget = 0] = read("A run every # seconds lasts up to # seconds");
	const maxCalls = readOne("limits an invocation to # calls to D1");
	const [stripe = 0, d1 = 0] = read("a call to Stripe takes # ms and a call to D1 takes # ms").map((ms) => ms / 1000);
	const rows = table("Reconcile throughput").map((row) => row.slice(1).map(parse));
	for (const [stripeCalls = 0, d1Calls = 0, inTime, inCalls] of rows) {
		const time = stripeCalls * stripe + d1Calls * d1;
		expect([inTime, inCalls], `${time} s`).toEqual([Math.floor(budget / time), Math.floor(maxCalls / d1Calls)]);
	}
	const [
		[, olderCalls = 0, , olderPages = 0] = [],
		[, recentCalls = 0] = [],
		[, resolveCalls = 0, , resolved = 0] = [],
	] = rows;

	const overlap = readOne("those of the # seconds before again");
	const span = interval + overlap;
	states("# + # = # seconds of events", interval, overlap, span);
	/** The work of a run that reads the events of `rate` orders a second. */
	function runAt(rate: number) {
		const [older, recent] = [(rate * interval) / 100, (rate * overlap) / 100];
		const pages = older + recent;
		const reading = older * olderCalls + recent * recentCalls;
		// two queries after every ten pages list other work
		const listing = (2 * pages) / 10;
		const seconds = pages * stripe + (reading + listing) * d1;
		// four queries before and after the turns
		return { older, recent, pages, reading, listing, seconds, calls: reading + listing + 4 };
	}
	const rate = endpointLimit;
	const run = runAt(rate);
	states("At # orders a second, these are # × # = # events", rate, rate, span, rate * span);
	states("events, or # pages: # older and # recent ones", run.pages, run.older, run.recent);
	states("and # to list other work after every ten pages", run.listing);
	const seconds = Math.round(run.seconds);
	states("take # × # + # × # = # seconds.", run.pages, stripe, run.reading + run.listing, d1, seconds);
	const left = maxCalls - run.calls;
	states("The run then has # seconds and # calls left.", budget - seconds, left);
	const max = Math.floor(budget / runAt(1).seconds);
	states(
		"at # events a second, the pages take the # seconds and # calls to D1",
		max,
		budget,
		Math.floor(runAt(max).calls),
	);
	expect(runAt(max).calls).toBeLessThan(maxCalls);
	states("Beyond # events a second, a run", max);
	states("at most 1 / # = # a second", stripe, Math.floor(1 / stripe));
	states("beyond # events a run, # a second", 100 * olderPages, Math.floor((100 * olderPages) / interval));

	const missed = 3600 * rate;
	states("at # orders a second, 3,600 × # = # orders", rate, rate, missed);
	const others = Math.floor(left / resolveCalls);
	states("A run resolves # / # = # of the others", left, resolveCalls, others);
	expect(others * (stripe + resolveCalls * d1)).toBeLessThan(budget - seconds);
	states("as if # % of the browsers did not return", Math.round((100 * others) / (rate * interval)));
	const [percent = 0, remaining = 0] = read("If # % do not return, # orders remain");
	expect(remaining).toBe((missed * percent) / 100);
	const runs = Math.ceil(remaining / resolved);
	states("resolve # each, so these take # / # = # runs", resolved, remaining, resolved, runs);
	states("runs, or # hours", (runs * interval) / 3600);
});

test("the costs follow from the quantities and the prices", () => {
	const rows = table("Cost of 1,000 orders");
	const components = rows.slice(0, 6).map(([name = "", used = "", price = "", included = "", cost = ""]) => {
		const [quantity = ""] = used.split(" = ").slice(-1);
		return { name, used: parse(quantity), price: parse(price.slice(1)), included: 1e6 * parse(included), cost };
	});
	const exact = components.map(({ used, price }) => (used * price) / 1e6);
	for (const [index, { name, cost }] of components.entries()) expect(cost, name).toBe(`$${exact[index]?.toFixed(3)}`);
	const total = exact.reduce((a, b) => a + b);
	expect(rows[6]).toEqual(["Cloudflare", "", "", "", `$${total.toFixed(2)}`]);
	states("costs about # cents at Cloudflare", Number((total / 10).toFixed(3)));

	// the component that first exceeds what is included
	const first = components.toSorted((a, b) => a.included / a.used - b.included / b.used)[0];
	expect(first?.name).toContain("CPU");
	const orders = Math.floor(Number(first?.included) / Number(first?.used));
	states("up to about # orders a month", 1000 * orders);

	const [, written = "", perItem = ""] =
		/^(\d+) \+ (\d*)n$/.exec(table("D1 queries per order").at(-2)?.[3] ?? "") ?? [];
	const [perOrder = 0, perAccount = 0, perSession = 0] = read("# for the order, # for the account, # for the session");
	states("creating an account writes # rows, creating a session #,", perAccount, perSession);
	// two items
	expect(perOrder).toBe(Number(written) + 2 * Number(perItem || 1));
	const rowsWritten = perOrder + perAccount + perSession;
	states("| # × 1,000 = # | $1.00 |", rowsWritten, 1000 * rowsWritten);
	const [order = 0, account = 0, session = 0] = read(
		"takes about # bytes with its indexes, an account about # and a session about #.",
	);
	states("with accounts and sessions, # MB", (order + account + session) / 1000);

	const fees = rows.slice(7).map(([name = "", , , , fee = ""]) => {
		const price = parse(/\$([\d.,]*\d)/.exec(name)?.[1] ?? "");
		return { price, fee, exact: 1000 * (0.029 * price + 0.3) };
	});
	for (const { price, fee, exact } of fees)
		expect(fee, `$${price}`).toBe(`$${Math.round(exact).toLocaleString("en-US")}`);
	const average = products.reduce((sum, { priceCents }) => sum + priceCents, 0) / products.length;
	expect(fees.map(({ price }) => Math.round(100 * price))).toEqual([book.priceCents, Math.round(average)]);
	const [[cents = 0], [dollars = 0]] = [read("between # cents and"), read("cents and # dollars")];
	expect([Math.round(Number(fees[0]?.exact) / 10), Math.round(Number(fees[1]?.exact) / 1000)]).toEqual([
		cents,
		dollars,
	]);
});
