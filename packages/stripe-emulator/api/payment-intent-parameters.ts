import type Stripe from "stripe";
import { invalidRequest, missingParameter } from "../errors.ts";
import { checkAmount } from "../objects/amount.ts";
import type { NewIntent } from "../objects/new-payment-intent.ts";
import type { IntentDetails } from "../objects/payment-intent.ts";
import type { Parameters } from "./parameters.ts";
import { type RequestedMethod, readMethod } from "./payment-methods.ts";

/** Readers for the parameters of the PaymentIntent endpoints. They throw an ApiError that names the invalid
 *  parameter. */

const detailNames = ["amount", "currency", "description", "metadata", "receipt_email"];
const methodNames = ["payment_method", "payment_method_data"];

interface UpdateRequest {
	details: IntentDetails;
	method: RequestedMethod | undefined;
}

interface CreateRequest extends UpdateRequest {
	intent: NewIntent;
	confirm: boolean;
}

export function readCreate(params: Parameters): CreateRequest {
	refuseOldTypes(params);
	const choices = ["allowed_payment_method_types", "automatic_payment_methods", "confirm"];
	params.only(...detailNames, ...choices, ...methodNames);
	const details = readDetails(params);
	const { amount, currency } = details;
	if (amount === undefined) throw missingParameter("amount");
	if (currency === undefined) throw missingParameter("currency");
	checkAmount(amount, currency);
	const allowedTypes = params.list("allowed_payment_method_types");
	const automatic = readAutomatic(params.group("automatic_payment_methods"));
	if (allowedTypes && automatic) {
		throw invalidRequest("You may only specify one of: allowed_payment_method_types, automatic_payment_methods.");
	}
	if (allowedTypes?.some((type) => type !== "card")) {
		throw invalidRequest("The Stripe emulator supports only the payment method type card.", {
			param: "allowed_payment_method_types",
		});
	}
	return {
		intent: {
			amount,
			currency,
			allowedTypes,
			automatic: automatic ?? (allowedTypes ? null : { allow_redirects: "always", enabled: true }),
		},
		details,
		method: readMethod(params),
		confirm: params.boolean("confirm") ?? false,
	};
}

export function readUpdate(params: Parameters): UpdateRequest {
	refuseOldTypes(params);
	params.only(...detailNames, ...methodNames);
	return { details: readDetails(params), method: readMethod(params) };
}

export function readConfirm(params: Parameters): UpdateRequest {
	refuseOldTypes(params);
	// Stripe.js sends use_stripe_sdk; 3-D Secure always uses its dialog
	params.only("receipt_email", ...methodNames, "use_stripe_sdk");
	return { details: readDetails(params), method: readMethod(params) };
}

export function readCancel(params: Parameters) {
	params.only("cancellation_reason");
	const reasons = ["abandoned", "duplicate", "fraudulent", "requested_by_customer"] as const;
	return params.choice("cancellation_reason", reasons) ?? null;
}

function refuseOldTypes(params: Parameters): void {
	if (!params.has("payment_method_types")) return;
	throw invalidRequest(
		"payment_method_types is no longer supported. Use allowed_payment_method_types or automatic_payment_methods.",
		{ code: "payment_method_types_no_longer_supported", param: "payment_method_types" },
	);
}

function readAutomatic(group: Parameters | undefined): Stripe.PaymentIntent.AutomaticPaymentMethods | undefined {
	if (!group) return undefined;
	group.only("allow_redirects", "enabled");
	const enabled = group.boolean("enabled");
	if (enabled === undefined) throw missingParameter("automatic_payment_methods[enabled]");
	return { allow_redirects: group.choice("allow_redirects", ["always", "never"]) ?? "always", enabled };
}

function readDetails(params: Parameters): IntentDetails {
	return {
		amount: params.integer("amount", { min: 1 }),
		currency: params.text("currency")?.toLowerCase(),
		description: params.clearable("description"),
		metadata: params.metadata("metadata"),
		receiptEmail: params.email("receipt_email"),
	};
}
