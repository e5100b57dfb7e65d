/** Returns the result of an API that a browser may lack, deny or break, or undefined if that throws. docs/browsers.md
 *  lists these APIs. */
export function tryApi<Result>(access: () => Result): Result | undefined {
	try {
		return access();
	} catch {
		return undefined;
	}
}
