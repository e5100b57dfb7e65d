import { sessionCookieName } from "#app/auth/lucia.server.ts";
import { answerInTime } from "#app/http/answer-in-time.server.ts";
import { cookiesContext } from "#app/http/cookies.server.ts";
import { databasesContext } from "#app/http/databases.server.ts";
import { problem } from "#app/http/problem.ts";
import { ownerOf } from "#app/orders/owner.server.ts";
import { outsideContext } from "#app/outside.server.ts";
import { clientSecretShape } from "#app/payments/client-secret.server.ts";
import { createPayment, parseTotal } from "#app/payments/create.server.ts";
import { openPayments } from "#app/payments/payments.server.ts";
import type { Route } from "./+types/payments.create";

/** POST /payments/create?total=cents, no body: the client secret of a PaymentIntent at that amount. */
export function action({ request, context, url }: Route.ActionArgs) {
	const total = parseTotal(url);
	if (total === null) {
		return problem(400, "total_invalid", "The total must be whole cents, from 50 to 99999999.");
	}
	const previous = clientSecretShape.safeParse(request.headers.get("previous-client-secret"));
	const outside = context.get(outsideContext);
	// a guest's token is there before anything is placed: of two that are made at once, or whose answer is lost, one is
	// nobody's, and so would be what is placed under it
	const cookies = context.get(cookiesContext);
	if (cookies.get(sessionCookieName) === null) ownerOf(null, cookies);

	return answerInTime(
		outside.limits.request,
		async () => {
			const created = await createPayment(
				openPayments(outside, context.get(databasesContext).primary),
				total,
				previous.success ? previous.data : null,
			);
			if (created === "payment_in_progress") {
				return problem(409, "payment_in_progress", "Your payment is already on its way.");
			}
			return Response.json(created);
		},
		() => problem(503, "unavailable", "The payment could not be prepared. Nothing was charged."),
	);
}
