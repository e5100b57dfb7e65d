/** Thrown for incorrect use of Stripe.js by the page. */
export class IntegrationError extends Error {
	override readonly name = "IntegrationError";
}
