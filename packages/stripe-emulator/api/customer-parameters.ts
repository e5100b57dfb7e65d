import type Stripe from "stripe";
import type { CustomerDetails } from "../objects/customer.ts";
import { invalidRequest, missingParameter } from "./errors.ts";
import type { Parameters } from "./parameters.ts";
import { addressFields, readAddress } from "./payment-method-parameters.ts";

const detailNames = [
	...["address", "description", "email", "invoice_settings", "metadata", "name", "phone", "preferred_locales"],
	...["shipping", "tax_exempt"],
];

/** Reads the details of a customer. `own` lists the endpoint's other parameters. Throws an ApiError that names an
 *  invalid parameter. */
export function readCustomer(params: Parameters, ...own: string[]): CustomerDetails {
	if (params.has("source")) {
		const message =
			"The Stripe emulator does not support sources. Create a PaymentMethod from the token and send it as payment_method, or attach it to the customer.";
		throw invalidRequest(message, { param: "source" });
	}
	params.only(...detailNames, ...own);
	const settings = params.group("invoice_settings");
	settings?.only("default_payment_method");
	const address = params.clearableGroup("address");
	const locales = params.clearableGroup("preferred_locales");
	return {
		address: address ? address.fields(...addressFields) : address,
		defaultPaymentMethod: settings?.clearable("default_payment_method"),
		description: params.clearable("description"),
		email: readEmail(params),
		metadata: params.metadata("metadata"),
		name: params.clearable("name"),
		phone: params.clearable("phone"),
		preferredLocales: locales ? params.list("preferred_locales") : locales,
		shipping: readShipping(params),
		taxExempt: params.clearable("tax_exempt") === null ? "none" : params.choice("tax_exempt", taxChoices),
	};
}

const taxChoices = ["exempt", "none", "reverse"] as const;

function readEmail(params: Parameters): string | null | undefined {
	const email = params.clearable("email");
	if (!email || /^[^\s@]+@[^\s@]+$/.test(email)) return email;
	throw invalidRequest(`Invalid email address: ${email}`, { code: "email_invalid", param: "email" });
}

function readShipping(params: Parameters): Stripe.Customer.Shipping | null | undefined {
	const shipping = params.clearableGroup("shipping");
	if (!shipping) return shipping;
	shipping.only("address", "name", "phone");
	const address = shipping.group("address");
	if (!address) throw missingParameter("shipping[address]");
	return {
		address: readAddress(address),
		name: shipping.required("name"),
		phone: shipping.clearable("phone") ?? null,
	};
}
