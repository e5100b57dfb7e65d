/** Returns a payment request that no wallet can pay: canMakePayment() resolves to null, so that pages hide its button. */
export function paymentRequest(_options: object) {
	const request = {
		canMakePayment: async () => null,
		on: () => request,
		once: () => request,
		off: () => request,
		update: () => undefined,
		show: () => undefined,
		abort: () => undefined,
		isShowing: () => false,
	};
	return request;
}
