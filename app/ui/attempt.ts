/** Returns the result of accessing the browser's storage, or undefined if that throws: storage can be denied or full. */
export function attempt<Result>(access: () => Result): Result | undefined {
	try {
		return access();
	} catch {
		return undefined;
	}
}
