/** Whether the browser prefetches a page that may never be opened. Such a request changes nothing on the server.
 *  Safari and older browsers send Purpose. */
export function isPrefetch({ headers }: Request): boolean {
	return /^prefetch\b/.test(headers.get("Sec-Purpose") ?? headers.get("Purpose") ?? "");
}
