import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import Stripe from "stripe";
import type { Control } from "../../controls/control.ts";
import type { AccountState } from "../../controls/state.ts";
import { SECRET_KEY } from "../../keys.ts";

/** The host's Worker running on workerd with its own account. */
export interface Host {
	url: URL;
	fetch(path: string, init?: RequestInit): Promise<Response>;
	/** The Stripe SDK, configured to call the emulator. */
	stripe: Stripe;
	/** Sends a control and returns its result. */
	control<Result>(control: Control | { control: "fail_webhooks"; times: number }): Promise<Result>;
	/** `received` contains the ids of the events that the host's webhook endpoint has accepted. */
	state(): Promise<AccountState & { received: string[] }>;
	/** Returns the Worker's log. */
	logs(): string;
	close(): Promise<void>;
}

/** Starts the host bundled by `buildHost`. */
export async function openHost(script: string): Promise<Host> {
	const log: string[] = [];
	const miniflare = new Miniflare({
		...convertV4MiniflareOptions({
			handleStructuredLogs: ({ message }) => void log.push(message),
			workers: [
				{
					name: "host",
					modules: [{ type: "ESModule", path: "host.js", contents: script }],
					compatibilityDate: "2026-10-01",
					compatibilityFlags: ["nodejs_compat"],
					durableObjects: { STRIPE_EMULATOR_ACCOUNT: { className: "StripeEmulatorAccount", useSQLite: true } },
					serviceBindings: { HOST: "host" },
				},
			],
		}),
		// skips the network request that looks up this machine's location
		cf: false,
	});
	const url = await miniflare.ready;
	const send: Host["fetch"] = (path, init) => fetchOnce(new URL(path, url), { redirect: "manual", ...init });
	return {
		url,
		fetch: send,
		stripe: stripeClient(url),
		async control<Result>(control: object) {
			const body = JSON.stringify(control);
			const response = await send("/stripe-emulator/controls", { method: "POST", body });
			if (response.ok) return response.json<Result>();
			throw new Error(`The emulator refused ${body}: ${await response.text()}`);
		},
		state: async () => (await send("/stripe-emulator/state")).json(),
		logs: () => log.join("\n"),
		close: () => miniflare.dispose(),
	};
}

/** Returns a Stripe SDK client that calls the emulator of the host at `url` with this key and does not retry. */
export function stripeClient(url: URL, key = SECRET_KEY): Stripe {
	const httpClient = Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) => {
		const { pathname, search } = new URL(input instanceof Request ? input.url : input);
		return fetchOnce(new URL(`/stripe-emulator${pathname}${search}`, url), init);
	});
	return new Stripe(key, { httpClient, maxNetworkRetries: 0, telemetry: false });
}

/** Fetches over a new connection. workerd closes a connection that is idle for five seconds, and a request sent at that
 *  moment is lost. */
function fetchOnce(url: URL, init?: RequestInit): Promise<Response> {
	const headers = new Headers(init?.headers);
	headers.set("Connection", "close");
	return fetch(url, { ...init, headers });
}
