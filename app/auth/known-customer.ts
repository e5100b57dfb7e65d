// Whether the customer on the page is still the signed-in customer, as far as the browser can tell. This is not React
// state, because no component renders it.
let isKnown = true;

export function isCustomerKnown(): boolean {
	return isKnown;
}

/** Records that the customer may have changed. Call it after a form submission, or when another tab or the server
 *  reports a change. If the next request for data fails, an error page then replaces the current page. */
export function forgetCustomer(): void {
	isKnown = false;
}

export function knowCustomer(): void {
	isKnown = true;
}
