import { currency } from "#app/brand.ts";
import { listProducts, readCatalogue } from "#app/catalogue/catalogue.server.ts";
import type { Product } from "#app/catalogue/product.ts";
import { requestContext } from "#app/http/request-context.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import { ensureGuest } from "#app/orders/owner.server.ts";
import { createPayment, parseTotal } from "#app/payments/create.server.ts";
import { paymentError } from "#app/payments/shop-api.server.ts";
import { openPayments } from "#app/payments/stripe-api.server.ts";
import { clientSecretPattern } from "#app/tab/client-secret.ts";
import type { Route } from "./+types/payments.create";

/** POST /payments/create?total=cents, without a body: creates or reuses a PaymentIntent and returns its client secret
 *  and a signature. */
export function action({ request, context, url }: Route.ActionArgs) {
	if ((request.headers.get("currency") ?? currency) !== currency) return paymentError("currency_changed");
	const total = parseTotal(url);
	if (total === null) return paymentError("total_invalid");
	const previous = request.headers.get("previous-client-secret");
	const opened = context.get(requestContext);
	const { services, cookies, databases } = opened;
	// also for a customer, whose session may end before the order is placed
	ensureGuest(cookies);
	return withFallback(
		services.timeouts.work,
		async () => {
			// reject the tiny amounts that card testers use: every basket costs at least as much as the cheapest
			// product. The cached catalog may predate a price cut, so check the primary before rejecting
			const catalogue = await readCatalogue(opened);
			if (total < lowestPrice(catalogue) && total < lowestPrice(await listProducts(databases.primary))) {
				return paymentError("total_invalid");
			}
			const validPrevious = previous && clientSecretPattern.test(previous) ? previous : null;
			const mayReuse = !request.headers.has("cancel-previous");
			const created = await createPayment(openPayments(opened), total, validPrevious, mayReuse);
			return created === "payment_in_progress" ? paymentError(created) : Response.json(created);
		},
		() => paymentError("unavailable"),
	);
}

function lowestPrice(products: Product[]): number {
	return Math.min(...products.map(({ priceCents }) => priceCents));
}
