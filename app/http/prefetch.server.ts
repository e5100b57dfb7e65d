/** Returns whether the request prefetches a page, which may never be opened. A prefetch changes nothing on the server.
 *  Safari and older browsers send Purpose. */
export function isPrefetch({ headers }: Request): boolean {
	return /^prefetch\b/.test(headers.get("Sec-Purpose") ?? headers.get("Purpose") ?? "");
}
