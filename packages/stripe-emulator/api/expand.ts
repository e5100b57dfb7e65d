import type { Kinds, Store } from "../store.ts";
import type { Caller } from "./access.ts";
import { invalidRequest } from "./errors.ts";
import type { Parameters } from "./parameters.ts";

/** The properties of each kind of object that hold the id of another object. */
const expandable: Readonly<Partial<Record<keyof Kinds, Readonly<Record<string, keyof Kinds>>>>> = {
	balance_transaction: { source: "charge" },
	charge: { balance_transaction: "balance_transaction", customer: "customer", payment_intent: "payment_intent" },
	customer: { "invoice_settings.default_payment_method": "payment_method" },
	payment_intent: { customer: "customer", latest_charge: "charge", payment_method: "payment_method" },
	payment_method: { customer: "customer" },
	dispute: { charge: "charge", payment_intent: "payment_intent" },
	early_fraud_warning: { charge: "charge", payment_intent: "payment_intent" },
	refund: {
		balance_transaction: "balance_transaction",
		charge: "charge",
		failure_balance_transaction: "balance_transaction",
		payment_intent: "payment_intent",
	},
	setup_attempt: { customer: "customer", payment_method: "payment_method", setup_intent: "setup_intent" },
	setup_intent: { customer: "customer", latest_attempt: "setup_attempt", payment_method: "payment_method" },
};

/** The properties that Stripe expands for a publishable key. */
const publicProperties = ["payment_method"];

/** Maximum depth of an expansion, as documented by Stripe. */
const maxDepth = 4;

/** A property to expand, as the names on the way to it: `["data", "latest_charge", "payment_method"]`. */
export type Expansion = readonly string[];

/** Reads and removes `expand`. Throws an ApiError for a property that the endpoint's objects do not have, before any
 *  work is done. `kind` is the kind of object that the endpoint returns or lists. */
export function takeExpansions(
	params: Parameters,
	{ caller, isList, kind }: { caller: Caller; isList: boolean; kind: keyof Kinds | null },
): Expansion[] {
	const requested = params.list("expand") ?? [];
	params.remove("expand");
	return requested.map((property) => {
		const names = property.split(".");
		const own = isList ? names.slice(1) : names;
		const isRefused = caller === "browser" && !publicProperties.includes(property);
		const isMissing = kind === null || (isList && names[0] !== "data") || !isExpandable(kind, own);
		if (isRefused || isMissing) throw invalidRequest(`This property cannot be expanded (${property}).`);
		if (names.length > maxDepth) throw invalidRequest("You cannot expand more than 4 levels of a property.");
		return names;
	});
}

function isExpandable(kind: keyof Kinds, names: readonly string[]): boolean {
	const found = nextProperty(kind, names);
	return found !== undefined && (found.rest.length === 0 || isExpandable(found.kind, found.rest));
}

/** Finds the expandable property that the names begin with; its own name may contain dots. */
function nextProperty(kind: keyof Kinds, names: readonly string[]) {
	for (const [property, inner] of Object.entries(expandable[kind] ?? {})) {
		const length = property.split(".").length;
		if (names.slice(0, length).join(".") === property) return { kind: inner, rest: names.slice(length) };
	}
	return undefined;
}

/** Returns a copy of the response's object in which the requested ids are replaced by their objects. */
export function expand(store: Store, object: object, expansions: readonly Expansion[]): object {
	if (expansions.length === 0) return object;
	const copy: Json = JSON.parse(JSON.stringify(object));
	for (const names of expansions) expandIn(store, copy, names);
	return copy;
}

interface Json {
	[name: string]: unknown;
}

function expandIn(store: Store, object: Json, [name = "", ...rest]: Expansion): void {
	const value = object[name];
	const inner = typeof value === "string" ? (store.findAny(value) ?? value) : value;
	object[name] = inner;
	if (rest.length === 0) return;
	for (const each of Array.isArray(inner) ? inner : [inner]) if (isJson(each)) expandIn(store, each, rest);
}

function isJson(value: unknown): value is Json {
	return typeof value === "object" && value !== null;
}
