import { StripeEmulatorAccount as Account } from "../account.ts";
import { stripeEmulator } from "../emulator.ts";
import type { EmulatorEnv } from "../env.ts";
import { defaultKeys, type Keys } from "../keys.ts";
import type { WebhookEndpoint } from "../webhooks/endpoint.ts";
import type { StandaloneOptions } from "./options.ts";

interface Env extends EmulatorEnv {
	/** StandaloneOptions as JSON. */
	OPTIONS: string;
}

const optionsOf = ({ OPTIONS }: Env): StandaloneOptions => JSON.parse(OPTIONS);

export class StripeEmulatorAccount extends Account<Env> {
	protected override readonly keys: Keys = { ...defaultKeys, acceptsAnyTestKey: true };

	protected override webhookEndpoints(): WebhookEndpoint[] {
		const { webhooks, events } = optionsOf(this.env);
		return webhooks.map((url) => ({ url, events, fetch: (request, init) => fetch(request, init) }));
	}
}

const emulator = stripeEmulator<Env>({
	basePath: "",
	allowsAnyHost: (env) => optionsOf(env).allowsAnyHost,
	frameAncestors: "http: https:",
});

export default {
	async fetch(request, env) {
		return (await emulator.fetch(request, env)) ?? new Response("Not found", { status: 404 });
	},
} satisfies ExportedHandler<Env>;
