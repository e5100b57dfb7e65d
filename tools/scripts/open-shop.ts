import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { defaultKeys } from "stripe-emulator/keys.ts";
import * as z from "zod/mini";
import { openPrimary } from "#app/http/databases.server.ts";
import { timeouts } from "#app/http/timeout.server.ts";
import { stripeAccount } from "#app/payments/stripe-config.server.ts";
import type { StripeAccount } from "../../app/http/services.server.ts";
import { readDevVars } from "../vite/dev-vars.ts";
import { exit } from "./arguments.ts";
import { localState } from "./migrate.ts";
import { environment } from "./run.ts";

/** The command-line options of `openShop`. */
export const shopOptions = {
	remote: { type: "boolean", default: false },
	port: { type: "string", default: "8787" },
	"persist-to": { type: "string", default: localState },
} as const;

/** The lines about these options in a command's help. */
export const shopHelp = `The database and the Stripe account are those of this machine, unless:
  --remote          uses the database of [env.production], and the Worker's STRIPE_SECRET_KEY from the environment
Without Stripe keys, uses the emulator of \`npm start\`:
  --port PORT       its port, 8787 by default
  --persist-to DIR  its database, in ${localState}/ by default`;

/** Returns the functions that open the shop's D1 and its Stripe account. If one is not reachable, the function exits
 *  with a message that says what to do next. */
export async function openShop(options: { remote: boolean; port: string; "persist-to": string }) {
	const { remote, port, "persist-to": state } = options;
	// before wrangler is loaded, which reads them
	Object.assign(process.env, environment);
	const { getPlatformProxy, unstable_readConfig } = await import("wrangler");
	const env = remote ? { env: "production" } : {};
	const { vars, d1_databases, compatibility_date } = unstable_readConfig(
		{ config: "wrangler.toml", ...env },
		{ hideWarnings: true },
	);
	const shopId = String(vars["SHOP_ID"]);
	const inDevVars = remote ? undefined : readDevVars()["STRIPE_SECRET_KEY"];
	const isReal = remote || Boolean(inDevVars);
	const key = isReal ? (process.env["STRIPE_SECRET_KEY"] ?? inDevVars ?? "") : "";
	const dashboard = `https://dashboard.stripe.com/${/^[rs]k_test_/.test(key) ? "test/" : ""}payments/`;
	return {
		/** Whether there is the key of an account at Stripe. */
		hasKey: key !== "",
		/** Returns the address of a payment in Stripe's dashboard, or in the emulator's console. */
		linkTo: (id: string) => (isReal ? dashboard + id : `http://localhost:${port}/stripe-emulator/#${id}`),
		/** Returns what `withPayments` needs. The account's key also verifies the copies of orders. */
		openServices: async () => ({
			...{ stripe: isReal ? readAccount(key, shopId) : await readEmulator(port, shopId), timeouts },
			now: () => Math.floor(Date.now() / 1000),
			orderFeed: () => ({ fetch: refuse, notify: async () => undefined, disconnect: refuse }),
		}),
		/** Opens the local database, or that of the production environment. */
		async openD1() {
			const [database] = d1_databases;
			if (!database) exit("wrangler.toml has no [[d1_databases]].");
			const folder = "node_modules/.cache/open-shop";
			mkdirSync(folder, { recursive: true });
			const configPath = `${folder}/wrangler.json`;
			const { binding, database_name } = database;
			const database_id = remote ? findDatabase(database_name) : database.database_id;
			const d1 = { binding, database_name, database_id, remote };
			writeFileSync(configPath, JSON.stringify({ name: "open-shop", compatibility_date, d1_databases: [d1] }));
			const proxied = { configPath, persist: { path: resolve(state, "v3") }, remoteBindings: remote };
			console.error(`Database: ${remote ? database_name : resolve(state)}`);
			const { env, dispose } = await getPlatformProxy<{ DB: D1Database }>(proxied);
			return { primary: openPrimary(env.DB), dispose };
		},
	};
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

function readAccount(key: string, shopId: string): StripeAccount {
	const unused = { STRIPE_PUBLISHABLE_KEY: "unused", STRIPE_WEBHOOK_SECRET: "unused" };
	const account = stripeAccount({ STRIPE_SECRET_KEY: key, ...unused, SHOP_ID: shopId });
	return "missing" in account ? exit("Set STRIPE_SECRET_KEY in the environment to the Worker's key.") : account;
}

/** Returns the account of the emulator that `npm start` runs. */
async function readEmulator(port: string, shopId: string): Promise<StripeAccount> {
	const base = `http://localhost:${port}`;
	// the shop has its signing key after its first request
	const state: unknown = await fetch(`${base}/healthz`)
		.then(() => fetch(`${base}/stripe-emulator/state`))
		.then((response) => response.json())
		.catch(() => exit(`${base} does not answer. Run \`npm start\` first, or set --port.`));
	const { signingKey } = z.object({ signingKey: z.string() }).parse(state);
	const call: typeof fetch = (input, init) => {
		const { pathname, search } = new URL(String(input));
		return fetch(`${base}/stripe-emulator${pathname}${search}`, init);
	};
	const sources = { script: [], frame: [], connect: [] };
	return { ...defaultKeys, signingKey, fetch: call, scriptUrl: null, sources, shopId };
}

async function refuse(): Promise<never> {
	throw new Error("This command does not use the feed.");
}
