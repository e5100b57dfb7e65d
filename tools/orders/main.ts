import { createInterface } from "node:readline";
import type Stripe from "stripe";
import { normalizeEmail } from "#app/auth/email.server.ts";
import { firstCause } from "#app/http/log.server.ts";
import { paymentIntentIdPattern } from "#app/orders/find-order.server.ts";
import { withPayments } from "#app/payments/stripe-api.server.ts";
import { formatMoney } from "#app/ui/money.ts";
import { table } from "../bench/table.ts";
import { exit, readArguments } from "../scripts/arguments.ts";
import { openShop, shopHelp, shopOptions } from "../scripts/open-shop.ts";
import * as orders from "./orders.ts";

const help = `Usage: npm run orders -- COMMAND [--remote] [--port PORT] [--persist-to DIR]

The commands, for the owner of the shop:
  find EMAIL        lists the orders of an account
  find PAYMENT      lists the order of a payment (pi_…), and its items
  find NUMBER       does so by the order number: the last eight characters of the payment
  find LAST4        lists the orders of the cards that end with these four digits, also those of guests
  export EMAIL      prints what is stored about a person as JSON; with \`npm run --silent orders\`, nothing else
  erase EMAIL       deletes an account and its sessions, and keeps its orders without an owner
  revenue [MONTH]   adds up a month (UTC), such as 2026-11: from Stripe's balance if there is a key, otherwise from D1
${shopHelp}

Example: npm run orders -- find ada@example.com`;
const orderNumberPattern = /^[A-Za-z0-9]{8}$/;
const { values, positionals } = readArguments(help, shopOptions, () => true);
const [name = "", argument = "", ...others] = positionals;
const command = new Map(Object.entries({ find, export: exportAccount, erase, revenue })).get(name);
if (!command || others.length > 0 || (!argument && name !== "revenue")) exit(help);

// otherwise, wrangler would print its messages before the JSON
process.env["WRANGLER_LOG"] ??= "warn";
const shop = await openShop(values);
const { primary, dispose } = await shop.openD1();
const isoTime = (seconds: number) => new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
const links = (of: { paymentIntentId: string }[]) => of.map(({ paymentIntentId }) => shop.linkTo(paymentIntentId));
const withStripe = async <Result>(work: (stripe: Stripe) => Promise<Result>) =>
	withPayments(await shop.openServices(), primary, ({ stripe }) => work(stripe));
try {
	await command(argument);
} catch (error) {
	const message = firstCause(error).replace(/^Error: /, "");
	console.error(message.startsWith("no such table") ? "This database is empty. Run `npm start` first." : message);
	process.exitCode = 1;
} finally {
	await dispose();
}

async function find(what: string): Promise<void> {
	const found = await orders.readOrders(primary, await conditionOf(what));
	if (found.orders.length === 0) throw new Error(`D1 has no order for ${what}. Search for it in Stripe's dashboard.`);
	const rows = found.orders.map(({ paymentIntentId: id, created, status, amount, refunded, currency, owner }) => [
		...[id, isoTime(created), status, formatMoney(amount, currency), formatMoney(refunded, currency), owner],
		shop.linkTo(id),
	]);
	console.info(table([["payment", "created", "status", "amount", "refunded", "owner", "at Stripe"], ...rows]));
	if (!paymentIntentIdPattern.test(what) && !orderNumberPattern.test(what)) return;
	const priceOf = (cents: number) => formatMoney(cents, found.orders[0]?.currency);
	console.info(table(found.items.map((item) => [`${item.quantity} ×`, item.title, priceOf(item.priceCents)])));
}

async function conditionOf(what: string) {
	if (paymentIntentIdPattern.test(what)) return orders.isPaidBy([what]);
	if (orderNumberPattern.test(what)) return orders.hasNumber(what);
	if (!/^\d{4}$/.test(what)) return orders.isOwnedBy(await getAccount(what));
	return orders.isPaidBy(await withStripe((stripe) => orders.listPaymentsByCard(stripe, what)));
}

async function exportAccount(email: string): Promise<void> {
	const stored = await orders.exportAccount(primary, await getAccount(email));
	const stripe = { has: "billing details, receipt email, last digits of the card", payments: links(stored.orders) };
	const format = (key: string, value: unknown) => (/(created|At)$/.test(key) ? isoTime(Number(value)) : value);
	console.info(JSON.stringify({ ...stored, stripe }, format, 2));
}

async function erase(typed: string): Promise<void> {
	const account = await getAccount(typed);
	const stored = await orders.exportAccount(primary, account);
	console.info(`Account to delete: ${account.email}, created ${isoTime(account.createdAt)}
Sessions to delete: ${stored.sessions.length}
Orders to keep without an owner: ${stored.orders.length}`);
	if (!(await confirm(account))) throw new Error("That is another email. Nothing was changed.");
	const kept = await orders.eraseAccount(primary, account);
	console.info(`Deleted the account and its sessions. Orders without an owner: ${kept.length}
If D1 is restored to an earlier time, erase the account again.`);
	if (kept.length === 0) return;
	console.info(`At Stripe, these payments keep their billing details, the receipt email and, in the metadata, user_id, a random id
that no longer belongs to anyone. Keep the links, which D1 can no longer list. How to redact a payment, 90 days after
it: https://docs.stripe.com/privacy/deletion-requests. It can then not be refunded, and loses a dispute.`);
	for (const link of links(kept)) console.info(link);
}

/** Returns whether the operator types the email of the account. */
async function confirm({ email }: orders.Account): Promise<boolean> {
	process.stdout.write("Type the email to erase it: ");
	for await (const line of createInterface({ input: process.stdin })) return normalizeEmail(line) === email;
	return false;
}

async function revenue(typed: string): Promise<void> {
	const month = typed || new Date().toISOString().slice(0, 7);
	const period = orders.parseMonth(month);
	if (!period) throw new Error(`${month} is not a month. Type it as 2026-11.`);
	const fromStripe = (stripe: Stripe) => orders.readStripeRevenue(primary, stripe, period);
	const totals = await (shop.hasKey ? withStripe(fromStripe) : orders.readRevenue(primary, period));
	const rows = totals.map(({ currency, orders, ...amounts }) => [
		...[currency, String(orders)],
		...Object.values(amounts).map((amount) => formatMoney(amount, currency)),
	]);
	const source = shop.hasKey ? "Stripe's balance, with disputes as refunds" : "D1, which has no fees";
	console.info(`${month} (UTC), from ${source}:`);
	console.info(totals[0] ? table([Object.keys(totals[0]), ...rows]) : "no orders and no refunds");
}

async function getAccount(email: string): Promise<orders.Account> {
	const account = await orders.findAccount(primary, normalizeEmail(email) ?? "");
	if (account) return account;
	throw new Error(`No account has the email ${email}.`);
}
