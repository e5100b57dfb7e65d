import { invalidRequest } from "../errors.ts";
import type { Kinds, Store } from "../store.ts";
import type { Parameters } from "./parameters.ts";

/** The properties that hold the id of another object, and that object's kind, by resource. */
const expandable: Readonly<Record<string, Readonly<Record<string, keyof Kinds>>>> = {
	charges: { payment_intent: "payment_intent" },
	payment_intents: { latest_charge: "charge", payment_method: "payment_method" },
	refunds: { charge: "charge", payment_intent: "payment_intent" },
};

type Expand = (store: Store, object: object) => object;

/** Reads and removes `expand`. Throws an ApiError for a property that cannot be expanded. Returns a function that
 *  replaces the requested ids in a response with their objects. `endpoint` is a name such as charges.list, or "" if
 *  nothing may be expanded. */
export function takeExpand(params: Parameters, endpoint: string): Expand {
	const [resource = "", method] = endpoint.split(".");
	const prefix = method === "list" ? "data." : "";
	const kinds = new Map(Object.entries(expandable[resource] ?? {}).map(([name, kind]) => [prefix + name, kind]));
	const requested = (params.list("expand") ?? []).map((property) => {
		const kind = kinds.get(property);
		if (kind) return { name: property.slice(prefix.length), kind };
		const known = [...kinds.keys()].join(", ") || "no property of this endpoint";
		throw invalidRequest(`This property cannot be expanded (${property}). The Stripe emulator expands ${known}.`);
	});
	params.remove("expand");
	return (store, object) => {
		const expanded = (one: object) => {
			const ids = new Map<string, unknown>(Object.entries(one));
			return {
				...one,
				...Object.fromEntries(requested.map(({ name, kind }) => [name, findObject(store, kind, ids.get(name))])),
			};
		};
		return "data" in object && Array.isArray(object.data)
			? { ...object, data: object.data.map(expanded) }
			: expanded(object);
	};
}

function findObject(store: Store, kind: keyof Kinds, id: unknown): object | null {
	const found = typeof id === "string" ? store.find(kind, id) : undefined;
	return found && "paymentMethod" in found ? found.paymentMethod : (found ?? null);
}
