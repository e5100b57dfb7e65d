import type Stripe from "stripe";
import { newId } from "./ids.ts";
import { noAddress } from "./payment-method.ts";
import { updated, updatedMetadata } from "./update.ts";

/** Fields that a request may set. Undefined keeps a field, null unsets it. */
export interface CustomerDetails {
	/** Merged into the current address. */
	address?: Partial<Stripe.Address> | null | undefined;
	defaultPaymentMethod?: string | null | undefined;
	description?: string | null | undefined;
	email?: string | null | undefined;
	metadata?: Map<string, string> | null | undefined;
	name?: string | null | undefined;
	phone?: string | null | undefined;
	preferredLocales?: string[] | null | undefined;
	shipping?: Stripe.Customer.Shipping | null | undefined;
	taxExempt?: "exempt" | "none" | "reverse" | undefined;
}

/** Creates a customer without details. `now` is in Unix seconds. */
export function newCustomer(now: number) {
	return {
		id: newId("cus_", 14),
		object: "customer",
		address: null,
		balance: 0,
		created: now,
		currency: null,
		default_source: null,
		delinquent: false,
		description: null,
		discount: null,
		email: null,
		invoice_prefix: newId("", 8).toUpperCase(),
		invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
		livemode: false,
		metadata: {},
		name: null,
		next_invoice_sequence: 1,
		phone: null,
		preferred_locales: [],
		shipping: null,
		tax_exempt: "none",
		test_clock: null,
	} satisfies Stripe.Customer;
}

/** Returns the customer with updated details. */
export function withCustomerDetails(customer: Stripe.Customer, details: CustomerDetails): Stripe.Customer {
	const { address, defaultPaymentMethod } = details;
	const settings = customer.invoice_settings;
	return {
		...customer,
		address: address ? { ...noAddress, ...customer.address, ...address } : updated(address, customer.address ?? null),
		description: updated(details.description, customer.description),
		email: updated(details.email, customer.email),
		invoice_settings: {
			...settings,
			default_payment_method: updated(defaultPaymentMethod, settings.default_payment_method),
		},
		metadata: updatedMetadata(details.metadata, customer.metadata),
		name: updated(details.name, customer.name ?? null),
		phone: updated(details.phone, customer.phone ?? null),
		preferred_locales: updated(details.preferredLocales, customer.preferred_locales ?? null) ?? [],
		shipping: updated(details.shipping, customer.shipping),
		tax_exempt: details.taxExempt ?? customer.tax_exempt ?? "none",
	};
}

/** Returns what remains of a deleted customer. */
export function deletedCustomer({ id }: Stripe.Customer) {
	return { id, object: "customer", deleted: true } satisfies Stripe.DeletedCustomer;
}
