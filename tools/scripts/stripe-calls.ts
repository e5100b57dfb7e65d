import type { Entry } from "stripe-emulator/controls/journal.ts";
import { book, mixer } from "../../tests/support/catalogue.ts";
import { Customer, totalOf } from "../../tests/support/customer.ts";
import { openShop, type Shop } from "../../tests/support/shop.ts";

/** An example of one kind of call that the shop's server makes to Stripe. */
export type StripeCall = Pick<Entry, "endpoint" | "method" | "path" | "params">;

/** Runs purchases with every possible outcome. Returns an example of every kind of call that the built shop made to
 *  Stripe, read from the emulator's journal, in the order of first use. Two calls are of the same kind if they have the
 *  same endpoint and parameter names. */
export async function recordStripeCalls(): Promise<StripeCall[]> {
	const shop = await openShop();
	try {
		await buyInEveryWay(shop);
		return listKinds((await shop.emulator()).journal);
	} finally {
		await shop.close();
	}
}

/** Runs the purchases. Throws on an unexpected status, because the later calls of a purchase that stopped halfway would
 *  be missing. */
async function buyInEveryWay(shop: Shop): Promise<void> {
	const shopper = new Customer(shop);

	await shop.control({ control: "webhooks", mode: "before_response" });
	const replaced = await shopper.placeOrder([book.id]);
	const bought = await shopper.create(totalOf([mixer.id]), replaced);
	await checkStatus(200, await shopper.place(bought, [mixer.id]));
	await checkStatus(409, await shopper.fulfill(bought));
	await shopper.confirm(bought);
	await checkStatus(200, await shopper.fulfill(bought));
	await checkStatus(409, await shopper.requestIntent(totalOf([book.id]), bought));
	await shopper.confirm(await shopper.create(totalOf([book.id])));

	// leave work for the cron: an unpaid order, an order whose payment is not recorded, and a payment without an order
	await shop.control({ control: "webhooks", mode: "drop" });
	await shopper.placeOrder([book.id]);
	await shopper.pay([mixer.id]);
	await shopper.confirm(await shopper.create(totalOf([mixer.id])));

	// the first cron run of each hour cancels payments without an order
	const nextHour = 7200 - ((await shop.emulator()).now % 3600);
	for (const seconds of [nextHour, 86_400]) {
		await shop.advance(seconds);
		await shop.reconcile();
	}
}

async function checkStatus(expected: number, response: Response): Promise<void> {
	if (response.status === expected) return;
	throw new Error(`${response.url} returned ${response.status}, not ${expected}: ${await response.text()}`);
}

function listKinds(journal: Entry[]): StripeCall[] {
	const kinds = new Map<string, StripeCall>();
	for (const { caller, endpoint, method, path, params } of journal.toReversed()) {
		// in production the shopper's browser confirms, not the server
		if (caller !== "server" || endpoint === "payment_intents.confirm") continue;
		const kind = [method, endpoint ?? path, ...Object.keys(params).toSorted()].join(" ");
		if (!kinds.has(kind)) kinds.set(kind, { endpoint, method, path, params });
	}
	return [...kinds.values()];
}
