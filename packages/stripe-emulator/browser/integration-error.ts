/** The page uses Stripe.js in a way that cannot work; the message says how it can. */
export class IntegrationError extends Error {
	override readonly name = "IntegrationError";
}
