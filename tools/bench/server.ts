// Requests per second of the shop's pages, each beside those of a bare page of the same framework on the same workerd
// that makes as many queries. The two take turns, since what else a machine does comes and goes: what counts is how they
// compare within a turn, and of all turns the one in the middle.
import { type Answered, load } from "./load.ts";
import { customerWith, open, withBarePage, withProduction } from "./production.ts";
import { type Measured, median, percentile, type Row } from "./table.ts";

const turns = 7;
const connections = 32;
const milliseconds = 1500;

const pages = [
	{ name: "home, guest", path: "/", signedIn: false, queries: 0 },
	{ name: "product, guest", path: "/product/12321341", signedIn: false, queries: 0 },
	{ name: "login, guest", path: "/login", signedIn: false, queries: 0 },
	{ name: "home, customer", path: "/", signedIn: true, queries: 1 },
	{ name: "orders, customer with three", path: "/orders", signedIn: true, queries: 2 },
];

/** The least that a page may reach of the bare page's requests per second. */
const goal = 0.6;

export function server(): Promise<Measured> {
	return withProduction((production) =>
		withBarePage(async (barePage) => {
			const shop = await open(production);
			const bare = await open(barePage);
			const customer = await customerWith(shop, 3);
			const ask = (url: URL, headers: Record<string, string>) =>
				load({ url: String(url), headers, connections, milliseconds });
			const rows: Row[] = [];
			for (const { name, path, signedIn, queries } of pages) {
				const headers = signedIn ? customer : {};
				const measured: { bare: Answered; page: Answered }[] = [];
				// the first turn is for V8 to compile what is asked for
				for (let turn = 0; turn <= turns; turn++) {
					const answered = {
						bare: await ask(new URL(`/${queries}`, bare.url), {}),
						page: await ask(new URL(path, shop.url), headers),
					};
					if (turn > 0) measured.push(answered);
				}
				rows.push([name, describe(measured, queries)]);
			}
			await shop.close();
			await bare.close();
			return { rows, failures: [] };
		}),
	);
}

function describe(measured: { bare: Answered; page: Answered }[], queries: number): string {
	const ratio = median(measured.map(({ bare, page }) => page.perSecond / bare.perSecond));
	const perSecond = median(measured.map(({ page }) => page.perSecond));
	const p99 = percentile(
		measured.flatMap(({ page }) => page.times),
		0.99,
	);
	return [
		`${perSecond.toFixed(0)} a second`,
		`${(ratio * 100).toFixed(0)} % of a bare page with ${queries} queries (goal ${goal * 100})`,
		`p99 ${p99.toFixed(0)} ms (goal 250)`,
	].join(", ");
}
