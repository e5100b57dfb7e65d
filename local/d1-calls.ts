/** Makes a call to D1. An implementation can also measure the call or make it fail. */
type CallD1 = <T>(make: () => Promise<T>) => Promise<T>;

/** The methods that do not call D1. The first three return an object whose methods do. */
const local = ["prepare", "bind", "withSession", "getBookmark"];

/** D1's own objects by their wrappers. */
const owns = new WeakMap<object, object>();

/** Wraps a D1 database, or a session or a statement of it, so that every statement and batch runs through `call`. */
export function d1CalledBy<Part extends object>(call: CallD1, own: Part): Part {
	const wrapper = new Proxy(own, {
		get(_, name) {
			const method = Reflect.get(own, name);
			if (typeof method !== "function") return method;
			return (...values: unknown[]) => {
				const make = () => Reflect.apply(method, own, values.map(ownOf));
				if (!local.includes(String(name))) return call(make);
				const result = make();
				return typeof result === "object" && result !== null ? d1CalledBy(call, result) : result;
			};
		},
	});
	owns.set(wrapper, own);
	return wrapper;
}

/** Returns what D1 gets for an argument. batch() accepts only D1's own statements. */
function ownOf(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(ownOf);
	return typeof value === "object" && value !== null ? (owns.get(value) ?? value) : value;
}
