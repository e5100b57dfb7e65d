import { StripeEmulatorAccount as Account, type WebhookEndpoint } from "stripe-emulator/account.ts";

/** The types of the events that the shop's webhook endpoint receives. */
const events = [
	"charge.failed",
	"charge.refunded",
	"charge.succeeded",
	"payment_intent.canceled",
	"payment_intent.created",
	"payment_intent.payment_failed",
	"payment_intent.processing",
	"payment_intent.requires_action",
	"payment_intent.succeeded",
	"refund.created",
	"refund.failed",
	"refund.updated",
];

/** The emulator's account, which sends its webhooks to this shop. */
export class StripeEmulatorAccount extends Account<Env> {
	protected override webhookEndpoint(): WebhookEndpoint {
		const shop = this.env.SHOP;
		if (!shop) throw new Error("SHOP is not bound; add the [[services]] entry to wrangler.toml.");
		// only the path is used: the service binding routes to this Worker
		return {
			url: "http://localhost/stripe/webhook",
			events,
			fetch: (request, init) => shop.fetch(request, init),
		};
	}
}
