import type { ConfirmPaymentData, ConfirmSetupData } from "@stripe/stripe-js";
import { confirmationShape, formOf, methodShape } from "./form.ts";
import { excludedFields } from "./form-options.ts";
import { IntegrationError } from "./integration-error.ts";
import {
	type Intent,
	type IntentResult,
	intentResult,
	leaveFor,
	requireIntentPath,
	takeNextAction,
} from "./intents.ts";
import type { Delivery, Result } from "./messages.ts";
import { post } from "./payment-api.ts";
import { named } from "./send-card.ts";
import type { StripeElement } from "./stripe-element.ts";
import { StripeElements } from "./stripe-elements.ts";

interface ConfirmOptions {
	elements?: unknown;
	clientSecret?: string;
	confirmParams?: Partial<ConfirmPaymentData & ConfirmSetupData>;
	redirect?: "always" | "if_required";
}

/** Confirms an intent with the group's Payment Element, or with `confirmParams.payment_method`, and handles 3-D Secure
 *  if required. Then navigates to `return_url`, and never resolves; with `redirect: "if_required"`, resolves to the
 *  intent. Resolves to `{ error }` for an incomplete field or a decline. Rejects with an IntegrationError for incorrect
 *  use. */
export async function confirmElements(
	kind: "payment" | "setup",
	key: string,
	{ elements, clientSecret, confirmParams = {}, redirect = "always" }: ConfirmOptions = {},
): Promise<IntentResult> {
	const caller = kind === "payment" ? "confirmPayment()" : "confirmSetup()";
	if (elements !== undefined) requireElements(elements);
	const group = elements instanceof StripeElements ? elements : undefined;
	if (group?.isDeferred && clientSecret === undefined) {
		throw new IntegrationError(`${caller} needs a clientSecret, because elements() was called with a mode.`);
	}
	const secret = clientSecret ?? group?.clientSecret;
	const path = requireIntentPath(secret, kind);
	const { payment_method: method, payment_method_data: data, ...params } = confirmParams;
	const returnUrl = requireReturnUrl(caller, params.return_url, redirect);
	const form = { ...formOf(params, confirmationShape), key, client_secret: String(secret), use_stripe_sdk: "true" };
	const described = { ...form, ...formOf(data ?? {}, methodShape, "payment_method_data") };
	const confirmed: Result<Intent> =
		method === undefined && group
			? await deliverElements(caller, group, "confirm", described, data?.billing_details?.address)
			: await post(`${path}/confirm`, method === undefined ? form : { ...form, payment_method: method });
	const result = confirmed.done ? await takeNextAction(key, confirmed.done) : confirmed;
	return result.done && returnUrl && redirect === "always" ? leaveWith(returnUrl, result.done) : intentResult(result);
}

/** Has the group's Payment Element send its card, with the values of the group's other Elements and `form`, to the API.
 *  `address` is the one in the form. Rejects with an IntegrationError if the group has no Payment Element, if submit()
 *  must be called first, or if the address lacks a field that the Element's options exclude. */
export async function deliverElements<Made>(
	caller: string,
	group: StripeElements,
	to: Delivery["to"],
	form: Record<string, string>,
	address: object = {},
): Promise<Result<Made>> {
	const payment = group.mounted("payment");
	if (!payment) throw new IntegrationError(`${caller} needs a mounted payment Element from the same elements().`);
	if (group.isDeferred && !group.submitted) {
		throw new IntegrationError(`Call elements.submit() before ${caller}, because elements() was called with a mode.`);
	}
	const prefix = to === "confirm" ? "payment_method_data[billing_details]" : "billing_details";
	for (const field of excludedFields(payment.options)) {
		if (field in address) continue;
		throw new IntegrationError(
			`The payment Element's option fields excludes address.${field}: pass it to ${caller} as ${prefix}[address][${field}].`,
		);
	}
	const { error } = await group.submit();
	if (error) return { error };
	const type = to === "confirm" ? "payment_method_data[type]" : "type";
	const others = {
		...emailOf(group.mounted("linkAuthentication"), prefix),
		...addressOf(group, prefix, form["client_secret"]?.startsWith("pi_") === true),
	};
	return payment.request({
		say: "deliver",
		delivery: { to, form: { ...others, ...form, [type]: "card" }, parts: null },
	});
}

/** Throws an IntegrationError if the value does not come from elements(). */
export function requireElements(elements: unknown): asserts elements is StripeElements {
	if (elements instanceof StripeElements) return;
	throw new IntegrationError("elements should be the object that stripe.elements() returned.");
}

function emailOf(element: StripeElement | undefined, prefix: string): Record<string, string> {
	const value = element?.change?.value;
	return value && "email" in value ? named(prefix, { email: value.email }) : {};
}

/** A shipping address belongs to a PaymentIntent, and a billing address to a payment method. */
function addressOf(group: StripeElements, prefix: string, isPayment: boolean): Record<string, string> {
	const { value, elementMode } = group.mounted("address")?.change ?? {};
	if (!value || !("address" in value) || (elementMode === "shipping" && !isPayment)) return {};
	const target = elementMode === "shipping" ? "shipping" : prefix;
	const { name, phone = "", address } = value;
	return {
		...named(target, { name, phone }),
		...named(`${target}[address]`, { ...address, line2: address.line2 ?? "" }),
	};
}

function requireReturnUrl(caller: string, text: string | undefined, redirect: string): URL | undefined {
	if (redirect !== "always" && redirect !== "if_required") {
		throw new IntegrationError(`${caller}: redirect should be always or if_required, not ${redirect}.`);
	}
	if (text === undefined && redirect === "if_required") return undefined;
	const url = URL.canParse(text ?? "") ? new URL(text ?? "") : undefined;
	if (url?.protocol === "http:" || url?.protocol === "https:") return url;
	throw new IntegrationError(`${caller}: confirmParams.return_url should be an absolute http or https URL.`);
}

function leaveWith(url: URL, { object, id, client_secret: secret }: Intent): Promise<never> {
	url.searchParams.set(object, id);
	url.searchParams.set(`${object}_client_secret`, secret ?? "");
	url.searchParams.set("redirect_status", "succeeded");
	return leaveFor(url);
}
