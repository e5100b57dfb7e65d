/** Whether a browser sends the request in advance, for a page that may never be opened. Such a request changes nothing
 *  on the server. Safari and older browsers name the header Purpose. */
export function isPrefetch({ headers }: Request): boolean {
	return /^prefetch\b/.test(headers.get("Sec-Purpose") ?? headers.get("Purpose") ?? "");
}
