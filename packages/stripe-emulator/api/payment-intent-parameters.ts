import type Stripe from "stripe";
import { requireAmount, requireCurrency } from "../objects/currencies.ts";
import { isEmail } from "../objects/email.ts";
import type { NewIntent } from "../objects/new-payment-intent.ts";
import type { IntentDetails } from "../objects/payment-intent.ts";
import type { CardPart } from "./card-parts.ts";
import { invalidRequest, missingParameter } from "./errors.ts";
import type { Parameters } from "./parameters.ts";
import { type RequestedMethod, readAddress, readMethod } from "./payment-method-parameters.ts";

/** Readers for the parameters of the PaymentIntent endpoints. They throw an ApiError that names the invalid
 *  parameter. */

const detailNames = [
	...["amount", "capture_method", "currency", "customer", "description", "metadata", "receipt_email"],
	...["payment_method_options", "setup_future_usage", "shipping"],
];
const suffixName = "statement_descriptor_suffix";
const methodNames = ["payment_method", "payment_method_data"];
const sessionNames = ["error_on_requires_action", "off_session", "return_url", "use_stripe_sdk"];

type TakePart = (id: string) => CardPart;

export interface UpdateRequest {
	details: IntentDetails;
	method: RequestedMethod | undefined;
}

export interface ConfirmRequest extends UpdateRequest {
	/** If either of the first two options is true, a payment that requires authentication is declined. `redirectTo` is
	 *  the page after an authentication by redirect; null if Stripe.js authenticates. */
	options: { offSession: boolean; errorOnRequiresAction: boolean; redirectTo: string | null };
	/** Whether the request says where a redirect ends, or that Stripe.js handles the next action without one. */
	canRedirect: boolean;
}

export interface CreateRequest extends ConfirmRequest {
	intent: NewIntent;
	confirm: boolean;
}

export function readCreate(params: Parameters, takePart: TakePart): CreateRequest {
	refuseOldTypes(params);
	const choices = ["allowed_payment_method_types", "automatic_payment_methods", "confirm"];
	params.only(...detailNames, suffixName, ...choices, ...methodNames, ...sessionNames);
	const amount = readAmount(params);
	const currency = readCurrency(params);
	if (amount === undefined) throw missingParameter("amount");
	if (currency === undefined) throw missingParameter("currency");
	requireAmount(amount, currency);
	const types = readTypes(params);
	const confirm = params.boolean("confirm") ?? false;
	for (const param of ["error_on_requires_action", "off_session", "return_url"]) {
		if (!confirm && params.has(param)) throw invalidRequest(`You can only set ${param} with confirm=true.`, { param });
	}
	return {
		intent: {
			amount,
			currency,
			...types,
		},
		details: { ...readDetails(params), amount: undefined, currency: undefined },
		method: readMethod(params, takePart),
		...readSession(params),
		confirm,
	};
}

export function readUpdate(params: Parameters, takePart: TakePart): UpdateRequest {
	refuseOldTypes(params);
	params.only(...detailNames, suffixName, ...methodNames);
	return { details: readDetails(params), method: readMethod(params, takePart) };
}

export function readConfirm(params: Parameters, takePart: TakePart): ConfirmRequest {
	refuseOldTypes(params);
	const details = ["capture_method", "payment_method_options", "receipt_email", "setup_future_usage", "shipping"];
	params.only(...details, ...methodNames, ...sessionNames);
	return { details: readDetails(params), method: readMethod(params, takePart), ...readSession(params) };
}

function readSession(params: Parameters): Pick<ConfirmRequest, "canRedirect" | "options"> {
	const { canRedirect, redirectTo } = readRedirect(params);
	return {
		options: {
			offSession: params.boolean("off_session") ?? false,
			errorOnRequiresAction: params.boolean("error_on_requires_action") ?? false,
			redirectTo,
		},
		canRedirect,
	};
}

/** Reads `return_url` and `use_stripe_sdk`. `redirectTo` is where a challenge ends; null if Stripe.js opens a dialog. */
export function readRedirect(params: Parameters): { canRedirect: boolean; redirectTo: string | null } {
	const returnUrl = readReturnUrl(params);
	const usesStripeJs = params.boolean("use_stripe_sdk") ?? false;
	return { canRedirect: usesStripeJs || returnUrl !== null, redirectTo: usesStripeJs ? null : returnUrl };
}

/** Schemes that a browser would run or open locally. */
const unsafeSchemes = ["about:", "blob:", "data:", "file:", "filesystem:", "javascript:", "vbscript:"];

/** Reads a web address or the URL of an app, such as `app://paid`. */
function readReturnUrl(params: Parameters): string | null {
	const url = params.text("return_url");
	if (url === undefined) return null;
	const isUrl = /^[a-z][a-z\d+.-]*:\/\/\S+$/i.test(url) && URL.canParse(url);
	if (isUrl && !unsafeSchemes.includes(new URL(url).protocol)) return url;
	throw invalidRequest("Not a valid URL", { code: "url_invalid", param: "return_url" });
}

export function readCancel(params: Parameters) {
	params.only("cancellation_reason");
	const reasons = ["abandoned", "duplicate", "fraudulent", "requested_by_customer"] as const;
	return params.choice("cancellation_reason", reasons) ?? null;
}

/** Reads the parameters of `capture`. `amount` is in minor units; undefined means all of the authorized amount. */
export function readCapture(params: Parameters): { amount: number | undefined; details: IntentDetails } {
	params.only("amount_to_capture", "final_capture", "metadata", suffixName);
	if (params.boolean("final_capture") === false) {
		throw invalidRequest("The Stripe emulator captures a payment once: final_capture must be true.", {
			param: "final_capture",
		});
	}
	return { amount: readAmount(params, "amount_to_capture"), details: readDetails(params) };
}

export function refuseOldTypes(params: Parameters): void {
	if (!params.has("payment_method_types")) return;
	throw invalidRequest(
		"payment_method_types is no longer supported. Use allowed_payment_method_types or automatic_payment_methods.",
		{ code: "payment_method_types_no_longer_supported", param: "payment_method_types" },
	);
}

/** Reads an amount of at least 1. Its limits depend on the currency: `requireAmount` checks them. */
function readAmount(params: Parameters, name = "amount"): number | undefined {
	const amount = params.integer(name);
	if (amount === undefined || amount >= 1) return amount;
	const code = "parameter_invalid_integer";
	throw invalidRequest("This value must be greater than or equal to 1.", { code, param: name });
}

function readCurrency(params: Parameters): string | undefined {
	const currency = params.text("currency")?.toLowerCase();
	if (currency !== undefined) requireCurrency(currency);
	return currency;
}

/** Reads the allowed PaymentMethod types, or how they are chosen automatically. */
export function readTypes(params: Parameters) {
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
	return { allowedTypes, automatic: automatic ?? (allowedTypes ? null : { allow_redirects: "always", enabled: true }) };
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
		amount: readAmount(params),
		captureMethod: params.choice("capture_method", ["automatic", "automatic_async", "manual"]),
		currency: readCurrency(params),
		customer: params.text("customer"),
		description: readDescription(params),
		metadata: params.metadata("metadata"),
		receiptEmail: readEmail(params),
		requestThreeDSecure: readRequestThreeDSecure(params),
		setupFutureUsage: readUsage(params),
		shipping: readShipping(params),
		statementDescriptorSuffix: readSuffix(params),
	};
}

function readRequestThreeDSecure(params: Parameters) {
	const options = params.group("payment_method_options");
	options?.only("card");
	const card = options?.group("card");
	card?.only("request_three_d_secure");
	return card?.choice("request_three_d_secure", ["any", "automatic", "challenge"]);
}

function readUsage(params: Parameters) {
	if (params.clearable("setup_future_usage") === null) return null;
	return params.choice("setup_future_usage", ["off_session", "on_session"]);
}

function readDescription(params: Parameters): string | null | undefined {
	const description = params.clearable("description");
	requireLength(description, 1000, "description");
	return description;
}

function readEmail(params: Parameters): string | null | undefined {
	const email = params.clearable("receipt_email");
	if (!email || isEmail(email)) return email;
	throw invalidRequest(`Invalid email address: ${email}`, { code: "email_invalid", param: "receipt_email" });
}

/** Reads what follows the account's name on a statement. */
function readSuffix(params: Parameters): string | null | undefined {
	const suffix = params.clearable(suffixName);
	requireLength(suffix, 22, suffixName);
	if (!suffix || (/\p{L}/u.test(suffix) && !/[<>\\'"*]/.test(suffix))) return suffix;
	throw invalidRequest(
		"The statement descriptor suffix must contain at least one letter, and none of these characters: < > \\ ' \" *",
		{ param: suffixName },
	);
}

function requireLength(text: string | null | undefined, maximum: number, param: string): void {
	if (!text || text.length <= maximum) return;
	throw invalidRequest(`Invalid string: ${text.slice(0, 10)}…; must be at most ${maximum} characters`, { param });
}

function readShipping(params: Parameters): Stripe.PaymentIntent.Shipping | null | undefined {
	const shipping = params.clearableGroup("shipping");
	if (!shipping) return shipping;
	shipping.only("address", "carrier", "name", "phone", "tracking_number");
	const address = shipping.group("address");
	if (!address) throw missingParameter("shipping[address]");
	return {
		address: readAddress(address),
		carrier: shipping.clearable("carrier") ?? null,
		name: shipping.required("name"),
		phone: shipping.clearable("phone") ?? null,
		tracking_number: shipping.clearable("tracking_number") ?? null,
	};
}
