import { authenticate } from "#app/auth/customer.server.ts";
import { servicesContext } from "#app/services.server.ts";
import type { Route } from "./+types/shop";
import { ErrorPage } from "./error-page.tsx";
import { keepShop } from "./keep-shop.client.ts";

// The parent of every route. Its error boundary renders inside the frame of root.tsx, which has no loader that could
// fail.

export const clientMiddleware: Route.ClientMiddlewareFunction[] = [keepShop];

export async function loader({ request, context }: Route.LoaderArgs) {
	const { customer } = await authenticate(request, context);
	return { customer, notice: context.get(servicesContext).notice };
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
	return <ErrorPage error={error} />;
}
