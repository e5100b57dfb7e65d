import { WorkerEntrypoint } from "cloudflare:workers";
import type { StripeEmulatorAccount } from "./account.ts";

/** The emulated api.stripe.com, for the shop's own server: hand its `fetch` to the Stripe SDK. */
export class StripeEmulator extends WorkerEntrypoint<Env> {
	override fetch(request: Request): Promise<Response> {
		return askAccount(this.env, request);
	}
}

/** Passes a request for /v1/… on to the account. */
export function askAccount(env: Env, request: Request): Promise<Response> {
	return openAccount(env).fetch(request);
}

/** The one account there is. Throws when wrangler.toml does not bind it. */
export function openAccount(env: Env): DurableObjectStub<StripeEmulatorAccount> {
	const accounts = env.STRIPE_EMULATOR_ACCOUNT;
	if (accounts) return accounts.getByName("account");
	throw new Error(
		"STRIPE_EMULATOR_ACCOUNT is not bound. Add the [[durable_objects.bindings]] entry to wrangler.toml, or set the three Stripe keys to use Stripe itself.",
	);
}
