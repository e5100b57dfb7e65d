import { authenticate, type Visitor } from "#app/auth/customer.server.ts";
import { withFallback } from "#app/http/timeout.server.ts";
import { servicesContext } from "#app/services.server.ts";
import type { Route } from "./+types/frame";
import { ErrorPage } from "./error-page.tsx";
import { keepShop } from "./keep-shop.client.ts";

// The parent of every route. Its error boundary renders inside the frame of root.tsx, which has no loader that could
// fail.

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepShop];

/** Returns the signed-in customer; null for a guest, and undefined if D1 does not say in time. */
export async function loader({ request, context }: Route.LoaderArgs) {
	const { timeouts, notice } = context.get(servicesContext);
	const { customer } = await withFallback<Partial<Visitor>>(
		timeouts.read,
		() => authenticate(request, context),
		() => ({}),
	);
	return { customer, notice };
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
	return <ErrorPage error={error} />;
}
