import { StripeEmulatorAccount as Account, type WebhookEndpoint } from "stripe-emulator/account.ts";

/** The emulator's account, which sends its webhooks to this shop. */
export class StripeEmulatorAccount extends Account<Env> {
	protected override readonly isPublic = Boolean(this.env.STRIPE_EMULATOR_HOSTS);

	/** Returns the random key with which this deployment signs. The emulator's own keys are public. */
	signingKey(): string {
		const { kv } = this.ctx.storage;
		const stored = kv.get<string>("signing key");
		if (stored) return stored;
		const key = crypto.randomUUID();
		kv.put("signing key", key);
		return key;
	}

	protected override webhookEndpoint(): WebhookEndpoint {
		const shop = this.env.SHOP;
		if (!shop) throw new Error("SHOP is not bound; add the [[services]] entry to wrangler.toml.");
		// only the path is used: the service binding routes to this Worker
		return { url: "http://localhost/stripe/webhook", fetch: (request, init) => shop.fetch(request, init) };
	}
}
