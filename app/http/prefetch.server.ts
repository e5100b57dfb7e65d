/** Returns whether the request prefetches a page, which may never be opened. A prefetch changes nothing on the server.
 *  Safari, older browsers and the shop's own prefetches, whose script cannot set Sec-Purpose, send Purpose. */
export function isPrefetch({ headers }: Request): boolean {
	return /^prefetch\b/.test(headers.get("Sec-Purpose") ?? headers.get("Purpose") ?? "");
}
