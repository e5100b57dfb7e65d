import { firstCause } from "#app/http/log.server.ts";
import { withPayments } from "#app/payments/stripe-api.server.ts";
import { formatMoney } from "#app/ui/money.ts";
import { table } from "../bench/table.ts";
import { exit, readArguments } from "../scripts/arguments.ts";
import { openShop, shopHelp, shopOptions } from "../scripts/open-shop.ts";
import { type Finding, recover } from "./recover.ts";

const help = `Usage: npm run recover -- --since TIME [--apply] [--remote] [--port PORT] [--persist-to DIR]

Compares this shop's payments at Stripe since TIME with the orders in D1, after D1 was restored to an earlier state. TIME
is at most 30 days ago, such as 2026-11-29T10:00Z. Changes nothing, unless:
  --apply           stores lost orders that have a copy at Stripe, marks orders as paid and records refunds
${shopHelp}

Example: npm run recover -- --since 2026-11-29T10:00Z --apply`;
const { values } = readArguments(help, {
	since: { type: "string", default: "" },
	apply: { type: "boolean", default: false },
	...shopOptions,
});
const since = Math.floor(Date.parse(values.since) / 1000);
const age = Date.now() / 1000 - since;
if (!(age > 0 && age <= 30 * 24 * 60 * 60)) {
	exit(
		`--since must be a time of the last 30 days, of which Stripe lists events, such as ${new Date().toISOString()}.`,
	);
}

const shop = await openShop(values);
const services = await shop.openServices();
const { primary, dispose } = await shop.openD1();
try {
	print(await withPayments(services, primary, (payments) => recover(payments, since, values.apply)));
} catch (error) {
	console.error(`${firstCause(error)}\nRun the command again: it continues.`);
	process.exitCode = 1;
} finally {
	await dispose();
}

function print(findings: Finding[]): void {
	const rows = findings.map(({ id, created, amount, currency, before, after, owner }) => [
		id,
		created === null ? "" : new Date(created * 1000).toISOString().replace(".000Z", "Z"),
		formatMoney(amount, currency),
		before === after ? before : `${before} -> ${after}`,
		owner,
	]);
	console.info(table([["payment", "created", "amount", "state in D1", "owner"], ...rows]));
	const open = findings.filter(({ after }) => after !== "present");
	const changed = findings.filter(({ before, after }) => before !== after).length;
	console.info(`${findings.length} payments, ${changed} changed, ${open.length} differ from Stripe.`);
	if (open.length > 0) console.info("What to do: docs/incidents.md#restoring-d1");
}
