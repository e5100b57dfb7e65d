import type Stripe from "stripe";
import { PUBLISHABLE_KEY } from "../../keys.ts";

/** A PaymentIntent, or the error returned in its place. */
export interface IntentBody extends Partial<Stripe.PaymentIntent> {
	error?: { code?: string; decline_code?: string; payment_intent?: Stripe.PaymentIntent };
}

interface Card {
	number: string;
	exp_month?: string;
	exp_year?: string;
	cvc?: string;
}

/** Returns the API calls that a shopper's browser makes. `server` serves the emulator at /stripe-emulator. */
export function browserCalls(server: { fetch(path: string, init?: RequestInit): Promise<Response> }) {
	/** Sends a form as the emulator's frames do: with the publishable key only. */
	async function postFromBrowser<Body = IntentBody>(path: string, fields: Record<string, string>) {
		const body = new URLSearchParams({ ...fields, key: PUBLISHABLE_KEY });
		const response = await server.fetch(`/stripe-emulator/v1/${path}`, {
			method: "POST",
			body,
			headers: { Origin: "null" },
		});
		return { status: response.status, headers: response.headers, body: await response.json<Body>() };
	}

	return {
		postFromBrowser,

		/** Confirms as the card frame does: with the publishable key, the client secret and a card number. */
		confirmInBrowser(intent: Pick<Stripe.PaymentIntent, "id" | "client_secret">, card: Card) {
			return postFromBrowser(`payment_intents/${intent.id}/confirm`, {
				"payment_method_data[type]": "card",
				...cardFields("payment_method_data[card]", card),
				"payment_method_data[billing_details][email]": "ada@example.com",
				use_stripe_sdk: "true",
				client_secret: intent.client_secret ?? "",
			});
		},
	};
}

/** Returns a card's form fields, with defaults for missing fields and without empty ones. */
function cardFields(group: string, card: Card): Record<string, string> {
	const filled = { exp_month: "12", exp_year: "2040", cvc: card.number.length === 15 ? "1234" : "123", ...card };
	const given = Object.entries(filled).filter(([, value]) => value !== "");
	return Object.fromEntries(given.map(([name, value]) => [`${group}[${name}]`, value]));
}
