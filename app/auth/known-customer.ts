// Whether the page shows the signed-in customer, as far as the browser can tell. Not React state: nothing renders it.
let isKnown = true;

export function isCustomerKnown(): boolean {
	return isKnown;
}

/** Call it when the customer may have changed: after a form, or when another tab or the server reports a change. If the
 *  request for new data then fails, the page on screen is not kept. */
export function forgetCustomer(): void {
	isKnown = false;
}

export function knowCustomer(): void {
	isKnown = true;
}
