import type { Entry } from "stripe-emulator/controls/journal.ts";
import { PUBLISHABLE_KEY } from "stripe-emulator/keys.ts";
import { openShop, type Shop } from "../../tests/support/shop.ts";

/** One kind of call that the shop's server makes to Stripe, as an example of it. */
export type StripeCall = Pick<Entry, "endpoint" | "method" | "path" | "params">;

const visa = "4242424242424242";
const declined = "4000000000000002";

/** Every kind of call that the built shop makes to Stripe, in the order of their first time: opens the shop with the
 *  emulator, buys in every way there is, and reads the emulator's journal. Two calls are of a kind when they go to the
 *  same endpoint with parameters of the same names. */
export async function recordStripeCalls(): Promise<StripeCall[]> {
	const shop = await openShop();
	try {
		const { results } = await shop.d1
			.prepare("select id, price_cents from products order by position limit 2")
			.all<Priced>();
		await buyInEveryWay(shop, results);
		return kindsOf((await shop.emulator()).journal);
	} finally {
		await shop.close();
	}
}

interface Priced {
	id: string;
	price_cents: number;
}

function kindsOf(journal: Entry[]): StripeCall[] {
	const kinds = new Map<string, StripeCall>();
	for (const { caller, endpoint, method, path, params } of journal.toReversed()) {
		if (caller !== "server") continue;
		const kind = [method, endpoint ?? path, ...Object.keys(params).toSorted()].join(" ");
		if (!kinds.has(kind)) kinds.set(kind, { endpoint, method, path, params });
	}
	return [...kinds.values()];
}

/** Everything that has the shop call Stripe. Webhooks arrive before the call that caused them is answered, and those
 *  that are dropped leave an order, or money without one, for the cron to find. Throws at an answer that is not the
 *  expected one: a purchase that stops half way would hide the calls after it. */
async function buyInEveryWay({ url, control, emulator }: Shop, [first, second]: Priced[]): Promise<void> {
	if (!first || !second) throw new Error("The catalogue has fewer than two products; are the migrations in place?");

	await control({ control: "webhooks", mode: "before_response" });
	const left = await create(first);
	await place(left, first);
	const bought = await create(second, left);
	await place(bought, second);
	await confirm(bought, declined, 402);
	await post("/payments/fulfill", { clientSecret: bought }, 409);
	await confirm(bought, visa);
	await post("/payments/fulfill", { clientSecret: bought });
	await requestIntent(first, bought, 409);
	await confirm(await create(first), visa);

	await control({ control: "webhooks", mode: "drop" });
	await place(await create(first), first);
	const unheard = await create(second);
	await place(unheard, second);
	await confirm(unheard, visa);
	await confirm(await create(second), visa);

	// payments that were never placed are canceled in the first run of an hour
	const untilAnHour = 7200 - ((await emulator()).now % 3600);
	for (const advance of [untilAnHour, 86_400]) {
		await control({ control: "clock", advance });
		await control({ control: "reconcile" });
	}

	async function create(product: Priced, previous?: string): Promise<string> {
		const answer = await requestIntent(product, previous);
		return (await answer.json<{ clientSecret: string }>()).clientSecret;
	}

	function requestIntent({ price_cents }: Priced, previous?: string, expected?: number) {
		const headers = { Origin: url.origin, ...(previous && { "previous-client-secret": previous }) };
		return ask(url, `/payments/create?total=${price_cents}`, { method: "POST", headers }, expected);
	}

	function place(clientSecret: string, { id }: Priced) {
		return post("/payments/place", { clientSecret, productIds: [id], customer: null });
	}

	/** As the card frame does it, which is no call of the shop's server. */
	function confirm(clientSecret: string, number: string, expected?: number) {
		const [id] = clientSecret.split("_secret_");
		const body = new URLSearchParams({
			"payment_method_data[type]": "card",
			"payment_method_data[card][number]": number,
			"payment_method_data[card][exp_month]": "12",
			"payment_method_data[card][exp_year]": "2040",
			"payment_method_data[card][cvc]": "123",
			use_stripe_sdk: "true",
			key: PUBLISHABLE_KEY,
			client_secret: clientSecret,
		});
		return ask(url, `/stripe-emulator/v1/payment_intents/${id}/confirm`, { method: "POST", body }, expected);
	}

	function post(path: string, body: object, expected?: number) {
		const headers = { Origin: url.origin, "Content-Type": "application/json" };
		return ask(url, path, { method: "POST", headers, body: JSON.stringify(body) }, expected);
	}
}

async function ask(url: URL, path: string, init?: RequestInit, expected = 200): Promise<Response> {
	const answer = await fetch(new URL(path, url), init);
	if (answer.status === expected) return answer;
	throw new Error(`${path} of the built shop answers ${answer.status}, not ${expected}: ${await answer.text()}`);
}
