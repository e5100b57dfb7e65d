// Whether the page shows the customer who is signed in, unless that changed unnoticed. Not React state: nothing is rendered
// from it.
let isKnown = true;

export function isCustomerKnown(): boolean {
	return isKnown;
}

/** Call it when the customer may have changed: a form was sent, or another tab or the server reports a change. What is on
 *  screen is then not kept when the request for the new data fails. */
export function forgetCustomer(): void {
	isKnown = false;
}

/** Call it when the customer has been loaded. */
export function knowCustomer(): void {
	isKnown = true;
}
