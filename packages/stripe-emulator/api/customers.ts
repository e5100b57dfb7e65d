import type Stripe from "stripe";
import { deletedCustomer, newCustomer, withCustomerDetails } from "../objects/customer.ts";
import { attach, findCustomer, methodsOf, requireAttachable, saveCustomer } from "./attachments.ts";
import { readCustomer } from "./customer-parameters.ts";
import { invalidRequest, noSuch } from "./errors.ts";
import { list } from "./list.ts";
import { keepMethod } from "./payment-methods.ts";
import type { Call, Route } from "./routes.ts";
import { listMethods } from "./saved-payment-methods.ts";
import { search } from "./search.ts";

const all = /^\/v1\/customers$/;
const searching = /^\/v1\/customers\/search$/;
const one = /^\/v1\/customers\/(\w+)$/;
const methods = /^\/v1\/customers\/(\w+)\/payment_methods$/;
const method = /^\/v1\/customers\/(\w+)\/payment_methods\/(\w+)$/;
const rest = { browsers: "refused", returns: "customer" } as const;
const methodRest = { browsers: "refused", returns: "payment_method" } as const;

export const customerRoutes: readonly Route[] = [
	{ name: "customers.create", method: "POST", path: all, ...rest, prepare: create },
	{ name: "customers.list", method: "GET", path: all, ...rest, prepare: listAll },
	{ name: "customers.search", method: "GET", path: searching, ...rest, prepare: searchAll },
	{ name: "customers.retrieve", method: "GET", path: one, ...rest, prepare: retrieve },
	{ name: "customers.update", method: "POST", path: one, ...rest, prepare: update },
	{ name: "customers.delete", method: "DELETE", path: one, ...rest, prepare: remove },
	{ name: "customers.payment_methods.list", method: "GET", path: methods, ...methodRest, prepare: listOwnMethods },
	{ name: "customers.payment_methods.retrieve", method: "GET", path: method, ...methodRest, prepare: retrieveMethod },
];

function create(call: Call) {
	const details = readCustomer(call.params, "payment_method");
	const methodId = call.params.text("payment_method");
	return () => {
		const customer = newCustomer(call.now);
		const added = methodId === undefined ? undefined : keepMethod(call, { id: methodId });
		if (added) requireAttachable(added);
		const created = withDetails(call, customer, details, added && { requested: methodId, id: added.paymentMethod.id });
		call.store.save("customer", created.id, created);
		call.emit({ type: "customer.created", data: { object: created } });
		if (added) attach(call, added, created.id);
		return created;
	};
}

function update(call: Call) {
	const details = readCustomer(call.params);
	return () => {
		const before = findCustomer(call, call.id, "id");
		return saveCustomer(call, before, withDetails(call, before, details));
	};
}

/** Returns the customer with its details. Throws an ApiError if the default PaymentMethod is not one of the customer's.
 *  `added` is the id of a PaymentMethod to be attached, as requested and as stored: a shared id such as pm_card_visa is
 *  stored as a copy. */
function withDetails(
	{ store }: Call,
	customer: Stripe.Customer,
	details: ReturnType<typeof readCustomer>,
	added?: { requested: string | undefined; id: string },
): Stripe.Customer {
	const requested = details.defaultPaymentMethod;
	const id = requested && requested === added?.requested ? added.id : requested;
	if (id && id !== added?.id && store.find("payment_method", id)?.paymentMethod.customer !== customer.id) {
		throw invalidRequest(
			`The customer does not have a payment method with the ID ${id}. Attach the PaymentMethod to the customer first.`,
			{ code: "resource_missing", param: "invoice_settings[default_payment_method]" },
		);
	}
	return withCustomerDetails(customer, { ...details, defaultPaymentMethod: id });
}

/** Deletes the customer. Its PaymentMethods can no longer be used. */
function remove(call: Call) {
	call.params.only();
	return () => {
		const { store } = call;
		const customer = findCustomer(call, call.id, "id");
		for (const method of methodsOf(call, customer.id)) {
			store.save("payment_method", method.paymentMethod.id, { ...method, reuse: "never" });
		}
		const deleted = deletedCustomer(customer);
		store.save("deleted_customer", customer.id, deleted);
		call.emit({ type: "customer.deleted", data: { object: customer } });
		return deleted;
	};
}

function retrieve({ id, params, store }: Call) {
	params.only();
	return () => {
		const customer = store.find("customer", id) ?? store.find("deleted_customer", id);
		if (customer) return customer;
		throw noSuch("customer", id, "id");
	};
}

function listAll(call: Call) {
	return list(call, "customer", { equal: ["email"] });
}

function searchAll(call: Call) {
	return search(call, "customer", "/v1/customers/search");
}

function listOwnMethods(call: Call) {
	return listMethods(call, call.id, `/v1/customers/${call.id}/payment_methods`);
}

function retrieveMethod({ id, innerId, params, store }: Call) {
	params.only();
	return () => {
		const method = store.find("payment_method", innerId)?.paymentMethod;
		if (method?.customer === id) return method;
		throw noSuch("PaymentMethod", innerId, "payment_method");
	};
}
