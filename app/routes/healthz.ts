import { sql } from "drizzle-orm";
import { errorResponse } from "#app/http/error-response.server.ts";
import { requestContext } from "#app/http/request-context.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import type { Route } from "./+types/healthz";

/** GET /healthz, for monitors: returns 200 if the database responds, otherwise 503. */
export async function loader({ context }: Route.LoaderArgs) {
	const { services, databases } = context.get(requestContext);
	const answer = await withFallback(
		services.timeouts.work,
		async () => {
			await databases.primary.run(sql`select 1`);
			return Response.json({ status: "ok" });
		},
		() => errorResponse(503, "unavailable", "The database does not answer."),
	);
	answer.headers.set("Cache-Control", "no-store");
	return answer;
}
