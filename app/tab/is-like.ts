/** Returns whether a parsed JSON value has the fields of an example, of the same types. An array's elements must be
 *  like the example's first. */
export function isLike<Value>(value: unknown, example: Value): value is Value {
	// cents, stars or Unix seconds: unsigned 32-bit integers, because a larger number may not be a date
	if (typeof example === "number") return typeof value === "number" && value >>> 0 === value;
	if (!(example instanceof Object)) return typeof value === typeof example;
	if (!(value instanceof Object)) return false;
	if (Array.isArray(example)) return Array.isArray(value) && value.every((element) => isLike(element, example[0]));
	const fields = new Map<string, unknown>(Object.entries(value));
	return Object.entries(example).every(([name, field]) => isLike(fields.get(name), field));
}
