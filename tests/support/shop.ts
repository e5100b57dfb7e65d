import { readFileSync } from "node:fs";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import Stripe from "stripe";
import { SECRET_KEY } from "stripe-emulator/keys.ts";
import type { LocalControl, LocalState } from "../../local/controls.ts";
import { type BuildOptions, type NamedWorker, readBuild } from "./built-worker.ts";
import { d1On } from "./d1.ts";

/** The shop's id in the metadata of payments. */
export const [, shopId = ""] = /SHOP_ID = "([^"]+)"/.exec(readFileSync("wrangler.toml", "utf8")) ?? [];

/** The built shop running on workerd, with its own D1 database and Stripe emulator. */
export type Shop = Awaited<ReturnType<typeof openShop>>;

interface ShopOptions extends Partial<BuildOptions> {
	/** The folder of the build. */
	build?: string;
	/** Whether the shop is served over HTTPS, with this certificate or one of Miniflare's that no browser trusts. */
	https?: boolean | { key: string; cert: string };
	/** Returns Workers that run with the shop's, whose name it receives. The first one gets the requests. */
	inFront?(shop: string): NamedWorker[];
}

/** Starts the built shop in Miniflare, with a database that contains only the catalogue. Requires `npm run build`.
 *  Close the shop when done. */
export async function openShop({
	build = "build/server",
	https = false,
	inFront = () => [],
	...options
}: ShopOptions = {}) {
	const { shop, workers, migrations } = await readBuild(build, options);
	const log: string[] = [];
	const withWorkers = (workers: NamedWorker[]) => ({
		...convertV4MiniflareOptions({
			handleStructuredLogs: ({ message }) => void log.push(message),
			workers: [...inFront(shop.name), ...workers],
		}),
		...(typeof https === "object" ? { httpsKey: https.key, httpsCert: https.cert } : { https }),
		// do not look up this machine's location
		cf: false as const,
	});
	const miniflare = new Miniflare(withWorkers(workers));
	const url = await miniflare.ready;
	const d1 = d1On(async (call) => {
		const response = await fetchOnce(await miniflare.unsafeGetDirectURL("d1"), {
			method: "POST",
			body: JSON.stringify(call),
		});
		if (response.ok) return response.text();
		throw new Error(await response.text());
	});
	await d1.batch(migrations.map((statement) => d1.prepare(statement)));

	const fetch = (path: string, init?: RequestInit) => fetchOnce(new URL(path, url), { redirect: "manual", ...init });
	/** Runs an emulator control. Resolves with its result once the control has taken effect. */
	async function control<Result>(control: LocalControl): Promise<Result> {
		const body = JSON.stringify(control);
		const response = await fetch("/stripe-emulator/controls", { method: "POST", body });
		if (response.ok) return response.json<Result>();
		throw new Error(`The emulator rejected ${body}: ${await response.text()}`);
	}
	return {
		...{ url, fetch, control, d1, stripe: emulatorClient(url) },
		disableWebhooks: () => control({ control: "webhooks", mode: "drop" }),
		advance: (seconds: number) => control({ control: "clock", advance: seconds }),
		reconcile: () => control({ control: "reconcile" }),
		emulator: async () => (await fetch("/stripe-emulator/state")).json<LocalState>(),
		/** Returns the address of a Worker with a direct socket. */
		urlOf: (worker: string) => miniflare.unsafeGetDirectURL(worker),
		logs: () => log.join("\n"),
		/** Evicts a customer's feed from memory, as Cloudflare does when the feed is idle or a machine fails. */
		evictFeed: (userId: string, webSockets: "hibernate" | "close") =>
			miniflare.unsafeEvictDurableObject(shop.name, "OrderFeed", { name: userId, webSockets }),
		/** Replaces the Worker and its assets with another build, keeping the URL and the data. */
		async deploy(build: string) {
			const { workers } = await readBuild(build, options);
			await miniflare.setOptions({ ...withWorkers(workers), port: Number(url.port) });
		},
		close: () => miniflare.dispose(),
	};
}

/** Returns the real SDK, connected to the emulator of the shop at this URL, with retries disabled. */
export function emulatorClient(shop: URL): Stripe {
	const httpClient = Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) => {
		const { pathname, search } = new URL(input instanceof Request ? input.url : input);
		return fetchOnce(new URL(`/stripe-emulator${pathname}${search}`, shop), init);
	});
	return new Stripe(SECRET_KEY, { httpClient, maxNetworkRetries: 0, telemetry: false });
}

/** Sends a request on a new connection. workerd closes a connection that has been idle for five seconds, and a request
 *  sent at that moment would fail. */
function fetchOnce(url: URL, init?: RequestInit): Promise<Response> {
	const headers = new Headers(init?.headers);
	headers.set("Connection", "close");
	return fetch(url, { ...init, headers });
}

/** Returns the newest payment at Stripe. */
export async function newestPayment({ stripe }: Shop) {
	return (await stripe.paymentIntents.list({ limit: 1 })).data[0];
}
