import { readFile, rm, writeFile } from "node:fs/promises";
import Stripe from "stripe";
import { createTestHarness } from "wrangler";
import { z } from "zod";
import type { Control } from "../../stripe-emulator/controls/answer-control.ts";
import type { EmulatorState } from "../../stripe-emulator/controls/state.ts";
import { SECRET_KEY } from "../../stripe-emulator/keys.ts";

// where this machine is does not matter to a test, and asking would need a network
process.env["CLOUDFLARE_CF_FETCH_ENABLED"] = "false";

/** The built shop on real workerd with a D1 and an emulator of its own. */
export interface Shop {
	url: URL;
	fetch(path: string, init?: RequestInit): Promise<Response>;
	d1: D1Database;
	/** The real SDK, talking to the shop's emulator. */
	stripe: Stripe;
	/** Does something to the shop's emulator, or to the shop through it. Answers what came of it, once it has. */
	control<Result>(asked: Control): Promise<Result>;
	/** No webhook comes, and no other word of what happens at Stripe. */
	nobodyTells(): Promise<void>;
	/** Time passes. */
	advance(seconds: number): Promise<void>;
	/** The cron runs. */
	reconcile(): Promise<void>;
	/** What the emulator has to show. */
	emulator(): Promise<EmulatorState>;
	/** What the Worker has written to its log. */
	logs(): string;
	close(): Promise<void>;
}

/** A shop that is run by wrangler's own harness. */
export interface ServedShop extends Shop {
	/** Takes a customer's feed out of memory, as Cloudflare does when nothing happens or a machine is lost: its sockets
	 *  hibernate or close. */
	evictFeed(userId: string, webSockets: "hibernate" | "close"): Promise<void>;
}

interface ShopOptions {
	secrets?: Record<string, string>;
	configPath?: string;
	/** Lets everybody ask as often as they like: all browsers of this machine have one address. */
	unlimited?: boolean;
}

/** Starts a shop with an empty database but for the catalogue; needs `npm run build`. Close it when done. */
export async function openShop({
	secrets = {},
	configPath = "build/server/wrangler.json",
	unlimited = false,
}: ShopOptions = {}): Promise<ServedShop> {
	const config = unlimited ? await liftLimits(configPath) : configPath;
	const harness = createTestHarness({ workers: [{ configPath: config, secrets }] });
	const { url } = await harness.listen();
	const worker = harness.getWorker<{ DB: D1Database }>();
	await worker.applyD1Migrations("DB");
	const { DB } = await worker.getEnv();
	return {
		...shopAt(url, DB),
		logs: () =>
			harness
				.getLogs()
				.map((log) => log.message)
				.join("\n"),
		evictFeed: (name, webSockets) => harness.getWorker().evictDurableObject("OrderFeed", { name, webSockets }),
		async close() {
			await harness.close();
			if (unlimited) await rm(config);
		},
	};
}

const configuration = z.looseObject({ ratelimits: z.array(z.looseObject({ simple: z.looseObject({}) })) });

/** Writes a configuration without limits beside that of a build, whose paths are relative. Answers its path. */
async function liftLimits(configPath: string): Promise<string> {
	const { ratelimits, ...rest } = configuration.parse(JSON.parse(await readFile(configPath, "utf8")));
	const lifted = ratelimits.map((limit) => ({ ...limit, simple: { ...limit.simple, limit: 1e9 } }));
	const path = configPath.replace(/(?=\.json$)/, `.unlimited-${process.pid}`);
	await writeFile(path, JSON.stringify({ ...rest, ratelimits: lifted }));
	return path;
}

/** A shop that runs at an address, as tests see it. */
export function shopAt(url: URL, d1: D1Database): Omit<Shop, "logs" | "close"> {
	const ask = (path: string, init?: RequestInit) => fetch(new URL(path, url), { redirect: "manual", ...init });
	async function control<Result>(asked: Control): Promise<Result> {
		const body = JSON.stringify(asked);
		const response = await ask("/stripe-emulator/controls", { method: "POST", body });
		if (response.ok) return response.json<Result>();
		throw new Error(`The emulator refused ${body}: ${await response.text()}`);
	}
	return {
		url,
		d1,
		fetch: ask,
		control,
		nobodyTells: () => control({ control: "webhooks", mode: "drop" }),
		advance: (seconds) => control({ control: "clock", advance: seconds }),
		reconcile: () => control({ control: "reconcile" }),
		emulator: async () => (await ask("/stripe-emulator/state")).json<EmulatorState>(),
		stripe: emulatorClient(url),
	};
}

/** The real SDK with a key, talking to the emulator of the shop at an address. Calls are not repeated. */
export function emulatorClient(shop: URL, key = SECRET_KEY): Stripe {
	const httpClient = Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) => {
		const { pathname, search } = new URL(input instanceof Request ? input.url : input);
		return fetch(new URL(`/stripe-emulator${pathname}${search}`, shop), init);
	});
	return new Stripe(key, { httpClient, maxNetworkRetries: 0, telemetry: false });
}
