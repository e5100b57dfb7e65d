// Without imports, because the browser loads it too.

/** The limits of an order's amount. A price has the same maximum, which is Stripe's, of 8 digits:
 *  https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
export const minAmount = 50;
export const maxAmount = 99_999_999;
/** Maximum number of items of a basket and of an order. */
export const maxItems = 200;
