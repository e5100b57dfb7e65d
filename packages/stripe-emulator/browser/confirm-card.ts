import type { ConfirmCardPaymentData, ConfirmCardPaymentOptions, ConfirmCardSetupData } from "@stripe/stripe-js";
import { deliverCard } from "./card-source.ts";
import { confirmationShape, formOf, methodShape } from "./form.ts";
import { IntegrationError } from "./integration-error.ts";
import { type Intent, type IntentResult, intentResult, requireIntentPath, takeNextAction } from "./intents.ts";
import type { Result } from "./messages.ts";
import { post } from "./payment-api.ts";

type ConfirmData = ConfirmCardPaymentData | ConfirmCardSetupData;

/** Confirms an intent of this `kind` and handles 3-D Secure if required. Resolves to the intent, or to `{ error }` for a
 *  decline. With `handleActions: false`, resolves without handling the next action. Rejects with an IntegrationError
 *  for incorrect use. */
export async function confirmCard(
	kind: "payment" | "setup",
	key: string,
	clientSecret: string,
	{ payment_method: method, ...data }: ConfirmData = {},
	{ handleActions = true }: ConfirmCardPaymentOptions = {},
): Promise<IntentResult> {
	const path = `${requireIntentPath(clientSecret, kind)}/confirm`;
	const form = { ...formOf(data, confirmationShape), key, client_secret: clientSecret, use_stripe_sdk: "true" };
	const result = await confirm(path, form, method);
	return intentResult(result.done && handleActions ? await takeNextAction(key, result.done) : result);
}

async function confirm(
	path: string,
	form: Record<string, string>,
	method: ConfirmData["payment_method"],
): Promise<Result<Intent>> {
	if (typeof method !== "object" || method === null) {
		return post(path, method ? { ...form, payment_method: method } : form);
	}
	const { card, ...rest } = method;
	const described = {
		...form,
		...formOf(rest, methodShape, "payment_method_data"),
		"payment_method_data[type]": "card",
	};
	if (card && "token" in card) {
		if (typeof card.token !== "string") throw new IntegrationError("payment_method.card.token should be a string.");
		return post(path, { ...described, "payment_method_data[card][token]": card.token });
	}
	return deliverCard(card, "confirm", described);
}
