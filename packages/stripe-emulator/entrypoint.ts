import { WorkerEntrypoint } from "cloudflare:workers";
import { type EmulatorEnv, openAccount } from "./env.ts";

/** The emulated api.stripe.com for a server: pass its `fetch` to the Stripe SDK. */
export class StripeEmulator extends WorkerEntrypoint<EmulatorEnv> {
	override fetch(request: Request): Promise<Response> {
		return openAccount(this.env).fetch(request);
	}
}
