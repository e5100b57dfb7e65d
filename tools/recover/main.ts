import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { defaultKeys } from "stripe-emulator/keys.ts";
import * as z from "zod/mini";
import { openPrimary } from "#app/http/databases.server.ts";
import { firstCause } from "#app/http/log.server.ts";
import { timeouts } from "#app/http/timeout.server.ts";
import { withPayments } from "#app/payments/stripe-api.server.ts";
import { stripeAccount } from "#app/payments/stripe-config.server.ts";
import type { StripeAccount } from "#app/services.server.ts";
import { formatMoney } from "#app/ui/money.ts";
import { table } from "../bench/table.ts";
import { readArguments } from "../scripts/arguments.ts";
import { localState } from "../scripts/migrate.ts";
import { environment } from "../scripts/run.ts";
import { readDevVars } from "../vite/dev-vars.ts";
import { type Finding, recover } from "./recover.ts";

const help = `Usage: npm run recover -- --since TIME [--apply] [--remote] [--port PORT] [--persist-to DIR]

Compares this shop's payments at Stripe since TIME with the orders in D1, after D1 was restored to an earlier state. TIME
is at most 30 days ago, such as 2026-11-29T10:00Z. Changes nothing, unless:
  --apply           stores lost orders that have a copy at Stripe, marks orders as paid and records refunds
The database and the Stripe account are those of this machine, unless:
  --remote          uses the database of [env.production], and the Worker's STRIPE_SECRET_KEY from the environment
Without Stripe keys, uses the emulator of \`npm start\`:
  --port PORT       its port, 8787 by default
  --persist-to DIR  its database, in ${localState}/ by default

Example: npm run recover -- --since 2026-11-29T10:00Z --apply`;
const { values } = readArguments(help, {
	since: { type: "string", default: "" },
	apply: { type: "boolean", default: false },
	remote: { type: "boolean", default: false },
	port: { type: "string", default: "8787" },
	"persist-to": { type: "string", default: localState },
});
const since = Math.floor(Date.parse(values.since) / 1000);
const age = Date.now() / 1000 - since;
if (!(age > 0 && age <= 30 * 24 * 60 * 60)) {
	exit(
		`--since must be a time of the last 30 days, of which Stripe lists events, such as ${new Date().toISOString()}.`,
	);
}

// before wrangler is loaded, which reads them
Object.assign(process.env, environment);
const { getPlatformProxy, unstable_readConfig } = await import("wrangler");
const env = values.remote ? { env: "production" } : {};
const { vars, d1_databases, compatibility_date } = unstable_readConfig(
	{ config: "wrangler.toml", ...env },
	{ hideWarnings: true },
);
const account = values.remote || readDevVars()["STRIPE_SECRET_KEY"] ? readAccount() : await readEmulator();
const { env: bindings, dispose } = await openD1();
const services = {
	...{ stripe: account, timeouts },
	now: () => Math.floor(Date.now() / 1000),
	orderFeed: () => ({ fetch: refuse, notify: async () => undefined, disconnect: refuse }),
};
try {
	const primary = openPrimary(bindings.DB);
	print(await withPayments(services, primary, (payments) => recover(payments, since, values.apply)));
} catch (error) {
	console.error(`${firstCause(error)}\nRun the command again: it continues.`);
	process.exitCode = 1;
} finally {
	await dispose();
}

/** Opens the local database, or that of the production environment. */
function openD1() {
	const [database] = d1_databases;
	if (!database) exit("wrangler.toml has no [[d1_databases]].");
	const folder = "node_modules/.cache/recover";
	mkdirSync(folder, { recursive: true });
	const configPath = `${folder}/wrangler.json`;
	const { binding, database_name } = database;
	const database_id = values.remote ? findDatabase(database_name) : database.database_id;
	const d1 = { binding, database_name, database_id, remote: values.remote };
	writeFileSync(configPath, JSON.stringify({ name: "recover", compatibility_date, d1_databases: [d1] }));
	const persist = { path: resolve(values["persist-to"], "v3") };
	return getPlatformProxy<{ DB: D1Database }>({ configPath, persist, remoteBindings: values.remote });
}

/** Returns the id of the deployed database, which wrangler.toml need not have. */
function findDatabase(name: string | undefined): string {
	const { status, stdout, stderr } = spawnSync("wrangler", ["d1", "list", "--json"], {
		encoding: "utf8",
		env: environment,
	});
	if (status !== 0) exit(`${stderr}\nSign in with \`npx wrangler login\`, or set CLOUDFLARE_API_TOKEN, and try again.`);
	const databases = z.array(z.object({ name: z.string(), uuid: z.string() })).parse(JSON.parse(stdout));
	const found = databases.find((database) => database.name === name);
	return found?.uuid ?? exit(`This Cloudflare account has no database named ${name}.`);
}

/** Returns the account of STRIPE_SECRET_KEY, which also verifies the copies of orders. */
function readAccount(): StripeAccount {
	const key = process.env["STRIPE_SECRET_KEY"] ?? (values.remote ? "" : readDevVars()["STRIPE_SECRET_KEY"]) ?? "";
	const unused = { STRIPE_PUBLISHABLE_KEY: "unused", STRIPE_WEBHOOK_SECRET: "unused" };
	const account = stripeAccount({ STRIPE_SECRET_KEY: key, ...unused, SHOP_ID: String(vars["SHOP_ID"]) });
	return "missing" in account ? exit("Set STRIPE_SECRET_KEY in the environment to the Worker's key.") : account;
}

/** Returns the account of the emulator that `npm start` runs. */
async function readEmulator(): Promise<StripeAccount> {
	const base = `http://localhost:${values.port}`;
	// the shop has its signing key after its first request
	const state: unknown = await fetch(`${base}/healthz`)
		.then(() => fetch(`${base}/stripe-emulator/state`))
		.then((response) => response.json())
		.catch(() => exit(`${base} does not answer. Run \`npm start\` first.`));
	const { signingKey } = z.object({ signingKey: z.string() }).parse(state);
	const call: typeof fetch = (input, init) => {
		const { pathname, search } = new URL(String(input));
		return fetch(`${base}/stripe-emulator${pathname}${search}`, init);
	};
	const sources = { script: [], frame: [], connect: [] };
	return { ...defaultKeys, signingKey, fetch: call, scriptUrl: null, sources, shopId: String(vars["SHOP_ID"]) };
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
	if (open.length > 0) console.info("What to do: docs/operations.md#restoring-d1");
}

async function refuse(): Promise<never> {
	throw new Error("This command does not use the feed.");
}

function exit(message: string): never {
	console.error(message);
	process.exit(1);
}
