import * as z from "zod/mini";
import { currentScope } from "./scope.ts";
import type { World } from "./world.ts";

const intentShape = z.looseObject({
	status: z.string(),
	created: z.int(),
	next_action: z.nullish(z.looseObject({ use_stripe_sdk: z.looseObject({ source: z.string() }) })),
});
const errorShape = z.looseObject({
	...{ type: z.string(), message: z.optional(z.string()) },
	payment_intent: z.optional(intentShape),
});

interface Result {
	error?: z.infer<typeof errorShape>;
	paymentIntent?: z.infer<typeof intentShape>;
}

/** How the shopper pays. */
export interface Payer {
	/** One of the emulator's payment methods. */
	card: string;
	/** The step that may take arbitrarily long. */
	slow?: "confirm" | "dialog" | undefined;
}

/** Returns Stripe.js's `confirmCardPayment`, as the payment page calls it. Errors are returned in the result. No call
 *  times out. */
export function confirmCardPayment(world: World, { card, slow }: Payer, tab: string) {
	async function send(
		method: "GET" | "POST",
		path: string,
		parameters: Record<string, string>,
		isSlow = false,
	): Promise<Result> {
		try {
			const response = await world.stripe.browserCalls(method, path, parameters, isSlow);
			const error = errorShape.safeParse(response["error"]).data;
			return error ? { error } : { paymentIntent: intentShape.parse(response) };
		} catch {
			return { error: { type: "api_connection_error", message: "The payment provider could not be reached." } };
		}
	}

	/** Completes the bank's dialog. */
	async function authenticate(clientSecret: string, source: string): Promise<Result> {
		const scope = currentScope();
		await world.scheduler.call(scope, {
			label: () => "the shopper's bank: complete",
			faults: ["crash", "late", "clock"],
			touches: { reads: [], writes: [scope.task] },
			slow: slow === "dialog",
			make: () => undefined,
		});
		await send("POST", `three_d_secure/${source}/answer`, { client_secret: clientSecret, outcome: "complete" });
		return send("GET", `payment_intents/${idOf(clientSecret)}`, { client_secret: clientSecret });
	}

	return async (clientSecret: string): Promise<Result> => {
		const end = world.monitor.confirms(tab, idOf(clientSecret));
		const parameters = { client_secret: clientSecret, payment_method: card, use_stripe_sdk: "true" };
		const path = `payment_intents/${idOf(clientSecret)}/confirm`;
		const confirmed = await send("POST", path, parameters, slow === "confirm");
		const source = confirmed.paymentIntent?.next_action?.use_stripe_sdk.source;
		const result = source ? await authenticate(clientSecret, source) : confirmed;
		end();
		return result;
	};
}

export function idOf(clientSecret: string): string {
	return clientSecret.replace(/_secret_.*/, "");
}
