import type Stripe from "stripe";
import { invalidRequest } from "../api/errors.ts";

/** Returns the changed value, or `current` if `change` is undefined. Null unsets the value. */
export function updated<Value>(change: Value | null | undefined, current: Value | null): Value | null {
	return change === undefined ? current : change;
}

/** Returns the metadata with the changed keys. An empty value removes its key, and null removes every key. Throws
 *  an ApiError for more than 50 keys. */
export function updatedMetadata(
	change: Map<string, string> | null | undefined,
	current: Stripe.Metadata | null,
): Stripe.Metadata {
	const metadata = change === null ? {} : { ...current, ...Object.fromEntries(change ?? []) };
	const kept = Object.entries(metadata).filter(([, value]) => value !== "");
	if (kept.length > 50) throw invalidRequest("Metadata can have up to 50 keys.", { param: "metadata" });
	return Object.fromEntries(kept);
}

/** Returns the previous values of the attributes that differ in `after`. Of a nested object, it returns only the
 *  changed attributes; an attribute that did not exist is null. */
export function previousAttributes<Of extends object>(before: Of, after: Of): Partial<Of> {
	return JSON.parse(JSON.stringify(differences(before, after)));
}

function differences(before: object, after: object): object {
	const then = new Map<string, unknown>(Object.entries(before));
	const now = new Map<string, unknown>(Object.entries(after));
	const names = [...new Set([...then.keys(), ...now.keys()])];
	const changed = names.filter((name) => JSON.stringify(then.get(name)) !== JSON.stringify(now.get(name)));
	return Object.fromEntries(
		changed.map((name) => {
			const [old, current] = [then.get(name), now.get(name)];
			return [name, isObject(old) && isObject(current) ? differences(old, current) : (old ?? null)];
		}),
	);
}

function isObject(value: unknown): value is object {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
