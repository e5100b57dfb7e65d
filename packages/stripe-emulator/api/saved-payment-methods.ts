import type Stripe from "stripe";
import { checkedExpiry, noAddress } from "../objects/payment-method.ts";
import { previousAttributes, updatedMetadata } from "../objects/update.ts";
import { attach, detach, findCustomer, requireAttachable } from "./attachments.ts";
import { invalidRequest, missingParameter } from "./errors.ts";
import { listAs } from "./list.ts";
import { readAllowRedisplay, readBillingChange } from "./payment-method-parameters.ts";
import { keepMethod } from "./payment-methods.ts";
import type { Call, Route } from "./routes.ts";

const all = /^\/v1\/payment_methods$/;
const one = /^\/v1\/payment_methods\/(\w+)$/;
const attachment = /^\/v1\/payment_methods\/(\w+)\/attach$/;
const detachment = /^\/v1\/payment_methods\/(\w+)\/detach$/;
const rest = { browsers: "refused", returns: "payment_method" } as const;

export const savedPaymentMethodRoutes: readonly Route[] = [
	{ name: "payment_methods.list", method: "GET", path: all, ...rest, prepare: listAll },
	{ name: "payment_methods.retrieve", method: "GET", path: one, ...rest, prepare: retrieve },
	{ name: "payment_methods.update", method: "POST", path: one, ...rest, prepare: update },
	{ name: "payment_methods.attach", method: "POST", path: attachment, ...rest, prepare: attachToCustomer },
	{ name: "payment_methods.detach", method: "POST", path: detachment, ...rest, prepare: detachFromCustomer },
];

/** Lists PaymentMethods by `customer`, `type` and `allow_redisplay`. */
function listAll(call: Call) {
	return listMethods(call, call.params.text("customer"), "/v1/payment_methods", "customer");
}

/** Returns a function that lists the customer's PaymentMethods, or all if there is no customer. `own` lists the
 *  endpoint's other parameters. */
export function listMethods(call: Call, customerId: string | undefined, url: string, ...own: string[]) {
	readAllowRedisplay(call.params);
	const listed = listAs(call, "payment_method", {
		equal: ["allow_redisplay", "type"],
		...{ own, url, shown: ({ paymentMethod }) => paymentMethod },
		matches: (method) => customerId === undefined || method.customer === customerId,
	});
	return () => {
		if (customerId !== undefined) findCustomer(call, customerId, "customer");
		return listed();
	};
}

function retrieve(call: Call) {
	call.params.only();
	return () => keepMethod(call, { id: call.id }).paymentMethod;
}

function update(call: Call) {
	const { params, store } = call;
	params.only("allow_redisplay", "billing_details", "card", "metadata");
	const allowRedisplay = readAllowRedisplay(params);
	const billing = readBillingChange(params.group("billing_details"));
	const card = params.group("card");
	card?.only("exp_month", "exp_year");
	const expMonth = card?.integer("exp_month");
	const expYear = card?.integer("exp_year");
	const metadata = params.metadata("metadata");
	return () => {
		const method = keepMethod(call, { id: call.id });
		const before = method.paymentMethod;
		if (before.customer === null) {
			throw invalidRequest("You must save this PaymentMethod to a customer before you can update it.");
		}
		const address = { ...noAddress, ...before.billing_details.address, ...billing.address };
		const after: Stripe.PaymentMethod = {
			...before,
			...(allowRedisplay && { allow_redisplay: allowRedisplay }),
			billing_details: { ...before.billing_details, ...billing, address },
			...(before.card && { card: { ...before.card, ...withExpiry(before.card) } }),
			metadata: updatedMetadata(metadata, before.metadata),
		};
		store.save("payment_method", after.id, { ...method, paymentMethod: after });
		const previous_attributes = previousAttributes(before, after);
		call.emit({ type: "payment_method.updated", data: { object: after, previous_attributes } });
		return after;
	};

	function withExpiry({ exp_month, exp_year }: Stripe.PaymentMethod.Card) {
		return checkedExpiry({ expMonth: expMonth ?? exp_month, expYear: expYear ?? exp_year }, call.now);
	}
}

function attachToCustomer(call: Call) {
	call.params.only("customer");
	const customerId = call.params.text("customer");
	if (customerId === undefined) throw missingParameter("customer");
	return () => {
		const customer = findCustomer(call, customerId, "customer");
		const method = keepMethod(call, { id: call.id });
		if (method.paymentMethod.customer === customer.id) return method.paymentMethod;
		requireAttachable(method);
		return attach(call, method, customer.id);
	};
}

function detachFromCustomer(call: Call) {
	call.params.only();
	return () => detach(call, keepMethod(call, { id: call.id }));
}
