import Stripe from "stripe";
import { z } from "zod";
import { StripeEmulatorAccount as Account, type WebhookEndpoint } from "../../account.ts";
import { hostControl } from "../../controls/console-extension.ts";
import { stripeEmulator } from "../../emulator.ts";
import { openAccount } from "../../env.ts";
import { WEBHOOK_SECRET } from "../../keys.ts";

/** A minimal host for the emulator. Its webhook endpoint keeps the ids of accepted events in memory. */

interface Env {
	STRIPE_EMULATOR_ACCOUNT: DurableObjectNamespace<StripeEmulatorAccount>;
	/** This Worker, which receives the account's webhooks. */
	HOST: Fetcher;
}

export class StripeEmulatorAccount extends Account<Env> {
	protected override webhookEndpoint(): WebhookEndpoint {
		const { HOST } = this.env;
		return {
			url: "http://localhost/webhook",
			fetch: (request, init) => HOST.fetch(request, init),
		};
	}
}

/** The ids of the events that the webhook endpoint has accepted, oldest first. */
const received: string[] = [];
let failures = 0;
let clockAdvance: number | undefined;

const emulator = stripeEmulator<Env>({
	basePath: "/stripe-emulator",
	publicHosts: () => ["demo.example.com", "limited.example.com"],
	limitCall: async ({ url }) => (new URL(url).hostname === "limited.example.com" ? 42 : null),
	console: {
		controls: [
			hostControl("fail_webhooks", z.object({ times: z.number() }), ({ times }) => {
				failures = times;
			}),
		],
		async afterControl({ control }, env) {
			if (control === "calm" || control === "reset") failures = 0;
			if (control === "clock" || control === "reset") clockAdvance = await openAccount(env).clockAdvance();
		},
		state: () => ({ received }),
	},
});

const others = [
	/** Serves the same account at another base path. */
	stripeEmulator<Env>({ basePath: "/pay/test" }),
	stripeEmulator<Env>({ basePath: "/disabled", isEnabled: () => false, publicHosts: () => ["demo.example.com"] }),
];

export default {
	async fetch(request, env) {
		const { pathname } = new URL(request.url);
		if (pathname === "/webhook") return receiveWebhook(request, env);
		if (pathname === "/") return page();
		for (const { fetch } of [emulator, ...others]) {
			const response = await fetch(request, env);
			if (response) return response;
		}
		return new Response("The host has no such page.", { status: 404 });
	},
} satisfies ExportedHandler<Env>;

function page(): Response {
	return new Response("<!doctype html><title>The host's page</title>", {
		headers: {
			"Content-Type": "text/html; charset=utf-8",
			"Content-Security-Policy": "default-src 'self'; img-src data:; frame-ancestors 'none'",
		},
	});
}

async function receiveWebhook(request: Request, env: Env): Promise<Response> {
	if (failures > 0) {
		failures -= 1;
		return new Response("The endpoint fails.", { status: 500 });
	}
	clockAdvance ??= await openAccount(env).clockAdvance();
	const now = Date.now() + clockAdvance * 1000;
	const signature = request.headers.get("Stripe-Signature") ?? "";
	const { webhooks } = new Stripe("sk_test_unused");
	try {
		const payload = await request.text();
		const event = await webhooks.constructEventAsync(payload, signature, WEBHOOK_SECRET, undefined, undefined, now);
		received.push(event.id);
		return new Response("Received");
	} catch (error) {
		return new Response(String(error), { status: 400 });
	}
}
