import type Stripe from "stripe";
import type { KeptPaymentMethod } from "../objects/payment-method.ts";
import { previousAttributes } from "../objects/update.ts";
import { ApiError, docUrl, invalidRequest, noSuch } from "./errors.ts";
import type { Ledger } from "./routes.ts";

/** The rules by which PaymentMethods belong to customers. */

/** Returns the customer with this id. Throws a 404 ApiError that names `param` if it does not exist or is deleted. */
export function findCustomer({ store }: Pick<Ledger, "store">, id: string, param: string): Stripe.Customer {
	const customer = store.find("customer", id);
	if (customer) return customer;
	throw noSuch("customer", id, param);
}

/** Saves a changed customer, emits customer.updated and returns the customer. */
export function saveCustomer({ store, emit }: Ledger, before: Stripe.Customer, after: Stripe.Customer) {
	store.save("customer", after.id, after);
	const previous_attributes = previousAttributes(before, after);
	if (Object.keys(previous_attributes).length > 0) {
		emit({ type: "customer.updated", data: { object: after, previous_attributes } });
	}
	return after;
}

/** Returns all PaymentMethods of a customer. */
export function methodsOf({ store }: Pick<Ledger, "store">, customerId: string): KeptPaymentMethod[] {
	const page = { limit: Number.POSITIVE_INFINITY, startingAfter: undefined, endingBefore: undefined };
	return store.list("payment_method", page, ({ paymentMethod }) => paymentMethod.customer === customerId)?.data ?? [];
}

/** Throws a 400 ApiError for a PaymentMethod that belongs to a customer or may not be used again, and a 402 for a card
 *  that declines when it is attached. */
export function requireAttachable({ paymentMethod, outcome, reuse }: KeptPaymentMethod): void {
	if (reuse === "never") {
		throw invalidRequest(
			"This PaymentMethod may not be used again, because it was used without being attached to a Customer, or was detached from a Customer.",
		);
	}
	if (paymentMethod.customer !== null) {
		throw invalidRequest("The payment method you provided has already been attached to a customer.");
	}
	// this card attaches, and is declined when it is charged
	if (!outcome.decline || outcome.authentication !== "never" || paymentMethod.card?.last4 === "0341") return;
	const { code, declineCode, message, param } = outcome.decline;
	throw new ApiError(402, {
		type: "card_error",
		code,
		...(declineCode ? { decline_code: declineCode } : {}),
		doc_url: docUrl(code),
		message,
		...(param ? { param } : {}),
	});
}

/** Attaches the PaymentMethod to a customer, emits payment_method.attached and returns the PaymentMethod. */
export function attach({ store, emit }: Ledger, method: KeptPaymentMethod, customer: string): Stripe.PaymentMethod {
	const { reuse: _, ...kept } = method;
	const paymentMethod = { ...method.paymentMethod, customer };
	store.save("payment_method", paymentMethod.id, { ...kept, paymentMethod });
	emit({ type: "payment_method.attached", data: { object: paymentMethod } });
	return paymentMethod;
}

/** Detaches the PaymentMethod from its customer, so that it can never be used again, emits payment_method.detached and
 *  returns the PaymentMethod. Throws a 400 ApiError if it has no customer. */
export function detach(ledger: Ledger, method: KeptPaymentMethod): Stripe.PaymentMethod {
	const { customer } = method.paymentMethod;
	if (typeof customer !== "string") {
		throw invalidRequest("The payment method you provided is not attached to a customer so detachment is impossible.");
	}
	const paymentMethod = { ...method.paymentMethod, customer: null };
	ledger.store.save("payment_method", paymentMethod.id, { ...method, paymentMethod, reuse: "never" });
	ledger.emit({ type: "payment_method.detached", data: { object: paymentMethod, previous_attributes: { customer } } });
	const owner = ledger.store.find("customer", customer);
	if (owner?.invoice_settings.default_payment_method === paymentMethod.id) {
		const invoice_settings = { ...owner.invoice_settings, default_payment_method: null };
		saveCustomer(ledger, owner, { ...owner, invoice_settings });
	}
	return paymentMethod;
}
