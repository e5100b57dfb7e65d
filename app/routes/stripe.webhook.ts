import { databasesContext } from "#app/http/databases.server.ts";
import { problem } from "#app/http/problem.ts";
import { outsideContext } from "#app/outside.server.ts";
import { openStripe } from "#app/payments/stripe.server.ts";
import { handleEvent, readEvent } from "#app/payments/webhook.server.ts";
import type { Route } from "./+types/stripe.webhook";

/** POST /stripe/webhook: Stripe tells of something that has happened. 200 means "I know"; after a 500 it comes again. */
export async function action({ request, context }: Route.ActionArgs) {
	const outside = context.get(outsideContext);
	try {
		const open = openStripe(outside);
		const event = await readEvent(open, outside.now(), request);
		if (!event) return problem(400, "invalid_signature", "This is not a signed event of ours.");
		await handleEvent(open, context.get(databasesContext).primary, event);
		return Response.json({ received: true });
	} catch (error) {
		const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
		console.error(JSON.stringify({ event: "webhook_failed", message }));
		return problem(500, "webhook_failed", "Something failed here. Please send this event again.");
	}
}
