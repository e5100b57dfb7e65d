import type Stripe from "stripe";
import { declineWhenAttached } from "../objects/cards.ts";
import type { KeptPaymentMethod } from "../objects/payment-method.ts";
import { previousAttributes } from "../objects/update.ts";
import { ApiError, declineError, type ErrorBody, invalidRequest, noSuch } from "./errors.ts";
import type { Ledger } from "./routes.ts";

/** The rules by which PaymentMethods belong to customers. */

/** Returns the customer with this id. Throws a 404 ApiError that names `param` if it does not exist or is deleted. */
export function findCustomer({ store }: Pick<Ledger, "store">, id: string, param: string): Stripe.Customer {
	const customer = store.find("customer", id);
	if (customer) return customer;
	throw noSuch("customer", id, param);
}

/** Returns an intent's details. Throws a 404 ApiError if their customer does not exist. */
export function withCustomer<Details extends { customer?: string | undefined }>(
	ledger: Pick<Ledger, "store">,
	details: Details,
): Details {
	if (details.customer !== undefined) findCustomer(ledger, details.customer, "customer");
	return details;
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
	const decline = declineWhenAttached(outcome);
	if (decline) throw new ApiError(402, declineError(decline));
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

/** Throws a 400 ApiError unless the intent may use the PaymentMethod: it must belong to the intent's customer or, if it
 *  has none, must be unused. `known` is the stored intent, which the error carries. */
export function requireUsable(
	{ paymentMethod: { id, customer: owner }, reuse }: KeptPaymentMethod,
	intent: Stripe.PaymentIntent | Stripe.SetupIntent,
	known: Pick<ErrorBody, "payment_intent" | "setup_intent"> = {},
): void {
	const refusal = (message: string, rest: { code?: string; param?: string }) =>
		new ApiError(400, { ...invalidRequest(message, rest).body, ...known });
	// an intent that requires authentication can be confirmed again with the same PaymentMethod
	const isInUse = intent.status === "requires_action" && intent.payment_method === id;
	if (reuse && !isInUse) {
		throw refusal(
			"The provided PaymentMethod was previously used without being attached to a Customer, or was detached from a Customer. It may not be used again. To use a PaymentMethod more than once, attach it to a Customer first.",
			{},
		);
	}
	if (owner === null || owner === intent.customer) return;
	if (intent.customer !== null) {
		throw refusal(
			`The PaymentMethod ${id} does not belong to the Customer you supplied ${intent.customer}. Use it with the Customer that it belongs to instead.`,
			{ param: "payment_method" },
		);
	}
	if (intent.object === "payment_intent") {
		throw refusal(
			`The \`payment_method\` parameter supplied ${id} belongs to the Customer ${owner}. Please include the Customer in the \`customer\` parameter on the PaymentIntent.`,
			{ code: "parameter_missing", param: "source" },
		);
	}
	throw refusal(
		`The payment method supplied (${id}) belongs to the Customer ${owner}. Please include the Customer in the \`customer\` parameter on the SetupIntent.`,
		{ param: "payment_method" },
	);
}

/** Records that a PaymentMethod is used by an intent: without a customer, it can be used once. `usage` is the future use
 *  that the intent sets it up for. Returns the PaymentMethod. */
export function markUsed(
	{ store }: Ledger,
	method: KeptPaymentMethod,
	{ customer }: Stripe.PaymentIntent | Stripe.SetupIntent,
	usage: string | null,
): KeptPaymentMethod {
	if (method.paymentMethod.customer !== null) return method;
	const used: KeptPaymentMethod = {
		...method,
		reuse: usage !== null && customer === null ? "after_attaching" : "never",
	};
	store.save("payment_method", used.paymentMethod.id, used);
	return used;
}

/** Sets up the PaymentMethod of a successful intent for future payments: records a setup for off-session payments, and
 *  attaches it to the intent's customer, if any. */
export function setUp(
	ledger: Ledger,
	{ customer, payment_method }: Stripe.PaymentIntent | Stripe.SetupIntent,
	usage: string | null,
): void {
	if (usage === null || typeof payment_method !== "string") return;
	const known = ledger.store.find("payment_method", payment_method);
	if (!known) return;
	const method = usage === "off_session" ? { ...known, isSetUp: true } : known;
	ledger.store.save("payment_method", method.paymentMethod.id, method);
	const owner = ledger.store.find("customer", typeof customer === "string" ? customer : "");
	if (owner && method.paymentMethod.customer === null) attach(ledger, method, owner.id);
}
