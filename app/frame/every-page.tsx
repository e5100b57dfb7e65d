import type { Session } from "#app/auth/sessions.server.ts";
import { ErrorPage } from "#app/failures/error-page.tsx";
import { failureMiddleware } from "#app/failures/handle-failures.client.ts";
import { requestContext } from "#app/http/request-context.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import type { Route } from "./+types/every-page";
import { needsData } from "./needs-data.ts";

// The parent of every route. Its error boundary renders inside the frame of root.tsx, which has no loader that could
// fail.

export const shouldRevalidate = needsData;

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [failureMiddleware];

/** Returns the customer, unless D1 failed or was too slow, and the notice of a demo. */
export async function loader({ context }: Route.LoaderArgs) {
	const { services, authenticate } = context.get(requestContext);
	const session = await withFallback<Session | null | undefined>(services.timeouts.read, authenticate, () => undefined);
	return { customer: session && { id: session.userId, email: session.email }, notice: services.notice };
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
	return <ErrorPage error={error} />;
}
