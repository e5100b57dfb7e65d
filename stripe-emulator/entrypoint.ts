import { WorkerEntrypoint } from "cloudflare:workers";

/** The emulated api.stripe.com, for the shop's own server: hand its `fetch` to the Stripe SDK. */
export class StripeEmulator extends WorkerEntrypoint<Env> {
	override fetch(request: Request): Promise<Response> {
		return askAccount(this.env, request);
	}
}

/** Passes a request for /v1/… on to the account. Throws when wrangler.toml does not bind it. */
export function askAccount(env: Env, request: Request): Promise<Response> {
	const accounts = env.STRIPE_EMULATOR_ACCOUNT;
	if (!accounts) {
		throw new Error(
			"STRIPE_EMULATOR_ACCOUNT is not bound. Add the [[durable_objects.bindings]] entry to wrangler.toml, or set the three Stripe keys to use Stripe itself.",
		);
	}
	return accounts.getByName("account").fetch(request);
}
