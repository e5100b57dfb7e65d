import * as z from "zod/mini";
import { customerContext } from "#app/auth/customer.server.ts";
import { answerInTime } from "#app/http/answer-in-time.server.ts";
import { readJson } from "#app/http/body.server.ts";
import { cookiesContext } from "#app/http/cookies.server.ts";
import { databasesContext } from "#app/http/databases.server.ts";
import { problem } from "#app/http/problem.ts";
import { bindOrder } from "#app/orders/orders.server.ts";
import { ownerOf } from "#app/orders/owner.server.ts";
import { outsideContext } from "#app/outside.server.ts";
import { clientSecretShape } from "#app/payments/client-secret.server.ts";
import { openPayments } from "#app/payments/payments.server.ts";
import { settleAs } from "#app/payments/settle.server.ts";
import { findPaymentIntent } from "#app/payments/stripe.server.ts";
import type { Route } from "./+types/payments.settle";

const body = z.object({ clientSecret: clientSecretShape });

/** POST /payments/settle: the browser is back from confirming the card and asks what became of it. */
export async function action({ request, context }: Route.ActionArgs) {
	const payment = await readJson(request, body);
	if (payment instanceof Response) return payment;
	const outside = context.get(outsideContext);
	const { primary } = context.get(databasesContext);

	return answerInTime(
		outside.limits.request,
		async () => {
			const payments = openPayments(outside, primary);
			const intent = await findPaymentIntent(payments, payment.clientSecret);
			if (!intent) return problem(404, "unknown_payment_intent", "There is no such payment.");
			const settlement = await settleAs(intent, payments);
			if (settlement === "not_paid")
				return problem(409, "not_paid", "This payment has not been made. Nothing was charged.");
			const owner = ownerOf(context.get(customerContext), context.get(cookiesContext));
			if (await bindOrder(primary, intent.id, owner)) await payments.announce(owner.userId);
			return settlement === "checking" || settlement === "orphan" ? checking() : Response.json({ status: settlement });
		},
		checking,
	);
}

const checking = () => Response.json({ status: "checking" }, { status: 202 });
