import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import Stripe from "stripe";
import { SECRET_KEY } from "stripe-emulator/keys.ts";
import type { LocalControl, LocalState } from "../../local/controls.ts";
import { type NamedWorker, readBuild } from "./built-worker.ts";

/** The built shop on real workerd with a D1 and an emulator of its own. */
export interface Shop {
	url: URL;
	fetch(path: string, init?: RequestInit): Promise<Response>;
	d1: D1Database;
	/** The real SDK, talking to the shop's emulator. */
	stripe: Stripe;
	/** Does something to the shop's emulator, or to the shop through it. Answers what came of it, once it has. */
	control<Result>(asked: LocalControl): Promise<Result>;
	/** No webhook comes, and no other word of what happens at Stripe. */
	nobodyTells(): Promise<void>;
	/** Time passes. */
	advance(seconds: number): Promise<void>;
	/** The cron runs. */
	reconcile(): Promise<void>;
	/** What the emulator has to show. */
	emulator(): Promise<LocalState>;
	/** What the Worker has written to its log. */
	logs(): string;
	/** Takes a customer's feed out of memory, as Cloudflare does when nothing happens or a machine is lost: its sockets
	 *  hibernate or close. */
	evictFeed(userId: string, webSockets: "hibernate" | "close"): Promise<void>;
	/** Replaces the Worker and its assets by those of another build, at the same address and with the same data. */
	deploy(build: string): Promise<void>;
	close(): Promise<void>;
}

interface ShopOptions {
	secrets?: Record<string, string>;
	/** The folder of the build. */
	build?: string;
	/** Whether rate limits are those of wrangler.toml. Otherwise they are too high to be reached: all browsers of this
	 *  machine have one address. */
	limited?: boolean;
	/** Whether it serves its assets. */
	assets?: boolean;
	tail?: NamedWorker;
}

/** Starts the built shop in Miniflare, with an empty database but for the catalogue; needs `npm run build`. Close it when
 *  done. */
export async function openShop({
	secrets = {},
	build = "build/server",
	limited = false,
	assets = true,
	tail,
}: ShopOptions = {}): Promise<Shop> {
	const options = { secrets, limited, assets, tail };
	const { name, workers, binding, migrations } = await readBuild(build, options);
	const log: string[] = [];
	const withWorkers = (workers: NamedWorker[]) => ({
		...convertV4MiniflareOptions({ handleStructuredLogs: ({ message }) => void log.push(message), workers }),
		// do not look up on the network where this machine is
		cf: false as const,
	});
	const miniflare = new Miniflare(withWorkers(workers));
	const url = await miniflare.ready;
	const d1 = await miniflare.getD1Database(binding, name);
	await d1.batch(migrations.map((statement) => d1.prepare(statement)));
	return {
		...shopAt(url, d1),
		logs: () => log.join("\n"),
		async deploy(build) {
			const next = await readBuild(build, options);
			await miniflare.setOptions({ ...withWorkers(next.workers), port: Number(url.port) });
		},
		evictFeed: (userId, webSockets) =>
			miniflare.unsafeEvictDurableObject(name, "OrderFeed", { name: userId, webSockets }),
		close: () => miniflare.dispose(),
	};
}

/** A shop that runs at an address, as tests see it. */
export function shopAt(url: URL, d1: D1Database): Omit<Shop, "logs" | "evictFeed" | "deploy" | "close"> {
	const ask = (path: string, init?: RequestInit) => fetchAlone(new URL(path, url), { redirect: "manual", ...init });
	async function control<Result>(asked: LocalControl): Promise<Result> {
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
		emulator: async () => (await ask("/stripe-emulator/state")).json<LocalState>(),
		stripe: emulatorClient(url),
	};
}

/** The real SDK with a key, talking to the emulator of the shop at an address. Calls are not repeated. */
export function emulatorClient(shop: URL, key = SECRET_KEY): Stripe {
	const httpClient = Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) => {
		const { pathname, search } = new URL(input instanceof Request ? input.url : input);
		return fetchAlone(new URL(`/stripe-emulator${pathname}${search}`, shop), init);
	});
	return new Stripe(key, { httpClient, maxNetworkRetries: 0, telemetry: false });
}

/** Fetches over a connection of its own. workerd closes a connection that is idle for five seconds, and a request sent at
 *  that moment is lost. */
function fetchAlone(url: URL, init?: RequestInit): Promise<Response> {
	const headers = new Headers(init?.headers);
	headers.set("Connection", "close");
	return fetch(url, { ...init, headers });
}
